// Guards the limits on expensive work of one key: requests per minute and concurrent requests. Beyond them a request is
// refused with a retry time, and other keys are served.

import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  ARCHIVE_QUEUE,
  DIFF_QUEUE,
  FILE_WRITE_QUEUE,
  HISTORY_QUEUE,
  MATCH_QUEUE,
  WORKSPACE_QUEUE,
} from '../../src/api/admission/limits.ts'
import { newHookId } from '../../src/webhooks/hook-id.ts'
import { makeKey, publish, refused, send, serveSkills, skillFolderOf } from './api-fixture.ts'

beforeAll(() => serveSkills([{ name: 'invoice-reader', description: 'Extract totals from invoices.' }]))

/** A limiter that refuses everything, and records the keys that it was asked about. */
function closed(): RateLimit & { readonly keys: string[] } {
  const requested: string[] = []
  return {
    keys: requested,
    limit: async ({ key }) => {
      requested.push(key)
      return { success: false }
    },
  }
}

const open: RateLimit = { limit: async () => ({ success: true }) }

describe('many concurrent skill matches', () => {
  it('by one key are refused beyond a limit with a retry time, while another key is answered', async () => {
    const [busy, other] = await Promise.all([makeKey('chat'), makeKey('chat')])
    const ask = (key: string): Promise<Response> =>
      send('POST /v1/skills/match', { key, body: { text: 'ﷺ'.repeat(8_000) }, env: { MATCH_RATE: open } })
    const all = Array.from({ length: 400 }, () => ask(busy.key))
    const mine = ask(other.key)
    const answers = await Promise.all(all)
    const served = answers.filter(({ status }) => status === 200)
    const turnedAway = answers.filter(({ status }) => status === 429)
    expect(served.length + turnedAway.length).toBe(400)
    expect(served.length).toBeGreaterThan(0)
    expect(served.length).toBeLessThanOrEqual(2 * MATCH_QUEUE.requestsMaxPerKey)
    for (const { headers } of turnedAway) expect(headers.get('Retry-After')).toBe('2')
    expect((await mine).status).toBe(200)
    expect((await ask(busy.key)).status).toBe(200)
  })
})

it('matches whose bodies do not arrive hold no slot', async () => {
  const { key } = await makeKey('chat')
  const ends: (() => void)[] = []
  const stalled = Array.from({ length: 2 * MATCH_QUEUE.concurrency }, () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"text":"tot'))
        ends.push(() => controller.close())
      },
    })
    return send('POST /v1/skills/match', { key, body, env: { MATCH_RATE: open } })
  })
  const { key: other } = await makeKey('chat')
  const ask = { key: other, body: { text: 'totals of an invoice' }, env: { MATCH_RATE: open } }
  expect((await send('POST /v1/skills/match', ask)).status).toBe(200)
  for (const end of ends) end()
  for (const answer of await Promise.all(stalled)) expect(answer.status).toBe(400)
})

describe('many concurrent comparisons of versions', () => {
  it('by one key are refused beyond a limit with a retry time, while another key is answered', async () => {
    const [busy, other] = await Promise.all([makeKey('publisher'), makeKey('publisher')])
    for (const body of ['Old.', 'New.']) await publish({ name: 'compared', body })
    const ask = (key: string): Promise<Response> =>
      send('GET /admin/skills/compared/diff', { key, env: { TRIAL_RATE: open } })
    const all = Array.from({ length: 40 }, () => ask(busy.key))
    const mine = ask(other.key)
    const answers = await Promise.all(all)
    const turnedAway = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 200).length).toBe(40 - turnedAway.length)
    expect(turnedAway.length).toBeGreaterThan(0)
    expect(turnedAway.length).toBeLessThanOrEqual(40 - DIFF_QUEUE.requestsMaxPerKey)
    for (const { headers } of turnedAway) expect(headers.get('Retry-After')).toBe('2')
    expect((await mine).status).toBe(200)
    expect((await ask(busy.key)).status).toBe(200)
  })
})

