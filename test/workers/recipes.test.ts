// Promise: each recipe of docs/hooks.md works as it is written, from the sender's signed delivery to its own API, and the
// hook ignores its own reply. The senders are stand-ins that sign as their documentation says.

import { createHmac } from 'node:crypto'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import page from '../../docs/hooks.md?raw'
import { ok } from '../../src/lib/result.ts'
import type { Outgoing } from '../../src/net/fetch.ts'
import type { SchemeName } from '../../src/webhooks/schemes/scheme.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { SECRETS, sign, type Sent } from '../unit/webhooks/signers.ts'
import { got, modelReplies, send, serveSkills, toolsSendBy } from './api-fixture.ts'

/** The sender's API: records calls, and answers as Slack does. */
const calls: Outgoing[] = []

beforeAll(() => serveSkills([{ name: 'incident-report' }]))
beforeEach(() => {
  modelReplies(() => ({ text: 'Look at @team and /close.' }))
  calls.length = 0
  toolsSendBy(async (request) => {
    calls.push(request)
    const body = new TextEncoder().encode('{"ok":true,"ts":"171.5"}')
    return ok({ status: 201, url: request.url, headers: {}, body, cut: false })
  })
})

/** The requests of a recipe, in order. */
function requestsOf(heading: string): readonly { readonly line: string; readonly body: string }[] {
  const section = page.split(/^## /m).find((one) => one.startsWith(heading)) ?? ''
  const texts = [...section.matchAll(/^```sh$([\s\S]*?)^```$/gm)].map(([, text = '']) => text).join('\n')
  const secret = /"host": "([^"]+)"\}' "\$TOKEN" \| api (\S+) -X PUT/.exec(texts)
  const stored = secret
    ? [{ line: `PUT ${secret[2]}`, body: `{"value": "token-of-the-sender", "host": "${secret[1]}"}` }]
    : []
  const sent = [...texts.matchAll(/^api (\S+)( -X PUT)? -d @- <<'JSON'$([\s\S]*?)^JSON$/gm)]
  return [
    ...stored,
    ...sent.map(([, path, put, body = '']) => ({ line: `${put ? 'PUT' : 'POST'} ${path}`, body })),
  ]
}

interface Followed {
  readonly hook: { readonly url: string; readonly id: string }
  readonly endpoint: string | null
}

async function follow(heading: string, scheme: SchemeName): Promise<Followed> {
  let hook: Followed['hook'] | null = null
  let endpoint: string | null = null
  const requests = requestsOf(heading)
  expect(requests.length).toBeGreaterThan(1)
  for (const { line, body } of requests) {
    const response = await send(line, { body })
    const made: { id: string; url: string } = await response.json()
    expect(`${response.status} ${JSON.stringify(made)}`).toMatch(/^20[01] /)
    if (line === 'POST /admin/endpoints') endpoint = made.id
    if (line === 'POST /admin/hooks') hook = made
  }
  if (!hook) throw new Error('the recipe makes no hook')
  // As the recipe says for senders that choose the secret.
  const secret = { secret: SECRETS[scheme], overlap_s: 0 }
  await got(send(`POST /admin/hooks/${hook.id}/rotate`, { body: secret }))
  return { hook, endpoint }
}

/** An event of Slack, which is JSON; commands are forms. */
function slackEvent(payload: object): Sent {
  const seconds = String(Math.floor(Date.now() / 1000))
  const body = JSON.stringify(payload)
  const mac = createHmac('sha256', SECRETS.slack).update(`v0:${seconds}:${body}`).digest('hex')
  return { headers: { 'x-slack-request-timestamp': seconds, 'x-slack-signature': `v0=${mac}` }, body }
}

async function deliver(
  { hook }: Followed,
  scheme: SchemeName,
  payload: object,
  id = 'd-1',
): Promise<Response> {
  const { headers, body } = scheme === 'slack' ? slackEvent(payload) : sign(scheme, payload, Date.now(), id)
  return send(`POST ${hook.url}`, {
    key: null,
    body,
    headers: { ...headers, 'Content-Type': 'application/json' },
  })
}

/** The calls of the sender's API, once there are as many. */
async function called(
  count: number,
): Promise<
  readonly { url: string; headers: Outgoing['headers']; token: string; body: Record<string, unknown> }[]
> {
  await eventually(() => calls.length === count)
  return calls.map(({ url, headers, body }) => ({
    url,
    headers,
    token: headers['Authorization'] ?? '',
    body: JSON.parse(body ?? '') as Record<string, unknown>,
  }))
}

const HARMLESS = 'Look at @\u200Bteam and /close.'

