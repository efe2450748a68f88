// Promise: an endpoint's events are sent at least once, under one ID, signed, for three days, only to where the guard
// allows, and no receiver makes that cost more than documented.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, inject, it } from 'vitest'
import { Webhook } from 'standardwebhooks'

import type { EndpointConfig, LogEntry, OutgoingEvent } from '../../src/callbacks/api.ts'
import { Endpoint } from '../../src/callbacks/endpoint.ts'
import { CALLBACK_PAUSES_MS, CALLBACK_TIMEOUT_MS, CALLBACKS_WAITING_MAX } from '../../src/callbacks/limits.ts'
import { newId } from '../../src/lib/ids.ts'
import { err, ok } from '../../src/lib/result.ts'
import type { GuardedFetch, Outgoing } from '../../src/net/fetch.ts'
import { guardedFetch } from '../../src/net/guarded-fetch.ts'
import { newSecret } from '../../src/webhooks/schemes/secret.ts'

const { port } = inject('hostile')
const HOUR = 3_600_000

/** A receiver with a clock that jumps from alarm to alarm. */
class Receiver {
  now = Date.parse('2030-01-01T00:00:00Z')
  answer: (request: Outgoing) => Promise<number | 'unreachable'> = async () => 200
  fetch: GuardedFetch | null = null
  readonly requests: { readonly at: number; readonly request: Outgoing }[] = []

  readonly ports = {
    now: () => this.now,
    randomFraction: () => 0,
    fetch: () => this.fetch ?? this.#fetch,
  }

  readonly #fetch: GuardedFetch = async (request) => {
    this.requests.push({ at: this.now, request })
    const status = await this.answer(request)
    if (status === 'unreachable')
      return err({ code: 'unreachable', detail: `${request.url} cannot be reached.`, sent: true })
    return ok({ status, url: request.url, headers: {}, body: new Uint8Array(), cut: false })
  }

  get ids(): readonly (string | undefined)[] {
    return this.requests.map(({ request }) => request.headers['webhook-id'])
  }
}

function config(more: Partial<EndpointConfig> = {}): EndpointConfig {
  return {
    id: newId('ep'),
    workspace: 'w',
    url: 'https://receiver.example.com/satchel',
    events: ['run.completed'],
    answer: false,
    secret: newSecret(),
    created_at: '2030-01-01T00:00:00.000Z',
    ...more,
  }
}

const event = (id = 'evt_1', url: string | null = null): OutgoingEvent => ({
  id,
  type: 'run.completed',
  url,
  body: '{"type":"run.completed","timestamp":"2030-01-01T00:00:00.000Z","data":{}}',
})

/** Runs the test inside a configured object, on its real storage. */
async function inside(
  receiver: Receiver,
  test: (object: Endpoint, state: DurableObjectState, made: EndpointConfig) => Promise<void>,
  made = config(),
): Promise<void> {
  await runInDurableObject(env.ENDPOINTS.getByName(`w/${made.id}`), async (_, state) => {
    const object = new Endpoint(state, env, receiver.ports)
    expect(await object.configure(made)).toMatchObject({ ok: true })
    await test(object, state, made)
    await state.storage.deleteAll()
  })
}

/** Lets every alarm fire that is set before `until`. */
async function pass(
  object: Endpoint,
  state: DurableObjectState,
  receiver: Receiver,
  until: number,
): Promise<void> {
  for (
    let next = await state.storage.getAlarm();
    next !== null && next <= until;
    next = await state.storage.getAlarm()
  ) {
    receiver.now = Math.max(receiver.now, next)
    await state.storage.deleteAlarm()
    await object.alarm()
  }
  receiver.now = until
}

async function logOf(object: Endpoint): Promise<readonly LogEntry[]> {
  const log = await object.log('w', { state: null, before: null, limit: 100 })
  return log.ok ? log.value : []
}