describe('many concurrent lists of threads', () => {
  it('by one key run two at a time, so that the workspace answers others', async () => {
    const [busy, other] = await Promise.all([makeKey('chat'), makeKey('chat')])
    const gate = Promise.withResolvers<void>()
    const requested: (string | null)[] = []
    const none = { ok: true, value: { data: [], next_cursor: null } }
    const listThreads = async (owner: string | null): Promise<object> => {
      requested.push(owner)
      if (owner === `key:${busy.id}`) await gate.promise
      return none
    }
    const real = env.WORKSPACES
    const WORKSPACES = {
      getByName: (name: string) =>
        new Proxy(real.getByName(name), {
          get: (of, key) => (key === 'listThreads' ? listThreads : Reflect.get(of, key)),
        }),
    } as unknown as DurableObjectNamespace
    const ask = (key: string): Promise<Response> => send('GET /v1/threads', { key, env: { WORKSPACES } })
    const all = Array.from({ length: WORKSPACE_QUEUE.requestsMaxPerKey + 10 }, () => ask(busy.key))
    expect((await ask(other.key)).status).toBe(200)
    expect(requested.filter((owner) => owner === `key:${busy.id}`)).toHaveLength(2)
    gate.resolve()
    const answers = (await Promise.all(all)).map(({ status }) => status)
    expect(answers.filter((status) => status === 200)).toHaveLength(WORKSPACE_QUEUE.requestsMaxPerKey)
    expect(answers.filter((status) => status === 429)).toHaveLength(10)
  })
})

describe('many concurrent small uploads', () => {
  it('by one key leave others a slot, and are counted separately from messages', async () => {
    const [busy, other] = await Promise.all([makeKey('chat'), makeKey('chat')])
    const gate = Promise.withResolvers<void>()
    let begun = 0
    const putFiles = async ({ keyId }: { readonly keyId: string }): Promise<object> => {
      if (keyId === busy.id) {
        begun++
        await gate.promise
      }
      return { ok: true, value: [{ created: false, sha256: 'a'.repeat(64), href: '/' }] }
    }
    const THREADS = { getByName: () => ({ putFiles }) } as unknown as DurableObjectNamespace
    const put = (key: string, more = {}): Promise<Response> =>
      send(`PUT /v1/threads/th_${'a'.repeat(24)}/files/uploads/a`, {
        key,
        body: {},
        env: { THREADS, ...more },
      })
    const all = Array.from({ length: FILE_WRITE_QUEUE.concurrency + 2 }, () => put(busy.key))
    expect((await put(other.key)).status).toBe(200)
    expect(begun).toBe(FILE_WRITE_QUEUE.concurrency / 2)
    gate.resolve()
    for (const { status } of await Promise.all(all)) expect(status).toBe(200)
    const CHAT_RATE = closed()
    expect((await put(other.key, { CHAT_RATE })).status, 'is counted behind').toBe(200)
    await expect.poll(() => CHAT_RATE.keys.length).toBe(1)
    await refused(put(other.key, { CHAT_RATE }), 429, 'rate_limited')
  })
})

