// Guards webhooks from the raw bytes on: a genuine delivery makes one run and is answered before any model call, any
// other delivery makes nothing and learns nothing.

import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DELIVERY_QUEUE } from '../../src/api/admission/limits.ts'
import { servePushedBuild } from '../../src/skills/current-build.ts'
import { indexObjects } from '../../src/skills/store/index-objects.ts'
import { indexKey } from '../../src/skills/store/keys.ts'
import { newSecret } from '../../src/webhooks/schemes/secret.ts'
import { WEBHOOK_BODY_MAX_BYTES } from '../../src/limits/requests.ts'
import type { Message } from '../../src/agent/message.ts'
import {
  requested,
  eventsOf,
  foreignKey,
  got,
  makeKey,
  modelReplies,
  refused,
  send,
  serveSkills,
} from './api-fixture.ts'
import { BODY, completed, deliver, deliveries, makeHook, signed } from './hook-requests.ts'
import type { Accepted, Delivery, Made } from './hook-requests.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

beforeAll(() => serveSkills([{ name: 'alpha' }]))
beforeEach(() => modelReplies())

describe('a genuine delivery', () => {
  it('is answered 202 before any model call, and its run exists and completes', async () => {
    const gate = Promise.withResolvers<void>()
    modelReplies(() => ({ text: 'Seen.', until: gate.promise }))
    const hook = await makeHook()
    const accepted = await got<Accepted>(deliver(hook, signed(hook.secret, 'msg_1')), 202)
    expect(accepted).toEqual({
      delivery_id: expect.stringMatching(/^dl_/),
      thread_id: expect.stringMatching(/^th_/),
      run_id: expect.stringMatching(/^run_/),
    })
    gate.resolve()
    await completed(accepted)
    const messages = await got<{ data: Message[] }>(send(`GET /v1/threads/${accepted.thread_id}/messages`))
    expect(messages.data.map((message) => message.content)).toEqual([
      [{ type: 'text', text: 'An alert: <webhook_payload>Disk full</webhook_payload>' }],
      [{ type: 'text', text: 'Seen.' }],
    ])
    expect(await deliveries(hook)).toEqual([
      {
        order: 1,
        id: accepted.delivery_id,
        webhook_id: 'msg_1',
        state: 'started',
        thread_id: accepted.thread_id,
        run_id: accepted.run_id,
        reason: null,
        received_at: expect.stringMatching(/Z$/),
        settled_at: expect.stringMatching(/Z$/),
        next_attempt_at: null,
        tries: 1,
        mismatches: 0,
        original_id: null,
        replays: [],
        reply: null,
        kept_bytes: expect.any(Number),
      },
    ])
  })

  it('makes one run when it arrives fifty times at once and after a restart, with the same answer each time', async () => {
    const hook = await makeHook()
    const delivery = signed(hook.secret, 'msg_1')
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => got<Accepted>(deliver(hook, delivery), 202)),
    )
    const [first] = answers
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    if (first) await completed(first)
    await evictDurableObject(env.HOOKS.getByName(hook.id))
    expect(await got<Accepted>(deliver(hook, signed(hook.secret, 'msg_1')), 202)).toEqual(first)
    expect(requested).toHaveLength(1)
    expect(await deliveries(hook)).toHaveLength(1)
  })

  it('of one hook takes at most half of the slots, so that those of others are accepted', async () => {
    const [busy, other] = [await makeHook(), await makeHook()]
    const gate = Promise.withResolvers<void>()
    let begun = 0
    const HOOKS = {
      getByName: (id: string) => ({
        deliverAll: async (batch: readonly unknown[]) => {
          if (id === busy.id) {
            begun++
            await gate.promise
          }
          return batch.map(() => ({ ok: true, value: { delivery_id: 'dl', thread_id: 'th', run_id: 'run' } }))
        },
      }),
    } as unknown as DurableObjectNamespace
    const from = ({ url, secret }: Made, at: number): Promise<Response> => {
      const { body, headers } = signed(secret, `msg_${at}`)
      return send(`POST ${url}`, { key: null, body, headers, env: { HOOKS } })
    }
    const all = Array.from({ length: DELIVERY_QUEUE.requestsMaxPerKey + 1 }, (_, at) => from(busy, at))
    expect((await from(other, 0)).status).toBe(202)
    expect(begun).toBe(DELIVERY_QUEUE.concurrency / 2)
    gate.resolve()
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })

  it('under a known ID with another body is refused', async () => {
    const hook = await makeHook()
    await got(deliver(hook, signed(hook.secret, 'msg_1')), 202)
    await refused(deliver(hook, signed(hook.secret, 'msg_1', '{"title":"Other"}')), 409, 'delivery_mismatch')
  })

  it('of a hook with one thread joins that thread, which its owner may read', async () => {
    const hook = await makeHook({ thread: 'one', user: 'ann' })
    const one = await got<Accepted>(deliver(hook, signed(hook.secret, 'msg_1')), 202)
    const two = await got<Accepted>(deliver(hook, signed(hook.secret, 'msg_2')), 202)
    expect(two.thread_id).toBe(one.thread_id)
    expect(two.run_id).not.toBe(one.run_id)
    await completed(one)
    await completed(two)
    const ann = (await makeKey('chat', 'ann')).key
    const ben = (await makeKey('chat', 'ben')).key
    await got(send(`GET /v1/threads/${one.thread_id}`, { key: ann }))
    await refused(send(`GET /v1/threads/${one.thread_id}`, { key: ben }), 404, 'not_found')
  })

  it('of another workspace runs there', async () => {
    const key = await foreignKey('hooked')
    const hook = await makeHook({}, key)
    const accepted = await got<Accepted>(deliver(hook, signed(hook.secret, 'msg_1')), 202)
    await eventually(
      async () => (await send(`GET /v1/threads/${accepted.thread_id}`, { key })).status === 200,
    )
    await refused(send(`GET /v1/threads/${accepted.thread_id}`), 404, 'not_found')
    await refused(send(`GET /admin/hooks/${hook.id}`), 404, 'not_found')
  })
})