describe('an event', () => {
  it('is sent once to a receiver that answers, signed so that the library accepts it', async () => {
    const receiver = new Receiver()
    await inside(receiver, async (object, state, { secret, url }) => {
      await object.add('w', event())
      await object.add('w', event())
      await pass(object, state, receiver, receiver.now + HOUR)
      const [only, ...others] = receiver.requests
      expect(others).toEqual([])
      expect(only?.request.url).toBe(url)
      const { headers = {}, body } = only?.request ?? {}
      // verify() reads the system clock, so the same event is signed for now.
      const signature = new Webhook(secret).sign(
        'evt_1',
        new Date(Number(headers['webhook-timestamp']) * 1000),
        String(body),
      )
      expect(headers['webhook-signature']).toBe(signature)
      expect(await logOf(object)).toMatchObject([{ state: 'sent', attempts: 1, status: 200, problem: null }])
    })
  })

  it('reaches a receiver that was down for a day, under the same ID in each attempt', async () => {
    const receiver = new Receiver()
    const up = receiver.now + 24 * HOUR
    receiver.answer = async () => (receiver.now < up ? 'unreachable' : 204)
    await inside(receiver, async (object, state) => {
      await object.add('w', event())
      await pass(object, state, receiver, up + 24 * HOUR)
      expect(new Set(receiver.ids)).toEqual(new Set(['evt_1']))
      expect(await logOf(object)).toMatchObject([{ state: 'sent', attempts: receiver.requests.length }])
      expect(receiver.requests.length).toBe(9)
    })
  })

  it('is tried 11 times in 72 hours, then fails with its reason until it is sent again by hand', async () => {
    const receiver = new Receiver()
    receiver.answer = async () => 500
    const start = receiver.now
    await inside(receiver, async (object, state) => {
      await object.add('w', event())
      await pass(object, state, receiver, start + 96 * HOUR)
      const gaps = receiver.requests.map(({ at }, index) => at - (receiver.requests[index - 1]?.at ?? start))
      expect(gaps).toEqual([0, ...CALLBACK_PAUSES_MS])
      expect(gaps.reduce((sum, gap) => sum + gap) / HOUR).toBeCloseTo(72, 0)
      const [failed] = await logOf(object)
      expect(failed).toMatchObject({ state: 'failed', status: 500, problem: 'The receiver answered 500.' })
      receiver.answer = async () => 200
      expect(await object.replay('w', failed?.id ?? 0)).toMatchObject({
        ok: true,
        value: { state: 'waiting' },
      })
      await pass(object, state, receiver, receiver.now + HOUR)
      expect(await logOf(object)).toMatchObject([{ state: 'sent', attempts: 1 }])
      expect(new Set(receiver.ids)).toEqual(new Set(['evt_1']))
      expect(await object.replay('w', 99)).toMatchObject({ error: { code: 'not_found' } })
    })
  })

  it('is sent again after a crash between the response and its record', async () => {
    const receiver = new Receiver()
    await inside(receiver, async (object, state) => {
      await object.add('w', event())
      receiver.answer = () => new Promise(() => undefined)
      void object.alarm()
      receiver.answer = async () => 200
      // The next instance finds only the rows.
      await new Endpoint(state, env, receiver.ports).alarm()
      expect(receiver.ids).toEqual(['evt_1', 'evt_1'])
    })
  })

  it('for a callback goes to its own URL, as long as that is under the endpoint', async () => {
    const receiver = new Receiver()
    await inside(receiver, async (object, state) => {
      await object.add('w', event('evt_1', 'https://receiver.example.com/satchel/runs?x=1'))
      await object.add('w', event('evt_2', 'https://other.example.com/satchel'))
      await pass(object, state, receiver, receiver.now + HOUR)
      expect(receiver.requests.map(({ request }) => request.url)).toEqual([
        'https://receiver.example.com/satchel/runs?x=1',
      ])
      expect(await logOf(object)).toMatchObject([{ event_id: 'evt_2', state: 'failed' }, { state: 'sent' }])
    })
  })

  it('that waits follows the endpoint to a new address', async () => {
    const receiver = new Receiver()
    const callback = 'https://receiver.example.com/satchel/jobs/7'
    receiver.answer = async ({ url }) => (url.startsWith('https://new.example.com/') ? 200 : 503)
    await inside(receiver, async (object, state) => {
      await object.add('w', event('evt_1'))
      await object.add('w', event('evt_2', callback))
      await pass(object, state, receiver, receiver.now)
      expect(await object.change('w', { url: 'https://new.example.com/in' })).toMatchObject({ ok: true })
      await pass(object, state, receiver, receiver.now + HOUR)
      const states = (await logOf(object)).map(({ event_id, url, state: at }) => `${event_id} ${at} ${url}`)
      expect(states.toSorted()).toEqual(['evt_1 sent https://new.example.com/in', `evt_2 failed ${callback}`])
    })
  })

  it('is logged as sent even if another one disabled the endpoint meanwhile', async () => {
    const receiver = new Receiver()
    const gone = Promise.withResolvers<void>()
    await inside(receiver, async (object, state) => {
      receiver.answer = async ({ headers }) => {
        if (headers['webhook-id'] === 'evt_1') return 410
        await gone.promise
        return 200
      }
      await object.add('w', event('evt_1'))
      await object.add('w', event('evt_2'))
      const passing = pass(object, state, receiver, receiver.now)
      await expect
        .poll(async () => (await object.view('w')) as object)
        .toMatchObject({ value: { disabled: expect.stringContaining('410') } })
      gone.resolve()
      await passing
      const states = (await logOf(object)).map(({ event_id, state: at }) => `${event_id} ${at}`)
      expect(states.toSorted()).toEqual(['evt_1 failed', 'evt_2 sent'])
    })
  })

  it('waits, and is not counted as tried, while the signing secret cannot be read', async () => {
    const receiver = new Receiver()
    await inside(receiver, async (object, state, made) => {
      const { sql } = state.storage
      const { sealed } = sql.exec<{ sealed: string }>('SELECT sealed FROM endpoint').one()
      await object.add('w', event())
      sql.exec("UPDATE endpoint SET sealed = 'damaged'")
      await pass(object, state, receiver, receiver.now + 6 * HOUR)
      expect(await logOf(object)).toMatchObject([
        { state: 'waiting', attempts: 0, problem: expect.stringContaining('ENCRYPTION_KEY') },
      ])
      expect(await object.view('w')).toMatchObject({ value: { id: made.id, disabled: null } })
      sql.exec('UPDATE endpoint SET sealed = ?', sealed)
      await pass(object, state, receiver, receiver.now + HOUR)
      expect(await logOf(object)).toMatchObject([{ state: 'sent' }])
    })
  })

  it('beyond the limit of waiting ones is only logged', async () => {
    const receiver = new Receiver()
    await inside(receiver, async (object, state) => {
      state.storage.sql.exec(
        `INSERT INTO log (event_id, type, url, body, state, created_at, next_attempt_at)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         SELECT 'evt_' || i, 'run.completed', '', '{}', 'waiting', 0, ? FROM n`,
        CALLBACKS_WAITING_MAX,
        receiver.now + HOUR,
      )
      await object.add('w', event('evt_more'))
      expect((await logOf(object))[0]).toMatchObject({ event_id: 'evt_more', state: 'skipped' })
    })
  })
})

