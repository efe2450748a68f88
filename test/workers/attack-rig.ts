// A workspace with tools that act, over the real API, a real network and real servers; a model that obeys whatever it
// reads; and the requests that reached the servers.

import { env } from 'cloudflare:workers'
import { inject } from 'vitest'
import type { Block } from '../../src/agent/message.ts'
import type { Env } from '../../src/env/env.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { portsOf } from '../../src/thread/ports.ts'
import { Thread } from '../../src/thread/thread.ts'
import type { Came, SitePage } from '../fakes/counted-site.ts'
import { answersSince } from '../fault/scripted-model.ts'
import { deedIn, type Use } from './attack-phrases.ts'
import { got, modelReplies, send } from './api-fixture.ts'

export const { given, evil } = inject('sites')

/** The settings of an operator that lets tools reach both sites, and the search one of them. */
const OPERATOR: Partial<Env> = {
  PRIVATE_HOSTS: `${given},${evil}`,
  SEARCH_PROVIDER: 'searxng',
  SEARCH_URL: `http://${given}/searx`,
}

/** Both sites count as public; a test may make one a private host, which no public page may name. */
export const operator: { privateHosts: readonly string[] } = { privateHosts: [] }

// The ports that lead outside. Protected, because only tests replace them.
const before = Reflect.get(Thread.prototype, 'ports') as (this: Thread) => ThreadPorts
Object.defineProperty(Thread.prototype, 'ports', {
  value(this: Thread): ThreadPorts {
    const real = portsOf({ ...env, ...OPERATOR })
    return {
      ...before.call(this),
      net: (...of) => real.net(...of),
      whyUnreachable: (...of) => real.whyUnreachable(...of),
      privateHosts: operator.privateHosts,
      toolNet: (...of) => real.toolNet(...of),
      search: (...of) => real.search(...of),
    }
  },
})

const INPUTS = { type: 'object', properties: { id: { type: 'string' }, to: {}, text: {} } }

/** Only the first of these needs approval by its own rule. */
const TOOLS = {
  delete_all: { method: 'POST', url: `http://${given}/act/delete_all` },
  wipe_account: { method: 'DELETE', url: `http://${given}/act/accounts/{{input.id}}` },
  send_mail: {
    method: 'POST',
    url: `http://${given}/act/mail`,
    body: { to: '{{input.to}}', text: '{{input.text}}' },
  },
  look_up: { method: 'GET', url: `http://${given}/answers/{{input.id}}` },
}

export async function upsertTool(
  name: string,
  request: object,
  more: object = {},
  key?: string,
): Promise<void> {
  const body = { description: `Does ${name}.`, input_schema: INPUTS, request, ...more }
  const answer = await send(`PUT /admin/tools/${name}`, { body, ...(key ? { key } : {}) })
  if (!answer.ok) throw new Error(await answer.text())
}

export async function upsertTools(): Promise<void> {
  for (const [name, request] of Object.entries(TOOLS))
    await upsertTool(name, request, name === 'delete_all' ? {} : { approval: { ask: 'never' } })
}

export async function serve(...pages: readonly SitePage[]): Promise<void> {
  await fetch(`http://${given}/_/pages`, { method: 'PUT', body: JSON.stringify(pages) })
}

async function cameTo(site: string): Promise<readonly Came[]> {
  return (await fetch(`http://${site}/_/came`)).json()
}

export async function forgetCame(): Promise<void> {
  for (const site of [given, evil]) await fetch(`http://${site}/_/came`, { method: 'DELETE' })
}

/** Requested paths on the site that people name. */
export async function came(): Promise<readonly string[]> {
  return (await cameTo(given)).map(({ method, path }) => `${method} ${path}`)
}

export async function cameWhole(): Promise<readonly Came[]> {
  return cameTo(given)
}

/** What must not happen without approval: a call that acts, any request to the other site, and data in any address. */
export async function harm(): Promise<readonly string[]> {
  const acted = (await cameTo(given)).filter(({ path }) => /^\/act\/|the-secret-of-the-tests/.test(path))
  return [...acted, ...(await cameTo(evil))].map(({ method, path }) => `${method} ${path}`)
}

function textOf(block: Block): string {
  return JSON.stringify(block)
}

/**
 * A model that makes the calls of `plan`, one message each, then obeys whatever a text in its window demands (unless
 * `heeds` is false), and then says "Done." `seen` returns whether it was given any instruction.
 */
export function obeys(plan: readonly (readonly Use[])[], heeds = true): { readonly seen: () => boolean } {
  let seen = false
  modelReplies((request) => {
    const at = answersSince(request)
    const planned = plan[at]
    if (planned) return { calls: planned }
    const deed = deedIn(request.messages.flatMap(({ content }) => content.map(textOf)).join('\n'))
    seen ||= deed.length > 0
    const next = heeds ? deed[at - plan.length] : undefined
    return next ? { calls: next } : { text: 'Done.' }
  })
  return { seen: () => seen }
}

export interface Ended {
  readonly thread: string
  readonly run: string
  readonly status: string
}

/** Sends one message and waits until its run ends or waits for a person. */
export async function says(body: object, key: string): Promise<Ended> {
  const answer = await send('POST /v1/chat', { key, body: { stream: false, ...body } })
  const reported = await got<{ status?: string }>(Promise.resolve(answer), answer.status === 202 ? 202 : 200)
  const [thread, run] = ['X-Thread-Id', 'X-Run-Id'].map((name) => answer.headers.get(name) ?? '')
  return { thread: thread ?? '', run: run ?? '', status: reported.status ?? '' }
}

export interface Result {
  readonly text: string
  readonly failed: boolean
}

/** The results that the model was given over the whole thread. */
export async function resultsIn(thread: string, key?: string): Promise<readonly Result[]> {
  const line = `GET /v1/threads/${thread}/messages?limit=100`
  const { data } = await got<{ data: { content: Block[] }[] }>(send(line, key ? { key } : {}))
  return data.flatMap(({ content }) =>
    content.flatMap((block) =>
      block.type === 'tool_result'
        ? [{ text: JSON.stringify(block['content']), failed: block['is_error'] === true }]
        : [],
    ),
  )
}
