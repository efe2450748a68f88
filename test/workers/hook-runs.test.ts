// Guards "accepted is kept" for webhooks after the answer: a recorded delivery leads to its one run whatever dies in
// between, in order if order is promised. A delivery that cannot run is set aside and does not block the others.
import { abortAllDurableObjects } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import type { EndpointApi } from '../../src/callbacks/api.ts'
import { objects } from '../../src/env/env.ts'
import { fail, ok } from '../../src/lib/result.ts'
import { START_ATTEMPTS_MAX, START_FIRST_PAUSE_MS, START_PAUSE_MAX_MS } from '../../src/unattended/limits.ts'
import { backoffMs } from '../../src/unattended/start.ts'
import { DELIVERY_RETENTION_MS } from '../../src/webhooks/limits.ts'
import type { Hook } from '../../src/webhooks/hook.ts'
import {
  accepted,
  bindings,
  BUILD,
  config,
  inside,
  makeDue,
  signed,
  states,
  newest,
  Threads,
} from './hook-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

const BROKEN = async (): Promise<ReturnType<typeof fail>> => fail('internal', 'The disk is on fire.')

async function deliver(object: Hook, hook: ReturnType<typeof config>, id: string, body?: string) {
  const one = signed(hook, id, body)
  return accepted(object.deliver(one.headers, one.body, BUILD))
}

