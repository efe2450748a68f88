// Guards what a hook decides before a run: a filtered delivery costs nothing, a key gives one thread, and of waiting
// deliveries only the latest runs if the hook says so. A delivery under a known ID with another body is refused and
// recorded.
import { describe, expect, it } from 'vitest'
import { fail } from '../../src/lib/result.ts'
import type { DeliveryInfo, HookConfig } from '../../src/webhooks/api.ts'
import type { Hook } from '../../src/webhooks/hook.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { accepted, BUILD, config, inside, makeDue, signed, Threads, newest } from './hook-fixture.ts'

async function deliver(object: Hook, hook: HookConfig, id: string, body: object) {
  const one = signed(hook, id, JSON.stringify(body))
  return accepted(object.deliver(one.headers, one.body, BUILD))
}

async function logOf(object: Hook): Promise<readonly DeliveryInfo[]> {
  const log = await object.deliveries('default', newest(100))
  if (!log.ok) throw new Error(log.error.detail)
  return log.value.data.toReversed()
}

const statesOf = async (object: Hook): Promise<string[]> => (await logOf(object)).map(({ state }) => state)

describe('a delivery that does not pass the filter', () => {
  it('is recorded with the reason, and asks no thread', async () => {
    const hook = config({ filter: { all: [{ pointer: '/action', equals: 'opened' }] }, keep_days: 7 })
    const threads = new Threads()
    await inside(hook, threads, async (object) => {
      await object.configure(hook)
      const first = await deliver(object, hook, 'msg_1', { action: 'closed' })
      expect(first).toMatchObject({ thread_id: null, run_id: null, created: true })
      expect(await deliver(object, hook, 'msg_1', { action: 'closed' })).toEqual({ ...first, created: false })
      const passed = await deliver(object, hook, 'msg_2', { action: 'opened' })
      expect(passed.run_id).toMatch(/^run_/)
      await eventually(() => threads.requested.length === 1)
      expect(await logOf(object)).toMatchObject([
        {
          state: 'filtered',
          reason: 'This condition is not met: /action equals "opened".',
          thread_id: null,
          run_id: null,
          tries: 0,
          kept_bytes: expect.any(Number),
        },
        { id: passed.delivery_id, run_id: passed.run_id },
      ])
    })
  })

  it('need not fit the template', async () => {
    const hook = config({ filter: { all: [{ pointer: '/a', exists: true }] }, template: '{{a.b}}' })
    await inside(hook, new Threads(), async (object) => {
      await object.configure(hook)
      const { headers, body } = signed(hook, 'msg_1', 'not json')
      expect(await accepted(object.deliver(headers, body, BUILD))).toMatchObject({ run_id: null })
    })
  })
})

describe('a thread key', () => {
  it('gives deliveries with the same key one thread, and others their own', async () => {
    const hook = config({ thread: { key: 'issue {{issue.id}}' } })
    await inside(hook, new Threads(), async (object) => {
      await object.configure(hook)
      const threadOf = async (id: string, body: object): Promise<string | null> =>
        (await deliver(object, hook, id, body)).thread_id
      const one = await threadOf('msg_1', { issue: { id: 1 } })
      expect(await threadOf('msg_2', { issue: { id: 1 }, again: true })).toBe(one)
      const others = [
        await threadOf('msg_3', { issue: { id: 2 } }),
        await threadOf('msg_4', {}),
        await threadOf('msg_5', {}),
      ]
      expect(new Set([one, ...others]).size).toBe(4)
      await object.change({ ...hook, model: 'another-model' })
      expect(await threadOf('msg_6', { issue: { id: 1 }, later: true })).not.toBe(one)
    })
  })

  it('keeps the order of each thread, and a failing thread does not block others', async () => {
    const hook = config({ thread: { key: '{{issue}}' } })
    const threads = new Threads()
    const runs = threads.answer
    await inside(hook, threads, async (object, state) => {
      await object.configure(hook)
      const broken = await deliver(object, hook, 'msg_1', { issue: 1 })
      threads.answer = async (input) =>
        input.threadId === broken.thread_id ? fail('internal', 'The disk is on fire.') : runs(input)
      await deliver(object, hook, 'msg_2', { issue: 1 })
      await deliver(object, hook, 'msg_3', { issue: 2 })
      await eventually(async () => (await statesOf(object))[2] === 'started')
      threads.answer = runs
      makeDue(state)
      await object.alarm()
      expect(await statesOf(object)).toEqual(['started', 'started', 'started'])
      const order = threads.requested.map(({ input }) => input.metadata['webhook_id'])
      expect(order.lastIndexOf('msg_1')).toBeLessThan(order.indexOf('msg_2'))
    })
  })
})

