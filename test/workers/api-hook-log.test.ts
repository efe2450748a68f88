// Guards the log of a hook: admins find every delivery and its outcome, see its content without secrets, and replay it
// or test a payload by the same path; expired content is gone.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ok } from '../../src/lib/result.ts'
import type { DeliveryDetail, DeliveryInfo, HookTrial } from '../../src/webhooks/api.ts'
import type { Message } from '../../src/agent/message.ts'
import { HMAC, SECRETS } from '../unit/webhooks/signers.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import {
  foreignKey,
  got,
  modelReplies,
  refused,
  requested,
  send,
  serveSkills,
  toolsSendBy,
} from './api-fixture.ts'
import { completed, deliver, deliveries, makeHook, signed } from './hook-requests.ts'
import type { Accepted, Made } from './hook-requests.ts'

beforeAll(() => serveSkills([{ name: 'alpha' }]))
beforeEach(() => modelReplies())

const logOf = (hook: Made): string => `/admin/hooks/${hook.id}/deliveries`
const detailOf = (hook: Made, id: string): Promise<DeliveryDetail> => got(send(`GET ${logOf(hook)}/${id}`))

async function delivered(hook: Made, id: string, body: object): Promise<Accepted> {
  return got<Accepted>(deliver(hook, signed(hook.secret, id, JSON.stringify(body))), 202)
}

async function found(hook: Made, query: string): Promise<readonly string[]> {
  const page = await got<{ data: { webhook_id: string }[] }>(send(`GET ${logOf(hook)}?${query}`))
  return page.data.map(({ webhook_id }) => webhook_id)
}

async function firstMessage({ thread_id }: Pick<Accepted, 'thread_id'>): Promise<string> {
  const messages = await got<{ data: Message[] }>(send(`GET /v1/threads/${thread_id}/messages`))
  return JSON.stringify(messages.data[0]?.content)
}

describe('the log of a hook', () => {
  it('can be searched by state, by any ID and by text, in pages', async () => {
    const hook = await makeHook({
      template: '{{payload}}',
      filter: { all: [{ pointer: '/kind', equals: 'alert' }] },
    })
    const first = await delivered(hook, 'msg_1', { kind: 'alert', text: 'The Database is down' })
    await delivered(hook, 'msg_2', { kind: 'noise', text: 'nothing' })
    await delivered(hook, 'msg_3', { kind: 'alert', text: 'the database is up' })
    await completed(first)
    expect(await found(hook, 'state=filtered')).toEqual(['msg_2'])
    expect(await found(hook, 'id=msg_3')).toEqual(['msg_3'])
    expect(await found(hook, `id=${first.run_id}`)).toEqual(['msg_1'])
    expect(await found(hook, `id=${first.thread_id}`)).toEqual(['msg_1'])
    expect(await found(hook, 'q=DATABASE')).toEqual(['msg_3', 'msg_1'])
    expect(await found(hook, 'q=is+not+met')).toEqual(['msg_2'])
    expect(await found(hook, 'q=database&state=filtered')).toEqual([])
    type Page = { data: { webhook_id: string }[]; next_cursor: string | null }
    const page = await got<Page>(send(`GET ${logOf(hook)}?q=database&limit=1`))
    expect(page.data).toHaveLength(1)
    expect(await found(hook, `q=database&limit=1&cursor=${page.next_cursor}`)).toEqual(['msg_1'])
    await refused(send(`GET ${logOf(hook)}?state=lost`), 422, 'invalid_request')
    await refused(send(`GET ${logOf(hook)}?q=`), 422, 'invalid_request')
  })

  it('shows the content of a delivery, without its signature, to its workspace only', async () => {
    const hook = await makeHook()
    const { delivery_id } = await delivered(hook, 'msg_1', { title: 'Disk full' })
    const detail = await detailOf(hook, delivery_id)
    expect(detail).toMatchObject({
      id: delivery_id,
      body: '{"title":"Disk full"}',
      headers: { 'webhook-id': 'msg_1', 'webhook-signature': '***', 'content-type': 'application/json' },
    })
    await refused(send(`GET ${logOf(hook)}/dl_unknown`), 404, 'not_found')
    const key = await foreignKey('hook-log')
    await refused(send(`GET ${logOf(hook)}/${delivery_id}`, { key }), 404, 'not_found')
  })

  it('drops the content of a delivery with its thread, and after its days', async () => {
    const hook = await makeHook()
    const [one, two] = [
      await delivered(hook, 'msg_1', { title: 'One' }),
      await delivered(hook, 'msg_2', { title: 'Two' }),
    ]
    await completed(one)
    await completed(two)
    expect((await send(`DELETE /v1/threads/${one.thread_id}`)).status).toBe(204)
    await eventually(async () => (await detailOf(hook, one.delivery_id)).body === null)
    expect(await detailOf(hook, one.delivery_id)).toMatchObject({ headers: null, kept_bytes: null })
    expect(await detailOf(hook, two.delivery_id)).toMatchObject({ body: '{"title":"Two"}' })
    await runInDurableObject(env.HOOKS.getByName(hook.id), async (object, { storage }) => {
      storage.sql.exec('UPDATE deliveries SET received_at = received_at - 8 * 86400000')
      await (object as unknown as { alarm(): Promise<void> }).alarm()
    })
    expect(await detailOf(hook, two.delivery_id)).toMatchObject({ state: 'started', body: null })
    await refused(send(`POST ${logOf(hook)}/${two.delivery_id}/replay`), 410, 'gone')
  })
})