/** Each entry turns a genuine delivery into a forged one. */
const FORGED: Readonly<Record<string, (hook: Made) => Delivery>> = {
  'with one bit flipped': ({ secret }) => ({ ...signed(secret, 'm'), body: BODY.replace('D', 'E') }),
  'with an additional line break': ({ secret }) => ({ ...signed(secret, 'm'), body: `${BODY}\n` }),
  'ten minutes old': ({ secret }) => signed(secret, 'm', BODY, 600),
  'ten minutes ahead': ({ secret }) => signed(secret, 'm', BODY, -600),
  unsigned: () => ({ body: BODY, headers: {} }),
  'signed with another secret': () => signed(newSecret(), 'm'),
  'signed for another ID': ({ secret }) => {
    const one = signed(secret, 'm')
    return { ...one, headers: { ...one.headers, 'webhook-id': 'n' } }
  },
  'with another time than the signed one': ({ secret }) => {
    const one = signed(secret, 'm')
    const time = String(Number(one.headers['webhook-timestamp']) - 1)
    return { ...one, headers: { ...one.headers, 'webhook-timestamp': time } }
  },
  ...Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].flatMap((header) =>
      ['', 'x', '1e9'].map((text) => [
        `with ${header} ${JSON.stringify(text)}`,
        ({ secret }: Made) => {
          const one = signed(secret, 'm')
          return { ...one, headers: { ...one.headers, [header]: text } }
        },
      ]),
    ),
  ),
}

describe('a delivery that is not genuine', () => {
  it.each(Object.keys(FORGED))('%s is refused with one generic text, and leaves nothing', async (name) => {
    const hook = await makeHook()
    const forged = FORGED[name]?.(hook)
    if (!forged) throw new Error('no such forgery')
    const problem = await refused(deliver(hook, forged), 401, 'unauthenticated')
    expect(problem.detail).toBe('The delivery could not be verified.')
    expect(await deliveries(hook)).toEqual([])
    expect(requested).toHaveLength(0)
  })

  it("is refused even with an admin's key", async () => {
    const hook = await makeHook()
    await refused(send(`POST ${hook.url}`, { body: BODY }), 401, 'unauthenticated')
  })

  it('that is too large is refused before it is verified', async () => {
    const hook = await makeHook()
    const delivery = signed(hook.secret, 'm', `"${'x'.repeat(2 * WEBHOOK_BODY_MAX_BYTES)}"`)
    await refused(deliver(hook, delivery), 413, 'too_large')
    expect(await deliveries(hook)).toEqual([])
  })

  it('to a missing hook looks the same for every ID', async () => {
    const hook = await makeHook()
    const ids = [`hk_default_${'0'.repeat(36)}`, `hk_nowhere_${'0'.repeat(36)}`, 'nonsense', `${hook.id}x`]
    const problems = await Promise.all(
      ids.map((id) =>
        refused(deliver({ ...hook, url: `/hooks/${id}` }, signed(hook.secret, 'm')), 404, 'not_found'),
      ),
    )
    expect(new Set(problems.map((problem) => problem.detail)).size).toBe(1)
  })
})