describe('a hook that runs only the latest', () => {
  const latest = (): HookConfig => config({ thread: 'one', on_busy: 'latest', keep_days: 7 })

  it('replaces the delivery that waits for a busy thread, and its responses promise no run', async () => {
    const hook = latest()
    const threads = new Threads()
    const runs = threads.answer
    await inside(hook, threads, async (object, state) => {
      await object.configure(hook)
      const first = await deliver(object, hook, 'msg_1', { n: 1 })
      expect(first).toMatchObject({ thread_id: expect.stringMatching(/^th_/), run_id: null })
      await eventually(async () => (await statesOf(object))[0] === 'started')
      threads.answer = async () => fail('thread_busy', 'It is busy.', { retryAfterS: 1 })
      await deliver(object, hook, 'msg_2', { n: 2 })
      await eventually(async () => (await logOf(object))[1]?.reason !== null)
      const countBefore = threads.requested.length
      for (let n = 3; n <= 30; n++) await deliver(object, hook, `msg_${n}`, { n })
      // A newer delivery waits as long as the one that it replaces.
      expect(threads.requested).toHaveLength(countBefore)
      threads.answer = runs
      makeDue(state)
      await object.alarm()
      const log = await logOf(object)
      expect(log.map((row) => row.state)).toEqual([
        'started',
        ...Array.from({ length: 28 }, () => 'superseded'),
        'started',
      ])
      expect(log[5]).toMatchObject({ run_id: null, reason: 'A newer delivery replaced it.' })
      expect(log[29]?.run_id).toMatch(/^run_/)
      const again = await deliver(object, hook, 'msg_30', { n: 30 })
      expect(again).toMatchObject({ run_id: log[29]?.run_id, created: false })
      expect(threads.requested.at(-1)?.input).toMatchObject({ runId: log[29]?.run_id, onBusy: 'reject' })
    })
  })

  it('does not replace a delivery that is being started', async () => {
    const hook = latest()
    const threads = new Threads()
    const runs = threads.answer
    const gate = Promise.withResolvers<void>()
    threads.answer = async (input) => {
      await gate.promise
      return runs(input)
    }
    await inside(hook, threads, async (object) => {
      await object.configure(hook)
      await deliver(object, hook, 'msg_1', { n: 1 })
      await eventually(() => threads.requested.length === 1)
      await deliver(object, hook, 'msg_2', { n: 2 })
      await deliver(object, hook, 'msg_3', { n: 3 })
      gate.resolve()
      await eventually(async () => !(await statesOf(object)).includes('recorded'))
      expect(await statesOf(object)).toEqual(['started', 'superseded', 'started'])
    })
  })

  it('starts a waiting delivery as soon as the thread is free, even if it is free before its refusal arrives', async () => {
    const hook = latest()
    const threads = new Threads()
    const runs = threads.answer
    const busy = fail('thread_busy', 'It is busy.', { retryAfterS: 1 })
    await inside(hook, threads, async (object) => {
      await object.configure(hook)
      threads.answer = async () => busy
      const { thread_id } = await deliver(object, hook, 'msg_1', { n: 1 })
      await eventually(async () => (await logOf(object))[0]?.reason !== null)
      await object.threadHasRoom('th_another')
      expect(await statesOf(object)).toEqual(['recorded'])
      threads.answer = async (input) => {
        threads.answer = runs
        await object.threadHasRoom(input.threadId)
        return busy
      }
      await object.threadHasRoom(thread_id ?? '')
      await eventually(async () => (await statesOf(object))[0] === 'started')
      expect(threads.requested).toHaveLength(3)
    })
  })

  it('needs a thread that deliveries share', async () => {
    const hook = config({ on_busy: 'latest' })
    await inside(hook, new Threads(), async (object) => {
      expect(await object.configure(hook)).toMatchObject({
        ok: false,
        error: { errors: [{ path: 'on_busy', message: expect.stringMatching(/set thread to "one"/) }] },
      })
    })
  })
})

describe('another body under a known ID', () => {
  it('is a row of the log that points to the delivery with that ID', async () => {
    const hook = config({ keep_days: 7 })
    const threads = new Threads()
    await inside(hook, threads, async (object) => {
      await object.configure(hook)
      const first = await deliver(object, hook, 'msg_1', { n: 1 })
      for (const n of [2, 2, 3]) {
        const { headers, body } = signed(hook, 'msg_1', JSON.stringify({ n }))
        expect(await object.deliver(headers, body, BUILD)).toMatchObject({
          error: { code: 'delivery_mismatch' },
        })
      }
      const [known, ...others] = await logOf(object)
      expect(known).toMatchObject({ mismatches: 3, original_id: null, replays: [] })
      const row = { state: 'mismatch', webhook_id: 'msg_1', original_id: first.delivery_id, run_id: null }
      expect(others).toMatchObject([row, row])
      expect(others).toHaveLength(2)
      expect(await deliver(object, hook, 'msg_1', { n: 1 })).toEqual({ ...first, created: false })
      for (let n = 10; n < 40; n++) {
        const { headers, body } = signed(hook, 'msg_1', JSON.stringify({ n }))
        await object.deliver(headers, body, BUILD)
      }
      expect(await logOf(object)).toHaveLength(11)
      expect(threads.requested).toHaveLength(1)
    })
  })
})