describe('a replay', () => {
  it('of a dead delivery without its body must come from its sender, not an admin, as log and refusal say', async () => {
    const hook = await makeHook({ keep_days: 0 })
    const first = await delivered(hook, 'msg_1', { title: 'Disk full' })
    await completed(first)
    await eventually(async () => (await detailOf(hook, first.delivery_id)).state === 'started')
    await runInDurableObject(env.HOOKS.getByName(hook.id), (_, { storage }) => {
      storage.sql.exec("UPDATE deliveries SET state = 'dead', problem = 'It could not start.'")
    })
    expect((await detailOf(hook, first.delivery_id)).reason).toMatch(/not start\. .*cannot be replayed/)
    const line = `POST ${logOf(hook)}/${first.delivery_id}/replay`
    expect((await refused(send(line), 410, 'gone')).detail).toMatch(/keep_days of this hook is 0/)
    const copies = await Promise.all([1, 2, 3].map(() => delivered(hook, 'msg_1', { title: 'Disk full' })))
    const [again] = copies
    if (!again) throw new Error('There is no copy.')
    expect(again.run_id).not.toBe(first.run_id)
    expect(copies).toEqual([again, again, again])
    await completed(again)
    const [replay, ...others] = await deliveries(hook)
    expect(replay).toMatchObject({ id: again.delivery_id, original_id: first.delivery_id, state: 'started' })
    expect(others).toHaveLength(1)
  })

  it('is another run of the same delivery, and both show it', async () => {
    const hook = await makeHook({ template: 'Seen: {{title}}' })
    const first = await delivered(hook, 'msg_1', { title: 'Disk full' })
    await completed(first)
    const line = `POST ${logOf(hook)}/${first.delivery_id}/replay`
    const again = await got<Accepted>(send(line), 202)
    expect(again.run_id).not.toBe(first.run_id)
    await completed(again)
    expect(await firstMessage(again)).toBe(await firstMessage(first))
    const third = await got<Accepted>(send(`POST ${logOf(hook)}/${again.delivery_id}/replay`), 202)
    const [original, ...replays] = (await deliveries(hook)).toReversed()
    expect(original).toMatchObject({ original_id: null, replays: [again.delivery_id, third.delivery_id] })
    for (const replay of replays)
      expect(replay).toMatchObject({ webhook_id: 'msg_1', original_id: first.delivery_id })
    // The sender's copy is still the first delivery.
    expect(await delivered(hook, 'msg_1', { title: 'Disk full' })).toEqual(first)
  })

  it('of a filtered delivery starts its run, and needs a body that fits the template', async () => {
    const hook = await makeHook({ filter: { all: [{ pointer: '/title', equals: 'Never' }] } })
    const { delivery_id } = await delivered(hook, 'msg_1', { title: 'Disk full' })
    expect(requested).toHaveLength(0)
    await completed(await got<Accepted>(send(`POST ${logOf(hook)}/${delivery_id}/replay`), 202))
    expect(requested).toHaveLength(1)
  })
})