describe('a delivery of a hook that was deleted before its run began', () => {
  it('ends as a failed run under the promised IDs', async () => {
    const hook = await makeHook({ user: 'ann' })
    // The build's skills were never pushed, so the delivery waits.
    servePushedBuild('f'.repeat(64))
    const promised = await got<Accepted>(deliver(hook, signed(hook.secret, 'msg_1')), 202)
    await eventually(async () => (await deliveries(hook))[0]?.reason?.startsWith('not_ready') === true)
    expect((await send(`DELETE /admin/hooks/${hook.id}`)).status).toBe(204)
    await refused(send(`GET /admin/hooks/${hook.id}`), 404, 'not_found')
    await refused(send(`DELETE /admin/hooks/${hook.id}`), 404, 'not_found')
    const key = (await makeKey('chat', 'ann')).key
    const line = `GET /v1/threads/${promised.thread_id}/runs/${promised.run_id}`
    await eventually(async () => (await send(line, { key })).status === 200)
    expect(await got(send(line, { key }))).toMatchObject({
      status: 'failed',
      error: { code: 'internal', detail: 'The run could not be started. The hook was deleted.' },
    })
    await serveSkills([{ name: 'alpha' }])
  })
})

describe('a delivery to a thread whose model was removed', () => {
  it('ends as a failed run at once, and does not block later ones', async () => {
    const hook = await makeHook({ thread: 'one', user: 'ann' })
    const first = await got<Accepted>(deliver(hook, signed(hook.secret, 'msg_1')), 202)
    await completed(first)
    await runInDurableObject(env.THREADS.getByName(`default/${first.thread_id}`), (_, { storage }) => {
      storage.sql.exec("UPDATE thread SET model = 'a-model-that-is-gone'")
    })
    await evictDurableObject(env.THREADS.getByName(`default/${first.thread_id}`))
    for (const id of ['msg_2', 'msg_3']) await got(deliver(hook, signed(hook.secret, id)), 202)
    await eventually(async () => (await deliveries(hook)).every(({ state }) => state !== 'recorded'))
    const key = (await makeKey('chat', 'ann')).key
    for (const { run_id, state, tries } of (await deliveries(hook)).slice(0, 2)) {
      expect([state, tries]).toEqual(['dead', 1])
      expect(await got(send(`GET /v1/threads/${first.thread_id}/runs/${run_id}`, { key }))).toMatchObject({
        status: 'failed',
        error: {
          detail: expect.stringMatching(/prefix_frozen: .*a-model-that-is-gone.*create another hook/s),
        },
      })
    }
  })
})

describe('a delivery whose run can never be started', () => {
  it('ends as a failed run under the promised IDs, and the next one in that thread runs', async () => {
    const hook = await makeHook({ thread: 'one', user: 'ann' })
    const { address } = await indexObjects({ format: 1, skills: [] })
    await env.SKILLS.put(indexKey(address), 'damaged')
    servePushedBuild(address)
    const promised = await got<Accepted>(deliver(hook, signed(hook.secret, 'msg_1')), 202)
    const stub = env.HOOKS.getByName(hook.id)
    await eventually(async () => {
      await runInDurableObject(stub, (_, { storage }) => {
        storage.sql.exec("UPDATE deliveries SET next_try_at = 0 WHERE state = 'recorded'")
      })
      await runDurableObjectAlarm(stub)
      return (await deliveries(hook))[0]?.state === 'dead'
    })
    const ann = (await makeKey('chat', 'ann')).key
    const at = `/v1/threads/${promised.thread_id}`
    const run = await got(send(`GET ${at}/runs/${promised.run_id}`, { key: ann }))
    expect(run).toMatchObject({
      run_id: promised.run_id,
      status: 'failed',
      stop_reason: 'internal',
      error: { code: 'internal', detail: expect.stringMatching(/could not be started\. catalog_broken: /) },
    })
    expect(await got(send(`GET ${at}`, { key: ann }))).toMatchObject({
      status: 'idle',
      title: expect.any(String),
    })
    const events = await eventsOf(await send(`GET ${at}/runs/${promised.run_id}/events`, { key: ann }))
    expect(events.map(({ type }) => type)).toEqual(['run.accepted', 'thread.titled', 'run.failed'])
    expect(requested).toHaveLength(0)

    await serveSkills([{ name: 'alpha', description: 'Use for alpha things.' }])
    const next = await got<Accepted>(deliver(hook, signed(hook.secret, 'msg_2')), 202)
    expect(next.thread_id).toBe(promised.thread_id)
    await completed(next)
    // The thread's prefix is like any other: created when its first run began.
    expect(requested[0]?.system).toContain('alpha')
    expect(requested[0]?.tools.map(({ name }) => name)).toContain('load_skill')
  })
})
