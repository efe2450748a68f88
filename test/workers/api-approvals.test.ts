// Guards the approvals API: who may decide and how, the list of pending approvals, and JSON mode, which does not wait
// for a person.
import { describe, expect, it } from 'vitest'
import type { ApprovalInfo } from '../../src/thread/approvals/api.ts'
import type { BuiltinTool } from '../../src/tools/record/builtin.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { Thread } from '../../src/thread/thread.ts'
import { World } from '../fault/world.ts'
import { requested, eventsOf, got, makeKey, modelReplies, refused, send, serveSkills } from './api-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

const world = new World()
let tools: readonly BuiltinTool[] = [world.paying()]

// The port with the tools of new threads. Protected, because only tests replace it.
const bound = Reflect.get(Thread.prototype, 'ports') as (this: Thread) => ThreadPorts
Object.defineProperty(Thread.prototype, 'ports', {
  value(this: Thread): ThreadPorts {
    // The hosts of these tools do not exist.
    return { ...bound.call(this), tools: () => tools, whyUnreachable: async () => null }
  },
})

interface Waits {
  readonly thread_id: string
  readonly run_id: string
  readonly url: string
  readonly tool_use_ids: readonly string[]
}

interface Listed {
  readonly data: readonly ApprovalInfo[]
  readonly next_cursor: string | null
}

/** A thread of this key with a run that waits for approval. */
async function waiting(key: string): Promise<Waits & { readonly answer: string }> {
  await serveSkills([{ name: 'api-design' }])
  modelReplies((request) =>
    request.messages.length === 1 ? { calls: [{ name: 'pay', input: { amount: 10 } }] } : { text: 'Done.' },
  )
  const answer = await send('POST /v1/chat', { key, body: { message: 'Pay.', stream: false } })
  const body = await got<Waits>(Promise.resolve(answer), 202)
  expect(answer.headers.get('Location')).toBe(body.url)
  return { ...body, answer: `POST ${body.url}/approvals/${body.tool_use_ids[0]}` }
}

/** The digest of the newest request, once the list contains it. */
async function newestDigest(key: string, { run_id }: Waits, before: string): Promise<string> {
  let digest = before
  await eventually(async () => {
    const { data } = await got<Listed>(send('GET /v1/approvals?limit=100', { key }))
    digest = data.find((info) => info.run_id === run_id)?.digest ?? before
    return digest !== before
  })
  return digest
}