describe('an endpoint', () => {
  it('is disabled by 410 at once, sends nothing more, and says why; an admin can enable it again', async () => {
    const receiver = new Receiver()
    receiver.answer = async () => 410
    await inside(receiver, async (object, state) => {
      await object.add('w', event())
      await pass(object, state, receiver, receiver.now + HOUR)
      await object.add('w', event('evt_2'))
      await pass(object, state, receiver, receiver.now + 96 * HOUR)
      expect(receiver.requests.length).toBe(1)
      const disabled = 'The receiver answered 410 (gone).'
      expect(await object.view('w')).toMatchObject({ value: { disabled } })
      const [skipped, failed] = await logOf(object)
      expect([skipped, failed]).toMatchObject([{ state: 'skipped', problem: disabled }, { state: 'failed' }])
      expect(await object.replay('w', skipped?.id ?? 0)).toMatchObject({ error: { code: 'invalid_request' } })
      receiver.answer = async () => 200
      expect(await object.change('w', { disabled: false })).toMatchObject({ value: { disabled: null } })
      expect(await object.replay('w', skipped?.id ?? 0)).toMatchObject({ ok: true })
      await pass(object, state, receiver, receiver.now + HOUR)
      expect((await logOf(object))[0]).toMatchObject({ event_id: 'evt_2', state: 'sent' })
    })
  })

  it('is disabled after five days in which every attempt failed, but not if one succeeded', async () => {
    for (const recovers of [false, true]) {
      const receiver = new Receiver()
      const start = receiver.now
      receiver.answer = async ({ headers }) => (recovers && headers['webhook-id'] === 'evt_4' ? 200 : 503)
      await inside(receiver, async (object, state) => {
        for (let day = 0; day < 7; day += 1) {
          await object.add('w', event(`evt_${day}`))
          await pass(object, state, receiver, start + (day + 1) * 24 * HOUR)
        }
        const view = await object.view('w')
        expect(view).toMatchObject({ value: { failing_since: expect.any(String) } })
        if (recovers) expect(view).toMatchObject({ value: { disabled: null } })
        else {
          expect(view).toMatchObject({ value: { disabled: expect.stringContaining('2030-01-01') } })
          expect(await logOf(object)).toMatchObject([
            { state: 'skipped' },
            { state: 'failed' },
            {},
            {},
            {},
            {},
            {},
          ])
        }
      })
    }
  })

  it('signs with both secrets while they overlap', async () => {
    const receiver = new Receiver()
    await inside(receiver, async (object, state, { secret: old }) => {
      const rotated = await object.rotate('w', null, 3600)
      const secret = rotated.ok ? rotated.value.secret : ''
      for (const id of ['evt_1', 'evt_2']) {
        await object.add('w', event(id))
        await pass(object, state, receiver, receiver.now + 2 * HOUR)
      }
      const signatures = receiver.requests.map(({ at, request: { headers, body } }) => ({
        given: headers['webhook-signature'],
        both: [secret, old].map((one) =>
          new Webhook(one).sign(String(headers['webhook-id']), new Date(at), String(body)),
        ),
      }))
      expect(signatures[0]?.given).toBe(signatures[0]?.both.join(' '))
      expect(signatures[1]?.given).toBe(signatures[1]?.both[0])
      expect(JSON.stringify(await object.view('w'))).not.toContain(secret)
      expect(await object.rotate('w', 'short', 0)).toMatchObject({ error: { code: 'invalid_request' } })
    })
  })

  it('of another workspace, or that was removed, does not exist', async () => {
    const receiver = new Receiver()
    await inside(receiver, async (object, state) => {
      const unknown = { ok: false, error: { code: 'not_found', detail: 'There is no such endpoint.' } }
      expect(await object.view('other')).toEqual(unknown)
      expect(await object.add('other', event())).toEqual(unknown)
      await object.add('w', event())
      expect(await object.remove('w')).toEqual({ ok: true, value: null })
      await object.alarm()
      expect(await object.view('w')).toEqual(unknown)
      expect(await object.add('w', event())).toEqual(unknown)
      expect(await state.storage.getAlarm()).toBeNull()
      expect(receiver.requests).toEqual([])
    })
  })
})