describe('many concurrent archives', () => {
  it('of one key are packed one after another, each until it is read; another key has its own slot', async () => {
    const [busy, other] = await Promise.all([makeKey('publisher'), makeKey('publisher')])
    await publish({ name: 'packed', body: 'To take away.' })
    const ask = (key: string): Promise<Response> =>
      send('GET /admin/skills/packed/archive', { key, env: { TRIAL_RATE: open } })
    // Its body is never read.
    const first = await ask(busy.key)
    expect(first.status).toBe(200)
    const begun: Response[] = []
    const rest = Array.from({ length: ARCHIVE_QUEUE.requestsMaxPerKey + 1 }, async () => {
      const answer = await ask(busy.key)
      if (answer.status === 200) begun.push(answer)
      return answer
    })
    const theirs = await ask(other.key)
    expect((await theirs.arrayBuffer()).byteLength).toBeGreaterThan(0)
    expect(begun).toHaveLength(0)
    await first.body?.cancel()
    const statuses: number[] = []
    for (const answer of rest) {
      const { status, body } = await answer
      statuses.push(status)
      await new Response(body).arrayBuffer()
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(ARCHIVE_QUEUE.requestsMaxPerKey - 1)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  })
})

describe('many concurrent pages of messages', () => {
  it('by one key run two at a time, so that others get theirs', async () => {
    const [busy, other] = await Promise.all([makeKey('chat'), makeKey('chat')])
    const gate = Promise.withResolvers<void>()
    let requested = 0
    const messages = async ({ keyId }: { readonly keyId: string }): Promise<object> => {
      if (keyId === busy.id) {
        requested++
        await gate.promise
      }
      return { ok: true, value: { data: [], next_cursor: null } }
    }
    const THREADS = {
      getByName: () => ({ messages, receipts: messages }),
    } as unknown as DurableObjectNamespace
    const ask = (key: string, list: string): Promise<Response> =>
      send(`GET /v1/threads/th_${'a'.repeat(24)}/${list}`, { key, env: { THREADS } })
    const all = Array.from({ length: HISTORY_QUEUE.requestsMaxPerKey + 10 }, (_, at) =>
      ask(busy.key, at % 2 === 0 ? 'messages' : 'runs'),
    )
    expect((await ask(other.key, 'messages')).status).toBe(200)
    expect(requested).toBe(2)
    gate.resolve()
    const answers = (await Promise.all(all)).map(({ status }) => status)
    expect(answers.filter((status) => status === 200)).toHaveLength(HISTORY_QUEUE.requestsMaxPerKey)
    expect(answers.filter((status) => status === 429)).toHaveLength(10)
  })
})

describe('requests per minute', () => {
  const TEXT = { text: 'totals of an invoice' }

  it('are limited for each key and kind: matches, changes and dry runs are counted separately', async () => {
    const key = await makeKey('publisher')
    const { key: other } = await makeKey('publisher')
    const budgetLimits = { MATCH_RATE: closed(), CHANGE_RATE: closed(), TRIAL_RATE: closed() }
    const body = skillFolderOf({ name: 'counted', description: 'Counted.' })
    const asks = [
      ['POST /v1/skills/match', TEXT, 'MATCH_RATE'],
      ['POST /admin/skills?dry_run=1', body, 'TRIAL_RATE'],
      ['POST /admin/skills', body, 'CHANGE_RATE'],
    ] as const
    for (const [line, sent, budgetLimit] of asks) {
      const ask = (by: string): Promise<Response> => send(line, { key: by, body: sent, env: budgetLimits })
      expect((await ask(key.key)).status, 'is counted behind').toBeLessThan(300)
      await expect.poll(() => budgetLimits[budgetLimit].keys.length).toBe(1)
      const response = await ask(key.key)
      expect(response.headers.get('Retry-After')).toBe('10')
      await refused(Promise.resolve(response), 429, 'rate_limited')
      expect((await ask(other)).status, 'another key').toBeLessThan(300)
      await expect.poll(() => budgetLimits[budgetLimit].keys.length).toBe(2)
    }
    for (const { keys: requested } of Object.values(budgetLimits)) expect(requested).toHaveLength(2)
  })

  it('limit decisions on approvals, before their bodies are read', async () => {
    const { key } = await makeKey('chat')
    const MATCH_RATE = closed()
    const line = `POST /v1/threads/th_${'a'.repeat(24)}/runs/run_${'a'.repeat(24)}/approvals/t1`
    const ask = (): Promise<Response> => send(line, { key, body: { decision: 'deny' }, env: { MATCH_RATE } })
    expect((await ask()).status, 'is counted behind').toBe(404)
    await expect.poll(() => MATCH_RATE.keys.length).toBe(1)
    await refused(ask(), 429, 'rate_limited')
  })

  it('limit forks, separately from messages', async () => {
    const { key } = await makeKey('chat')
    const FORK_RATE = closed()
    const line = `POST /v1/threads/th_${'a'.repeat(24)}/fork`
    const body = { message_id: `msg_${'a'.repeat(24)}` }
    const ask = (): Promise<Response> => send(line, { key, body, env: { FORK_RATE } })
    expect((await ask()).status, 'is counted behind').toBe(404)
    await expect.poll(() => FORK_RATE.keys.length).toBe(1)
    await refused(ask(), 429, 'rate_limited')
  })

  it.each([
    ['GET /v1/skills', 'CHAT_RATE'],
    ['GET /v1/skills/none', 'CHAT_RATE'],
    ['GET /v1/tools', 'CHAT_RATE'],
    ['GET /admin/skills', 'CHAT_RATE'],
    ['GET /admin/catalog', 'CHAT_RATE'],
    ['GET /admin/skills/none/archive', 'TRIAL_RATE'],
    ['GET /readyz', 'DISCOVERY_RATE'],
  ])('limit %s, which asks the catalog as messages do', async (line, limiter) => {
    const { key } = await makeKey('publisher')
    const rate = closed()
    // A separate address, so that no other test is refused.
    const headers = { 'CF-Connecting-IP': `192.0.2.${line.length}` }
    const ask = (): Promise<Response> => send(line, { key, headers, env: { [limiter]: rate } })
    expect((await ask()).status, 'is counted behind').not.toBe(429)
    await expect.poll(() => rate.keys.length).toBe(1)
    await refused(ask(), 429, 'rate_limited')
  })

  it.each([
    ['GET /v1/threads', undefined, 1],
    ['GET /v1/approvals', undefined, 1],
    [`PATCH /v1/threads/th_${'a'.repeat(24)}`, { title: 'Other' }, 1],
    // Its record in the audit counts as well.
    [`DELETE /v1/threads/th_${'a'.repeat(24)}`, undefined, 2],
  ])('limit %s, separately from messages', async (line, body, count) => {
    const { key } = await makeKey('chat')
    const CHAT_RATE = closed()
    const ask = (): Promise<Response> => send(line, { key, body, env: { CHAT_RATE } })
    expect((await ask()).status, 'is counted behind').not.toBe(429)
    await expect.poll(() => CHAT_RATE.keys.length).toBe(count)
    expect(CHAT_RATE.keys[0]).toMatch(/^workspace /)
    await refused(ask(), 429, 'rate_limited')
  })

  it('of a hook are counted by its object: once it refuses one, no more are read, and another hook is answered', async () => {
    const [busy, other] = await Promise.all([1, 2].map(() => newHookId('default', env.ID_SECRET ?? '')))
    const answers = {
      accepted: { ok: true, value: { delivery_id: 'dl', thread_id: 'th', run_id: 'run' } },
      forged: { ok: false, error: { code: 'unauthenticated', detail: 'No.' } },
      full: { ok: false, error: { code: 'rate_limited', detail: 'Too many.', retryAfterS: 10 } },
    }
    const called: string[] = []
    const answerTo = { [busy ?? '']: answers.forged, [other ?? '']: answers.accepted }
    const getByName = (id: string): object => ({
      deliverAll: async (batch: readonly unknown[]) => {
        called.push(id)
        return batch.map(() => answerTo[id])
      },
    })
    const HOOKS = { getByName } as unknown as DurableObjectNamespace
    const headers = { 'CF-Connecting-IP': '192.0.2.77' }
    const from = (hook = ''): Promise<Response> =>
      send(`POST /hooks/${hook}`, { key: null, body: {}, headers, env: { HOOKS } })
    await refused(from(busy), 401, 'unauthenticated')
    answerTo[busy ?? ''] = answers.full
    await refused(from(busy), 429, 'rate_limited')
    const late = await from(busy)
    expect(late.headers.get('Retry-After')).toBe('10')
    await refused(Promise.resolve(late), 429, 'rate_limited')
    expect(called).toEqual([busy, busy])
    expect((await from(other)).status).toBe(202)
  })

  it('limit comparisons of versions', async () => {
    const { key } = await makeKey('publisher')
    const TRIAL_RATE = closed()
    const ask = (): Promise<Response> =>
      send('GET /admin/skills/invoice-reader/diff', { key, env: { TRIAL_RATE } })
    expect((await ask()).status, 'is counted behind').toBe(200)
    await expect.poll(() => TRIAL_RATE.keys.length).toBe(1)
    await refused(ask(), 429, 'rate_limited')
  })

  it.each([
    ['PATCH /admin/skills/invoice-reader', { enabled: true }],
    ['DELETE /admin/skills/counted', undefined],
    ['POST /admin/skills/counted/rollback', { to: -1 }],
    ['POST /admin/catalog/commit', { unpublish: ['counted'] }],
    ['POST /admin/catalog/restore', { version: 1 }],
  ])('count %s', async (line, body) => {
    const { key } = await makeKey('admin')
    const CHANGE_RATE = closed()
    await send(line, { key, body, env: { CHANGE_RATE } })
    await expect.poll(() => CHANGE_RATE.keys.length).toBe(1)
    await refused(send(line, { key, body, env: { CHANGE_RATE } }), 429, 'rate_limited')
  })
})