describe('a pending call', () => {
  it('is reported at once in JSON mode, listed for its owner and admins, decided, and removed from the list', async () => {
    const [ann, bob] = [await makeKey('chat', 'ann'), await makeKey('chat', 'bob')]
    const { thread_id, run_id, url, tool_use_ids, answer, ...more } = await waiting(ann.key)
    expect(more).toMatchObject({ status: 'waiting', reason: 'approval', until: expect.stringMatching(/Z$/) })
    expect(more).toMatchObject({
      by: 'owner',
      detail: expect.stringContaining("the thread's owner or an admin"),
    })
    expect(await got(send(`GET ${url}`, { key: ann.key }))).toMatchObject({ status: 'waiting' })
    const listed = async (key?: string): Promise<readonly ApprovalInfo[]> =>
      (await got<Listed>(send('GET /v1/approvals', key === undefined ? {} : { key }))).data.filter(
        (info) => info.thread_id === thread_id,
      )
    await eventually(async () => (await listed(ann.key)).length === 1)
    const [info] = await listed()
    expect(info).toMatchObject({ run_id, tool_use_id: tool_use_ids[0], name: 'pay', by: 'owner' })
    expect(await listed(bob.key)).toEqual([])

    const body = { decision: 'approve', digest: info?.digest }
    await refused(send(answer, { key: bob.key, body }), 404, 'not_found')
    for (const wrong of [
      {},
      { decision: 'maybe' },
      { decision: 'deny', remember: 'run' },
      { ...body, note: 'Go.' },
      { ...body, more: 1 },
      { ...body, digest: 'd' },
    ])
      await refused(send(answer, { key: ann.key, body: wrong }), 422, 'invalid_request')
    const blind = await refused(
      send(answer, { key: ann.key, body: { decision: 'approve' } }),
      422,
      'invalid_request',
    )
    expect(blind.detail).toContain('digest: must be the digest of the request that was shown')
    await refused(
      send(`POST ${url}/approvals/nope`, { key: ann.key, body: { decision: 'deny' } }),
      404,
      'not_found',
    )
    const busy = await refused(
      send('POST /v1/chat', { key: ann.key, body: { thread_id, message: 'Hello?' } }),
      409,
      'thread_busy',
    )
    expect(busy.detail).toContain(`${url}/approvals/${tool_use_ids[0]}`)
    expect(busy.detail).toContain(String(info?.digest))

    const first = await got(send(answer, { key: ann.key, body }))
    expect(first).toEqual({
      tool_use_id: tool_use_ids[0],
      decision: 'approve',
      by: 'user:ann',
      at: expect.stringMatching(/Z$/),
      note: null,
      remember: null,
    })
    expect(await got(send(answer, { body }))).toEqual(first)
    await refused(send(answer, { body: { decision: 'deny' } }), 409, 'approval_closed')
    const events = await eventsOf(await send(`GET ${url}/events`, { key: ann.key }))
    expect(events.at(-1)).toMatchObject({
      type: 'run.completed',
      receipt: { approvals: [{ by: 'user:ann' }] },
    })
    expect(world.sent).toHaveLength(1)
    expect(requested).toHaveLength(2)
    await eventually(async () => (await listed()).length === 0)
  })

  it('can be decided only by an admin if its rule says so, and stays open until one does', async () => {
    world.rule = { ask: 'always', by: 'admin' }
    tools = [world.paying()]
    const { key } = await makeKey('chat', 'ann')
    const { answer } = await waiting(key)
    await refused(send(answer, { key, body: { decision: 'deny' } }), 403, 'approval_forbidden')
    await got(send(answer, { body: { decision: 'deny', note: 'No.' } }))
  })

  it('that changed since is a new request', async () => {
    world.rule = { ask: 'always' }
    tools = [world.paying()]
    const { key } = await makeKey('chat', 'ann')
    const { answer, ...waits } = await waiting(key)
    const before = await newestDigest(key, waits, '')
    world.target = 'https://elsewhere.test/'
    for (let sent = 0; sent < 2; sent++)
      await refused(send(answer, { key, body: { decision: 'approve', digest: before } }), 409, 'tool_changed')
    await got(
      send(answer, { key, body: { decision: 'approve', digest: await newestDigest(key, waits, before) } }),
    )
  })
})

describe('the list of pending calls', () => {
  it('comes in pages, longest waiting first, and rejects cursors of other lists', async () => {
    world.rule = { ask: 'always' }
    tools = [world.paying()]
    const { key } = await makeKey('chat', 'eve')
    const threads = [await waiting(key), await waiting(key), await waiting(key)].map(
      ({ thread_id }) => thread_id,
    )
    const page = (cursor: string): Promise<Listed> =>
      got<Listed>(send(`GET /v1/approvals?limit=2${cursor}`, { key }))
    await eventually(async () => (await got<Listed>(send('GET /v1/approvals', { key }))).data.length === 3)
    const first = await page('')
    const rest = await page(`&cursor=${first.next_cursor}`)
    expect([...first.data, ...rest.data].map(({ thread_id }) => thread_id)).toEqual(threads)
    expect(rest.next_cursor).toBeNull()
    await refused(send('GET /v1/approvals?cursor=x', { key }), 400, 'bad_cursor')
    await refused(send('GET /v1/approvals?who=me', { key }), 422, 'invalid_request')
  })
})