describe('a recorded delivery', () => {
  it('is answered before its run is started', async () => {
    const hook = config()
    const threads = new Threads()
    const gate = Promise.withResolvers<void>()
    threads.answer = async (input) => {
      await gate.promise
      return ok({ thread_id: input.threadId, run_id: input.runId ?? '', created: true, events: null })
    }
    await inside(hook, threads, async (object, state) => {
      await object.configure(hook)
      await deliver(object, hook, 'msg_1')
      await eventually(() => threads.requested.length === 1)
      expect(states(state)).toEqual([['msg_1', 'recorded', 0, 0]])
      gate.resolve()
      await eventually(() => JSON.stringify(states(state)) === '[["msg_1","started",1,1]]')
    })
  })

  it('is started by the alarm, under the same IDs, when the object died before', async () => {
    const hook = config()
    const dying = new Threads()
    dying.answer = () => new Promise(() => {})
    const answer = await inside(hook, dying, async (object, state) => {
      await object.configure(hook)
      const first = await deliver(object, hook, 'msg_1')
      await eventually(() => dying.requested.length === 1)
      await state.storage.sync()
      return first
    })
    await abortAllDurableObjects()
    const threads = new Threads()
    await inside(hook, threads, async (object, state) => {
      expect(await state.storage.getAlarm()).not.toBeNull()
      expect(await deliver(object, hook, 'msg_1')).toEqual({ ...answer, created: false })
      await object.alarm()
      expect(threads.requested.map(({ name, input }) => [name, input.runId])).toEqual([
        [`default/${answer.thread_id}`, answer.run_id],
      ])
      expect(states(state)).toEqual([['msg_1', 'started', 1, 1]])
    })
  })

  it('is retried later when its thread fails, and runs when the thread recovers', async () => {
    const hook = config()
    const threads = new Threads()
    const works = threads.answer
    threads.answer = BROKEN
    await inside(hook, threads, async (object, state) => {
      await object.configure(hook)
      const answer = await deliver(object, hook, 'msg_1')
      const before = Date.now()
      await object.alarm()
      const after = Date.now()
      expect(threads.requested).toHaveLength(1)
      expect(states(state)).toEqual([['msg_1', 'recorded', 1, 0]])
      const wake = (await state.storage.getAlarm()) ?? 0
      expect(wake).toBeGreaterThanOrEqual(before + START_FIRST_PAUSE_MS)
      expect(wake).toBeLessThanOrEqual(after + START_FIRST_PAUSE_MS)
      expect(await object.deliveries('default', newest(1))).toMatchObject({
        value: { data: [{ reason: 'internal: The disk is on fire.' }] },
      })
      threads.answer = works
      await object.alarm()
      expect(threads.requested).toHaveLength(1) // not due yet
      makeDue(state)
      await object.alarm()
      expect(threads.requested[1]?.input.runId).toBe(answer.run_id)
      expect(await object.deliveries('default', newest(1))).toMatchObject({
        value: { data: [{ state: 'started', tries: 2, reason: null }] },
      })
    })
  })

  it('is set aside after its last attempt with its body and reason, without blocking others', async () => {
    const hook = config({ keep_days: 7 })
    const threads = new Threads()
    const works = threads.answer
    threads.answer = (input) => (input.metadata['webhook_id'] === 'msg_bad' ? BROKEN() : works(input))
    await inside(hook, threads, async (object, state) => {
      await object.configure(hook)
      const bad = await deliver(object, hook, 'msg_bad')
      await deliver(object, hook, 'msg_2')
      await object.alarm()
      expect(states(state)).toEqual([
        ['msg_bad', 'recorded', 1, 0],
        ['msg_2', 'started', 1, 0],
      ])
      for (let tries = 1; tries < START_ATTEMPTS_MAX; tries++) {
        makeDue(state)
        await object.alarm()
      }
      expect(states(state)[0]).toEqual(['msg_bad', 'dead', START_ATTEMPTS_MAX, 0])
      expect(threads.failed).toEqual([
        { name: `default/${bad.thread_id}`, runId: bad.run_id, why: 'internal: The disk is on fire.' },
      ])
      expect(await object.deliveries('default', newest(10))).toMatchObject({
        value: {
          data: [{ webhook_id: 'msg_2' }, { state: 'dead', reason: 'internal: The disk is on fire.' }],
        },
      })
      const requested = threads.requested.length
      makeDue(state)
      await object.alarm()
      expect(await deliver(object, hook, 'msg_bad')).toMatchObject({ created: false })
      expect(threads.requested).toHaveLength(requested)
    })
  })

  it('that is dead is reported once under one ID to the endpoints that listen for it, even after a failed report', async () => {
    const hook = config({ template: 'Look: {{a.b}}' })
    const threads = new Threads()
    threads.answer = BROKEN
    const listener = (): EndpointApi => objects(bindings).endpoint('default', 'ep_dead')
    const workspace = objects(bindings).workspace('default')
    const info = { id: 'ep_dead', url: 'https://r.example.com/', answer: false, created_at: '' }
    const events = ['delivery.dead'] as const
    await listener().configure({
      ...info,
      events,
      workspace: 'default',
      secret: hook.secret,
    })
    await workspace.putEndpoint({ ...info, events })
    await inside(hook, threads, async (object, state) => {
      await object.configure(hook)
      const answer = await deliver(object, hook, 'msg_1')
      for (let tries = 0; tries < START_ATTEMPTS_MAX; tries++) {
        makeDue(state)
        await object.alarm()
      }
      // The object died after the report, before it was noted.
      state.storage.sql.exec('UPDATE deliveries SET unannounced = 1, next_try_at = 0')
      await object.alarm()
      const log = await listener().log('default', { state: null, before: null, limit: 10 })
      const event_id = `evt_${answer.delivery_id.slice(3)}_dead`
      expect(log).toMatchObject({ ok: true, value: [{ event_id, type: 'delivery.dead' }] })
      expect(await state.storage.getAlarm()).toBeGreaterThan(Date.now() + START_PAUSE_MAX_MS)
    })
    await workspace.removeEndpoint(info.id)
  })

  it('that can never succeed because its template was changed is set aside at once, with a failed run that says why', async () => {
    const hook = config()
    const threads = new Threads()
    threads.answer = BROKEN
    await inside(hook, threads, async (object, state) => {
      await object.configure(hook)
      const answer = await deliver(object, hook, 'msg_1', 'not json')
      await object.alarm()
      await object.configure({ ...hook, template: '{{a.b}}' })
      makeDue(state)
      await object.alarm()
      expect(await object.deliveries('default', newest(10))).toMatchObject({
        value: { data: [{ state: 'dead', reason: expect.stringContaining('not JSON') }] },
      })
      expect(threads.failed).toEqual([
        {
          name: `default/${answer.thread_id}`,
          runId: answer.run_id,
          why: expect.stringContaining('not JSON'),
        },
      ])
    })
  })

  it('is not set aside while its failed run cannot be written either', async () => {
    const hook = config()
    const threads = new Threads()
    const works = threads.answer
    threads.answer = BROKEN
    threads.bury = () => Promise.reject(new Error('away'))
    await inside(hook, threads, async (object, state) => {
      await object.configure(hook)
      const answer = await deliver(object, hook, 'msg_1')
      const tryAgain = async (): Promise<void> => {
        makeDue(state)
        await object.alarm()
      }
      for (let tries = 0; tries < START_ATTEMPTS_MAX + 2; tries++) await tryAgain()
      expect(states(state)).toEqual([['msg_1', 'recorded', START_ATTEMPTS_MAX + 2, 0]])
      threads.bury = async () => ok(null)
      await tryAgain()
      expect(states(state)[0]).toMatchObject(['msg_1', 'dead', START_ATTEMPTS_MAX + 3, 1])
      expect(new Set(threads.failed.map(({ runId }) => runId))).toEqual(new Set([answer.run_id]))
      threads.answer = works
      await tryAgain()
      expect(states(state)[0]).toMatchObject(['msg_1', 'dead', START_ATTEMPTS_MAX + 3, 1])
    })
  })

  it('waits while there is no slot for its run, without using up an attempt, and so do the others', async () => {
    const hook = config()
    const threads = new Threads()
    const works = threads.answer
    threads.answer = async () => fail('too_many_runs', 'This key has 200 runs going already.')
    await inside(hook, threads, async (object, state) => {
      await object.configure(hook)
      await deliver(object, hook, 'msg_1')
      await deliver(object, hook, 'msg_2')
      await object.alarm()
      for (let turn = 0; turn < 2 * START_ATTEMPTS_MAX; turn++) {
        const before = threads.requested.length
        makeDue(state)
        await object.alarm()
        // A pass asks once for all of them.
        expect(threads.requested.length).toBe(before + 1)
      }
      expect(states(state)).toEqual([
        ['msg_1', 'recorded', 0, 0],
        ['msg_2', 'recorded', 0, 0],
      ])
      expect(threads.failed).toEqual([])
      threads.answer = works
      makeDue(state)
      await object.alarm()
      expect(states(state).map((row) => (Array.isArray(row) ? row[1] : row))).toEqual(['started', 'started'])
    })
  })

  it('whose skills were never pushed blocks no others, and is tried once per pass', async () => {
    const hook = config()
    const threads = new Threads()
    const works = threads.answer
    const LOST = 'f'.repeat(64)
    threads.answer = async (input) =>
      input.build === LOST ? fail('not_ready', 'Still to come.') : works(input)
    await inside(hook, threads, async (object, state) => {
      await object.configure(hook)
      for (const id of ['msg_1', 'msg_2', 'msg_3']) {
        const one = signed(hook, id)
        await accepted(object.deliver(one.headers, one.body, id === 'msg_3' ? BUILD : LOST))
      }
      await object.alarm()
      const requested = threads.requested.length
      makeDue(state)
      await object.alarm()
      // The older delivery represents both.
      expect(threads.requested.slice(requested).map(({ input }) => input.metadata['webhook_id'])).toEqual([
        'msg_1',
      ])
      expect(states(state)).toEqual([
        ['msg_1', 'recorded', 0, 0],
        ['msg_2', 'recorded', 0, 0],
        ['msg_3', 'started', 1, 1],
      ])
      // Its wait is longer than the minimum interval between alarms, so that what becomes due earlier is handled first.
      expect((await state.storage.getAlarm()) ?? 0).toBeGreaterThan(Date.now() + START_FIRST_PAUSE_MS)
    })
  })

  it('is due even if the clock was set back before its record, and so is the alarm', async () => {
    const hook = config()
    const threads = new Threads()
    const works = threads.answer
    threads.answer = BROKEN
    await inside(hook, threads, async (object, state) => {
      await object.configure(hook)
      await deliver(object, hook, 'msg_1')
      await object.alarm()
      threads.answer = works
      // As recorded when the clock was three hours ahead.
      state.storage.sql.exec('UPDATE deliveries SET next_try_at = ?', Date.now() + 3 * 3_600_000)
      await object.alarm()
      expect(states(state)).toEqual([['msg_1', 'started', 2, 1]])
      // The next delivery's wait is like any other.
      threads.answer = BROKEN
      await deliver(object, hook, 'msg_2')
      await object.alarm()
      expect((await state.storage.getAlarm()) ?? 0).toBeLessThanOrEqual(Date.now() + START_PAUSE_MAX_MS)
    })
  })

  it('passes its body byte for byte into the message', async () => {
    const hook = config({ template: '{{payload}}' })
    const threads = new Threads()
    await inside(hook, threads, async (object) => {
      await object.configure(hook)
      const body = '\uFEFF{"a":"\u0000😀",\r\n"b":1}\n'
      await deliver(object, hook, 'msg_1', body)
      await object.alarm()
      const text = `<webhook_payload>${body}</webhook_payload>`
      expect(threads.requested[0]?.input.message).toEqual([{ type: 'text', text }])
    })
  })
})