describe('a hostile receiver', () => {
  const here = `127.0.0.1:${port}`
  const plain: typeof fetch = (...args) => fetch(...args)
  const net = guardedFetch({
    policy: async () => ok({ allowHosts: [], denyHosts: [], privateHosts: [here] }),
    fetch: { public: plain, private: plain },
    userAgent: 'test',
  })

  it.each([
    [
      'redirects to a private address',
      `http://${here}/redirect?to=http://${here}/inside`,
      /does not follow redirects/,
    ],
    ['is a private address', 'https://10.0.0.1/x', /private/],
    ['answers endlessly', `http://${here}/big`, null],
    ['never answers', `http://${here}/silent`, /time|respond/],
  ])('that %s gets nothing more and costs bounded time', async (_, url, problem) => {
    const receiver = new Receiver()
    // Waits less than the documented time for the receiver that never answers.
    const timeoutMs = url.endsWith('/silent') ? 1_000 : 20_000
    receiver.fetch = (request, terms) => {
      expect(terms.timeoutMs).toBe(CALLBACK_TIMEOUT_MS)
      return net(request, { ...terms, timeoutMs })
    }
    await inside(
      receiver,
      async (object, state) => {
        await object.add('w', event())
        await pass(object, state, receiver, receiver.now)
        const [entry] = await logOf(object)
        expect(entry).toMatchObject({ attempts: 1 })
        if (problem === null) expect(entry?.state).toBe('sent')
        else expect(entry?.problem).toMatch(problem)
      },
      config({ url }),
    )
  })
})
