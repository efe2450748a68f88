// Guards "accepted is kept" for webhooks: a genuine delivery is recorded once before it is answered, survives any later
// crash, and leads to one run; any other delivery leaves nothing.
import { evictDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { QUEUED_PER_KEY } from '../../src/env/limits.ts'
import { WEBHOOK_BODY_MAX_BYTES } from '../../src/limits/requests.ts'
import { Hook } from '../../src/webhooks/hook.ts'
import { newSecret } from '../../src/webhooks/schemes/secret.ts'
import {
  accepted,
  bindings,
  BUILD,
  config,
  inside,
  signed,
  signedBytes,
  states,
  Threads,
  newest,
  UNKNOWN,
} from './hook-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

const REFUSED = {
  ok: false,
  error: { code: 'unauthenticated', detail: 'The delivery could not be verified.' },
}

describe('a hook', () => {
  it('that was never configured stores nothing and looks like one that does not exist', async () => {
    const hook = config()
    await inside(hook, new Threads(), async (object, state) => {
      const { headers, body } = signed(hook, 'msg_1')
      expect(await object.deliver(headers, body, BUILD)).toEqual(UNKNOWN)
      expect(await object.view('default')).toEqual(UNKNOWN)
      expect(await object.remove('default')).toEqual(UNKNOWN)
      await object.alarm()
      expect(
        state.storage.sql
          .exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'")
          .toArray(),
      ).toEqual([])
      expect(await state.storage.getAlarm()).toBeNull()
    })
  })

  it('shows its configuration without the secret, to its own workspace only', async () => {
    const hook = config({ user: 'ada' })
    const { secret, ...shown } = hook
    const view = { ...shown, previous_secret_until: null, secret_readable: true }
    await inside(hook, new Threads(), async (object) => {
      expect(await object.configure(hook)).toEqual({ ok: true, value: view })
      expect(await object.view('default')).toEqual({ ok: true, value: view })
      expect(JSON.stringify(await object.view('default'))).not.toContain(secret)
      expect(await object.view('other')).toEqual(UNKNOWN)
      expect(await object.deliveries('other', newest(10))).toEqual(UNKNOWN)
      expect(await object.remove('other')).toEqual(UNKNOWN)
      expect(await object.rotate('other', null, 60)).toEqual(UNKNOWN)
      expect(await object.view('default')).toMatchObject({ ok: true })
    })
  })

  it('refuses a configuration that cannot work or belongs to another hook, and stores nothing', async () => {
    const hook = config()
    await inside(hook, new Threads(), async (object) => {
      expect(await object.configure({ ...hook, secret: 'x' })).toMatchObject({
        ok: false,
        error: { code: 'invalid_request' },
      })
      expect(await object.configure(config())).toMatchObject({ error: { errors: [{ path: 'id' }] } })
      expect(await object.view('default')).toEqual(UNKNOWN)
    })
  })

  it('that is removed deletes everything, including its alarm, and can be created again', async () => {
    const hook = config()
    await inside(hook, new Threads(), async (object, state) => {
      await object.configure(hook)
      const { headers, body } = signed(hook, 'msg_1')
      await accepted(object.deliver(headers, body, BUILD))
      expect(await object.remove('default')).toEqual({ ok: true, value: null })
      expect(await object.deliver(headers, body, BUILD)).toEqual(UNKNOWN)
      await object.alarm()
      expect(await state.storage.getAlarm()).toBeNull()
      expect(await object.deliver(headers, body, BUILD)).toEqual(UNKNOWN)
      await object.configure(hook)
      expect(await object.deliveries('default', newest(10))).toEqual({
        ok: true,
        value: { data: [], next: null },
      })
    })
  })

  it('accepts only the newest secret', async () => {
    const hook = config()
    const renewed = { ...hook, secret: newSecret() }
    await inside(hook, new Threads(), async (object) => {
      await object.configure(hook)
      await object.configure(renewed)
      const [old, young] = [signed(hook, 'msg_1'), signed(renewed, 'msg_1')]
      expect(await object.deliver(old.headers, old.body, BUILD)).toEqual(REFUSED)
      expect(await object.deliver(young.headers, young.body, BUILD)).toMatchObject({ ok: true })
    })
  })

  it('exposes its interface and nothing else over RPC', () => {
    const methods = Object.getOwnPropertyNames(Hook.prototype).toSorted()
    expect(methods).toEqual([
      'alarm',
      'change',
      'configure',
      'constructor',
      'deliver',
      'deliverAll',
      'deliverTest',
      'deliveries',
      'delivery',
      'dryRun',
      'forgetThread',
      'forgetUser',
      'recordReply',
      'remove',
      'replay',
      'rotate',
      'threadHasRoom',
      'view',
    ])
  })
})

describe('a delivery', () => {
  it('becomes one row, one answer and one run when it arrives 20 times at once', async () => {
    const hook = config()
    const threads = new Threads()
    await inside(hook, threads, async (object, state) => {
      await object.configure(hook)
      const { headers, body } = signed(hook, 'msg_1')
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => accepted(object.deliver(headers, body, BUILD))),
      )
      expect(answers.filter((answer) => answer.created)).toHaveLength(1)
      expect(new Set(answers.map((answer) => JSON.stringify({ ...answer, created: true }))).size).toBe(1)
      await eventually(() => threads.requested.length > 0)
      await object.alarm()
      expect(threads.requested).toHaveLength(1)
      const [first] = answers
      expect(threads.requested[0]).toMatchObject({
        name: `default/${first?.thread_id}`,
        input: { runId: first?.run_id, build: BUILD, idempotency: { key: `delivery:${first?.delivery_id}` } },
      })
      expect(states(state)).toEqual([['msg_1', 'started', 1, 1]])
      // A later copy still writes nothing and sets no alarm.
      await state.storage.setAlarm(Date.now() + 3_600_000)
      const alarm = await state.storage.getAlarm()
      expect(await accepted(object.deliver(headers, body, BUILD))).toEqual({ ...first, created: false })
      for (let at = 0; at < 5; at++) await new Promise((resolve) => setTimeout(resolve, 0))
      expect(await state.storage.getAlarm()).toBe(alarm)
    })
  })

  it('is recognized over RPC, 20 times at once, and after an eviction', async () => {
    const hook = config()
    const stub = bindings.HOOKS.getByName(hook.id) as unknown as Hook // the cast is safe: RPC provides the methods of the class
    await stub.configure(hook)
    const { headers, body } = signed(hook, 'msg_1')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => accepted(stub.deliver(headers, body, BUILD))),
    )
    expect(answers.filter((answer) => answer.created)).toHaveLength(1)
    await evictDurableObject(bindings.HOOKS.getByName(hook.id))
    const retry = signed(hook, 'msg_1', '{"a":1}', 60)
    const again = await accepted(stub.deliver(retry.headers, retry.body, BUILD))
    expect(again).toEqual({ ...answers[0], created: false })
    const list = await stub.deliveries('default', newest(100))
    expect(list).toMatchObject({
      ok: true,
      value: { data: [{ id: again.delivery_id, webhook_id: 'msg_1', mismatches: 0 }] },
    })
    expect(await stub.view('default')).toMatchObject({ ok: true })
  })

  it('is refused with one text and leaves nothing when it is not genuine', async () => {
    const hook = config()
    const threads = new Threads()
    await inside(hook, threads, async (object, state) => {
      await object.configure(hook)
      const good = signed(hook, 'msg_1')
      const flipped = good.body.slice()
      flipped[3] = (flipped[3] ?? 0) ^ 1
      const old = signed(hook, 'msg_1', '{"a":1}', 600)
      const early = signed(hook, 'msg_1', '{"a":1}', -600)
      const foreign = signed(config(), 'msg_1')
      for (const bad of [{ ...good, body: flipped }, old, early, foreign, { headers: {}, body: good.body }])
        expect(await object.deliver(bad.headers, bad.body, BUILD)).toEqual(REFUSED)
      expect(states(state)).toEqual([])
      expect(await state.storage.getAlarm()).toBeNull()
      expect(threads.requested).toEqual([])
    })
  })

  it('is refused when its body is too large', async () => {
    const hook = config()
    await inside(hook, new Threads(), async (object) => {
      await object.configure(hook)
      const { headers, body } = signed(hook, 'msg_1', 'x'.repeat(WEBHOOK_BODY_MAX_BYTES + 1))
      expect(await object.deliver(headers, body, BUILD)).toMatchObject({ error: { code: 'too_large' } })
      const fits = signed(hook, 'msg_2', 'x'.repeat(WEBHOOK_BODY_MAX_BYTES))
      expect(await object.deliver(fits.headers, fits.body, BUILD)).toMatchObject({ ok: true })
    })
  })

  it.each([
    ['is not UTF-8', '{{payload}}', Uint8Array.of(0x22, 0xff, 0x22), /not UTF-8/],
    ['is not JSON where a value is needed', '{{a.b}}', new TextEncoder().encode('plain'), /not JSON/],
    ['is nested too deep for that', '{{a.b}}', new TextEncoder().encode('['.repeat(50_000)), /nests deeper/],
    ['leaves the message empty', '{{a.b}}', new TextEncoder().encode('{}'), /message is empty/],
  ])(
    'whose body %s is refused with the reason to those who signed it, and leaves nothing',
    async (_, template, body, why) => {
      const hook = config({ template })
      const threads = new Threads()
      await inside(hook, threads, async (object, state) => {
        await object.configure(hook)
        const { headers } = signedBytes(hook, 'msg_1', body)
        expect(await object.deliver(headers, body, BUILD)).toMatchObject({
          error: { code: 'invalid_request', detail: expect.stringMatching(why) },
        })
        expect(await object.deliver({ ...headers, 'webhook-id': 'msg_2' }, body, BUILD)).toEqual(REFUSED)
        await object.alarm()
        expect(states(state)).toEqual([])
        expect(threads.requested).toEqual([])
      })
    },
  )

  it('is refused unrecorded while too many of the hook have not begun, and accepted afterwards', async () => {
    const hook = config()
    const threads = new Threads()
    const works = threads.answer
    threads.answer = () => new Promise(() => {})
    await inside(hook, threads, async (object, state) => {
      await object.configure(hook)
      const first = signed(hook, 'msg_0')
      await accepted(object.deliver(first.headers, first.body, BUILD))
      state.storage.sql.exec(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO deliveries (webhook_id, delivery_id, digest, thread_id, run_id, promised, build, state, next_try_at, received_at)
         SELECT 'msg_' || i, 'dl_' || i, digest, thread_id || i, run_id, 1, build, state, next_try_at, received_at FROM deliveries, n`,
        QUEUED_PER_KEY - 1,
      )
      const more = signed(hook, 'msg_more')
      expect(await object.deliver(more.headers, more.body, BUILD)).toMatchObject({
        error: { code: 'too_many_runs', retryAfterS: 5 },
      })
      expect(states(state)).toHaveLength(QUEUED_PER_KEY)
      // A known delivery is answered all the same.
      expect(await object.deliver(first.headers, first.body, BUILD)).toMatchObject({ ok: true })
      state.storage.sql.exec("UPDATE deliveries SET state = 'started' WHERE webhook_id = 'msg_7'")
      threads.answer = works
      expect(await object.deliver(more.headers, more.body, BUILD)).toMatchObject({ ok: true })
    })
  })

  it('under a known ID with another body is refused, counted and changes nothing', async () => {
    const hook = config()
    const threads = new Threads()
    await inside(hook, threads, async (object) => {
      await object.configure(hook)
      const [first, other] = [signed(hook, 'msg_1'), signed(hook, 'msg_1', '{"a":2}')]
      const answer = await accepted(object.deliver(first.headers, first.body, BUILD))
      expect(await object.deliver(other.headers, other.body, BUILD)).toMatchObject({
        error: { code: 'delivery_mismatch' },
      })
      expect(await accepted(object.deliver(first.headers, first.body, BUILD))).toEqual({
        ...answer,
        created: false,
      })
      await eventually(() => threads.requested.length === 1)
      expect(await object.deliveries('default', newest(2))).toMatchObject({
        value: { data: [{ state: 'mismatch' }, { mismatches: 1, run_id: answer.run_id }] },
      })
    })
  })

  it('of one hook is unknown to another, under the same ID', async () => {
    const [one, two] = [config(), config()]
    const ids = []
    for (const hook of [one, two])
      ids.push(
        await inside(hook, new Threads(), async (object) => {
          await object.configure(hook)
          const { headers, body } = signed(hook, 'msg_1')
          return accepted(object.deliver(headers, body, BUILD))
        }),
      )
    expect(ids.map((answer) => answer.created)).toEqual([true, true])
    expect(ids[0]?.run_id).not.toBe(ids[1]?.run_id)
  })

  it('keeps odd IDs as data', async () => {
    const hook = config()
    await inside(hook, new Threads(), async (object) => {
      await object.configure(hook)
      for (const id of ['../../x', `';DROP/**/TABLE"deliveries"--`, 'x'.repeat(255)]) {
        const { headers, body } = signed(hook, id)
        expect(await object.deliver(headers, body, BUILD)).toMatchObject({ ok: true })
        expect(await object.deliveries('default', newest(1))).toMatchObject({
          value: { data: [{ webhook_id: id }] },
        })
      }
    })
  })
})