it('GitHub: an issue gets a comment, whose own delivery starts nothing', async () => {
  const recipe = await follow('GitHub', 'github')
  const where = {
    repository: { name: 'shop', owner: { login: 'acme' } },
    issue: { number: 7, title: 'It breaks' },
  }
  expect((await deliver(recipe, 'github', { action: 'opened', ...where })).status).toBe(202)
  const [comment] = await called(1)
  expect(comment).toMatchObject({
    url: 'https://api.github.com/repos/acme/shop/issues/7/comments',
    token: 'Bearer token-of-the-sender',
    body: { body: expect.stringContaining(HARMLESS) },
  })
  const own = { action: 'opened', ...where, comment: comment?.body }
  const ignored = await deliver(recipe, 'github', own, 'd-2')
  expect([ignored.status, await ignored.json()]).toMatchObject([202, { thread_id: null, run_id: null }])
  expect((await deliver(recipe, 'github', { ...own, comment: { body: 'A person’s.' } }, 'd-3')).status).toBe(
    202,
  )
  await called(2)
  // Only new issues are triaged.
  const closed = await deliver(recipe, 'github', { action: 'closed', ...where }, 'd-4')
  expect(await closed.json()).toMatchObject({ run_id: null })
})

it('GitLab: an issue gets a comment', async () => {
  const recipe = await follow('GitLab', 'gitlab')
  const issue = { project: { id: 3 }, object_attributes: { iid: 7, title: 'It breaks', action: 'open' } }
  expect((await deliver(recipe, 'gitlab', issue)).status).toBe(202)
  const [note] = await called(1)
  expect(note).toMatchObject({
    url: 'https://gitlab.com/api/v4/projects/3/issues/7/notes',
    headers: { 'PRIVATE-TOKEN': 'token-of-the-sender' },
    body: { body: expect.stringContaining(HARMLESS) },
  })
})

it('Linear: an issue gets a comment, and another change of it does not', async () => {
  const recipe = await follow('Linear', 'linear')
  const issue = { type: 'Issue', data: { id: 'i-1', title: 'It breaks' } }
  const update = await deliver(recipe, 'linear', { ...issue, action: 'update' })
  expect(await update.json()).toMatchObject({ run_id: null })
  expect((await deliver(recipe, 'linear', { ...issue, action: 'create' }, 'd-2')).status).toBe(202)
  const [comment] = await called(1)
  expect(comment).toMatchObject({
    url: 'https://api.linear.app/graphql',
    token: 'token-of-the-sender',
    body: { variables: { input: { issueId: 'i-1', body: expect.stringContaining(HARMLESS) } } },
  })
})

it('Slack: a mention gets a placeholder in its thread, then the answer', async () => {
  const recipe = await follow('Slack', 'slack')
  const event = { type: 'app_mention', channel: 'C1', ts: '170.1', text: '<@U0> why?' }
  expect((await deliver(recipe, 'slack', { type: 'event_callback', event_id: 'Ev1', event })).status).toBe(
    202,
  )
  const [placeholder, answer] = await called(2)
  expect(placeholder).toMatchObject({
    url: 'https://slack.com/api/chat.postMessage',
    body: { channel: 'C1', thread_ts: '170.1', text: 'Working on it …' },
  })
  expect(answer).toMatchObject({
    url: 'https://slack.com/api/chat.update',
    body: { channel: 'C1', ts: '171.5', text: expect.stringContaining(HARMLESS) },
  })
})

it('PagerDuty: an incident gets a note', async () => {
  const recipe = await follow('PagerDuty', 'pagerduty')
  const event = { event_type: 'incident.triggered', data: { id: 'P1', title: 'Down' } }
  expect((await deliver(recipe, 'pagerduty', event)).status).toBe(202)
  const [note] = await called(1)
  expect(note).toMatchObject({
    url: 'https://api.pagerduty.com/incidents/P1/notes',
    body: { note: { content: expect.stringContaining(HARMLESS) } },
  })
})

it('Stripe: a failed payment is reported to the endpoint, with the answer', async () => {
  const recipe = await follow('Stripe', 'stripe')
  const payment = { id: 'evt_1', type: 'payment_intent.payment_failed', data: { object: { amount: 100 } } }
  expect((await deliver(recipe, 'stripe', payment)).status).toBe(202)
  // Nothing listens at the example's address, so the log shows that the event is sent.
  const logged = await eventually(
    async () => (await got<{ data: object[] }>(send(`GET /admin/endpoints/${recipe.endpoint}/log`))).data,
    (data) => data.length === 1,
  )
  expect(logged).toMatchObject([
    { type: 'run.completed', url: 'https://billing.example.com/satchel/payments' },
  ])
})

it('Alertmanager: an alert is explained in a channel', async () => {
  await send('PUT /admin/secrets/SLACK_TOKEN', { body: { value: 'token-of-the-sender', host: 'slack.com' } })
  const recipe = await follow('Alertmanager', 'bearer')
  const solved = { status: 'resolved', commonLabels: { alertname: 'DiskFull' }, alerts: [] }
  expect((await deliver(recipe, 'bearer', solved)).status).toBe(202)
  const alert = { status: 'firing', commonLabels: { alertname: 'DiskFull @here' }, alerts: [] }
  expect((await deliver(recipe, 'bearer', alert)).status).toBe(202)
  const [post] = await called(1)
  expect(post?.body).toEqual({
    channel: 'C0123456789',
    text: expect.stringMatching(/DiskFull @\u200Bhere: Look at @\u200Bteam/),
  })
})