describe('a hook with a thread for each delivery', () => {
  it('names a new thread every time', async () => {
    const hook = config()
    await inside(hook, new Threads(), async (object) => {
      await object.configure(hook)
      const [one, two] = [await deliver(object, hook, 'msg_1'), await deliver(object, hook, 'msg_2')]
      expect(one.thread_id).not.toBe(two.thread_id)
    })
  })
})

describe('a hook with one thread', () => {
  it('sends all deliveries there in order, and a waiting one holds back later ones until it is set aside', async () => {
    const hook = config({ thread: 'one' })
    const threads = new Threads()
    const works = threads.answer
    threads.answer = (input) => (input.metadata['webhook_id'] === 'msg_2' ? BROKEN() : works(input))
    const order = (): unknown[] => threads.requested.map(({ input }) => input.metadata['webhook_id'])
    await inside(hook, threads, async (object, state) => {
      await object.configure(hook)
      const answers = []
      for (const id of ['msg_1', 'msg_2', 'msg_3']) answers.push(await deliver(object, hook, id))
      expect(new Set(answers.map((answer) => answer.thread_id)).size).toBe(1)
      await object.alarm()
      expect(order()).toEqual(['msg_1', 'msg_2'])
      // The object waits as long as the delivery at the head, although the one behind it is due.
      state.storage.sql.exec('UPDATE deliveries SET tries = 5')
      makeDue(state)
      const before = Date.now()
      await object.alarm()
      const wake = await state.storage.getAlarm()
      expect(wake).toBeGreaterThanOrEqual(before + backoffMs(6))
      // One more behind them changes nothing about that.
      await deliver(object, hook, 'msg_4')
      expect(await state.storage.getAlarm()).toBe(wake)
      state.storage.sql.exec('UPDATE deliveries SET tries = ?', START_ATTEMPTS_MAX - 1)
      makeDue(state)
      await object.alarm()
      expect(order()).toEqual(['msg_1', 'msg_2', 'msg_2', 'msg_2', 'msg_3', 'msg_4'])
      expect(states(state).map((row) => (Array.isArray(row) ? row[1] : row))).toEqual([
        'started',
        'dead',
        'started',
        'started',
      ])
    })
  })
})

describe('the object', () => {
  it('deletes what no sender repeats any more, never what still waits, and then sleeps', async () => {
    const hook = config()
    const threads = new Threads()
    await inside(hook, threads, async (object, state) => {
      await object.configure(hook)
      await deliver(object, hook, 'msg_old')
      await deliver(object, hook, 'msg_young')
      await object.alarm()
      threads.answer = BROKEN
      await deliver(object, hook, 'msg_waits')
      const age = 'UPDATE deliveries SET received_at = received_at - ? WHERE webhook_id <> ?'
      state.storage.sql.exec(age, DELIVERY_RETENTION_MS, 'msg_young')
      await object.alarm()
      expect(states(state).map((row) => (Array.isArray(row) ? row[0] : row))).toEqual([
        'msg_young',
        'msg_waits',
      ])
      state.storage.sql.exec('DELETE FROM deliveries')
      await object.alarm()
      expect(await state.storage.getAlarm()).toBeNull()
    })
  })
})