describe('a reply', () => {
  it('that failed is found in the log, and can be sent again by hand', async () => {
    let status = 500
    toolsSendBy(async ({ url }) => ok({ status, url, headers: {}, body: new Uint8Array(), cut: false }))
    const tool = {
      description: 'Posts.',
      input_schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      request: { method: 'POST', url: 'https://chat.example.com/', body: { text: '{{input.text}}' } },
      effect: 'once',
    }
    expect((await send('PUT /admin/tools/post', { body: tool })).status).toBe(201)
    const hook = await makeHook({ reply: { tool: 'post', input: { text: '{{answer}}' } } })
    const accepted = await delivered(hook, 'msg_1', { title: 'Disk full' })
    const shown = async (): Promise<string | undefined> =>
      (await detailOf(hook, accepted.delivery_id)).reply?.state
    await eventually(async () => (await shown()) === 'failed')
    const found = await got<{ data: DeliveryInfo[] }>(send(`GET ${logOf(hook)}?reply=failed`))
    expect(found.data).toMatchObject([{ id: accepted.delivery_id, reply: { detail: 'HTTP 500: ' } }])
    await refused(send(`GET ${logOf(hook)}?reply=lost`), 422, 'invalid_request')
    status = 200
    const line = `POST ${logOf(hook)}/${accepted.delivery_id}/reply`
    await got(send(line))
    await eventually(async () => (await shown()) === 'sent')
    await refused(send(line), 422, 'invalid_request')
  })
})

describe('a test of a hook', () => {
  it.each(Object.entries(SECRETS))('is signed by %s and takes the whole path', async (scheme, secret) => {
    const signature = scheme === 'hmac' ? { signature: HMAC } : {}
    const hook = await makeHook({ scheme, secret, template: 'Seen: {{title}}', ...signature })
    const body = { payload: { title: 'Disk full' } }
    const accepted = await got<Accepted & { created: boolean }>(
      send(`POST /admin/hooks/${hook.id}/test`, { body }),
      202,
    )
    expect(accepted.created).toBe(true)
    await completed(accepted)
    expect(await firstMessage(accepted)).toContain('<webhook_payload>Disk full</webhook_payload>')
  })

  it('shows the verdict and the message without a delivery if it is a dry run', async () => {
    const filter = { all: [{ header: 'x-github-event', equals: 'issues' }] }
    const hook = await makeHook({ scheme: 'github', secret: SECRETS.github, filter })
    const dryRun = (more: object): Promise<HookTrial> =>
      got(send(`POST /admin/hooks/${hook.id}/test`, { body: { dry_run: true, ...more } }))
    const headers = { 'X-GitHub-Event': 'issues', 'X-Hub-Signature-256': 'forged' }
    expect(await dryRun({ payload: { title: 'Full' }, headers })).toEqual({
      verdict: 'accepted',
      reason: null,
      message: 'An alert: <webhook_payload>Full</webhook_payload>',
      thread_id: null,
    })
    expect(await dryRun({ payload: { title: 'Full' } })).toMatchObject({
      verdict: 'filtered',
      reason: expect.stringContaining('x-github-event'),
      message: null,
    })
    expect(await dryRun({ payload: 'not json', headers })).toMatchObject({
      verdict: 'refused',
      reason: expect.stringContaining('not JSON'),
    })
    expect(
      await dryRun({ payload: { zen: 'Keep it simple' }, headers: { 'x-github-event': 'ping' } }),
    ).toMatchObject({ verdict: 'filtered', reason: expect.stringContaining('tests the address') })
    expect(await deliveries(hook)).toEqual([])
    expect(requested).toHaveLength(0)
  })
})
