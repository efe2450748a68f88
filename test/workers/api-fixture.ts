// The API as a client uses it: requests with keys, parsed streams, and a scripted model. Everything except the model is
// real.

import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import type { Event, Problem } from '../../src/agent/events.ts'
import type { Model, ModelRequest } from '../../src/agent/model.ts'
import { readEvents } from '../../src/client/sse.ts'
import { objects, type Env } from '../../src/env/env.ts'
import { makeApp } from '../../src/api/app.ts'
import { servePushedBuild } from '../../src/skills/current-build.ts'
import { fromUtf8, sha256Hex } from '../../src/lib/bytes.ts'
import type { KeyRole } from '../../src/lib/caller.ts'
import { newId, randomToken } from '../../src/lib/ids.ts'
import { newSignedPart } from '../../src/lib/signed-id.ts'
import type { Published } from '../../src/skills/publish/publish.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { Thread } from '../../src/thread/thread.ts'
import { speaks } from '../fault/rig.ts'
import { seedBuild, skillFiles, type SeedSkill } from './seed-build.ts'
import type { GuardedFetch } from '../../src/net/fetch.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

export const ADMIN_KEY = 'test-admin-key-0123456789'

const app = makeApp()

export interface Ask {
  readonly key?: string | null
  /** A string is sent unchanged, anything else as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly env?: Partial<Env>
}

let asks = 0

/** For example `send('POST /v1/chat', {…})`. Uses the admin's key unless another key is given, or null for none. */
export async function send(line: string, ask: Ask = {}): Promise<Response> {
  const [method = 'GET', path = '/'] = line.split(' ')
  const { key = ADMIN_KEY, body } = ask
  const headers = new Headers({
    // Each request comes from another address, so that refusals in one test do not slow down another.
    'CF-Connecting-IP': `client-${++asks}`,
    ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...ask.headers,
  })
  const sent =
    body === undefined || typeof body === 'string' || body instanceof ReadableStream
      ? body
      : JSON.stringify(body)
  const request = new Request(`http://api.test${path}`, {
    method,
    headers,
    ...(sent === undefined ? {} : { body: sent }),
  })
  return app.fetch(request, { ...env, ADMIN_KEY, ...ask.env }, createExecutionContext())
}

/** The JSON of a response with this status. The caller states its type. */
export async function got<T = Record<string, unknown>>(answer: Promise<Response>, status = 200): Promise<T> {
  const response = await answer
  const text = await response.text()
  expect(`${response.status} ${text}`).toMatch(new RegExp(`^${status} `))
  return JSON.parse(text) as T // the cast is safe: the test's expectations check the value
}

/** A refusal, checked against the contract. */
export async function refused(answer: Promise<Response>, status: number, code: string): Promise<Problem> {
  const response = await answer
  const problem = await got<Problem>(Promise.resolve(response), status)
  expect(response.headers.get('Content-Type')).toBe('application/problem+json')
  expect(response.headers.get('X-Request-Id')).toBe(problem.request_id)
  expect(problem).toEqual({
    type: expect.any(String),
    title: expect.stringMatching(/\S/),
    status,
    code,
    detail: expect.stringMatching(/\S.*[.?]$/s),
    request_id: expect.stringMatching(/^req_/),
    ...(problem.errors ? { errors: expect.any(Array) } : {}),
  })
  return problem
}

export interface TestKey {
  readonly id: string
  readonly key: string
}

export async function makeKey(role: KeyRole, user?: string): Promise<TestKey> {
  return got<TestKey>(send('POST /admin/keys', { body: { role, ...(user ? { user } : {}) } }), 201)
}

/** A key of a workspace other than the default one. */
export async function foreignKey(
  workspace: string,
  role: KeyRole = 'admin',
  user: string | null = null,
): Promise<string> {
  const id = await newSignedPart(env.ID_SECRET ?? '', 'key', workspace, 12)
  const secret = randomToken(40)
  const secretHash = await sha256Hex(secret)
  await objects(env).workspace(workspace).createKey({ id, secretHash, role, user, note: null })
  return `sk_${workspace}_${id}_${secret}`
}

/** The files of a skill, as POST /admin/skills takes them. */
export function skillFolderOf(skill: SeedSkill): { readonly files: Record<string, string> } {
  const files = Array.from(skillFiles(skill), ([path, bytes]) => [path, fromUtf8(bytes) ?? ''])
  return { files: Object.fromEntries(files) }
}

export async function publish(skill: SeedSkill, ask: Ask = {}): Promise<Published> {
  return got<Published>(send('POST /admin/skills', { ...ask, body: skillFolderOf(skill) }), 201)
}

/** Everything in the default workspace that a request could change. */
export async function stateOfAll(): Promise<unknown> {
  const lists = ['v1/threads', 'admin/keys', 'admin/hooks', 'admin/schedules', 'admin/skills'].map(
    (path) => `${path}?limit=100`,
  )
  const all = await Promise.all(
    [...lists, 'admin/catalog', 'admin/usage', 'admin/settings'].map((path) => got(send(`GET /${path}`))),
  )
  // A request that is refused is a use of its key, too.
  return JSON.parse(JSON.stringify(all), (name, value: unknown) => (name === 'last_used_at' ? null : value))
}

/** The status of a response, sent again while a busy machine answers 503: nothing was changed then. */
export async function statusOf(ask: () => Promise<Response>): Promise<number> {
  return eventually(
    async () => {
      const { status, body } = await ask()
      await body?.cancel()
      return status
    },
    (status) => status !== 503,
  )
}

/** A thread of this key with one finished run, already reported to the workspace. */
export async function finished(key: string, message = 'Hello'): Promise<Chatted> {
  const made = await chat({ message }, { key })
  expect(made.last?.type).toBe('run.completed')
  await eventually(async () => {
    const { data } = await got<{ data: { id: string; status: string }[] }>(send('GET /v1/threads', { key }))
    return data.some((thread) => thread.id === made.thread && thread.status === 'idle')
  })
  return made
}

/** The id of the thread's first message. */
export async function messageOf(thread: string, key: string): Promise<string> {
  const { data } = await got<{ data: { id: string }[] }>(send(`GET /v1/threads/${thread}/messages`, { key }))
  return data[0]?.id ?? ''
}

/** Makes these skills the built-in ones. */
export async function serveSkills(skills: readonly SeedSkill[]): Promise<string> {
  const digest = await seedBuild(env, skills)
  servePushedBuild(digest)
  return digest
}

export interface Chatted {
  readonly thread: string
  readonly run: string
  readonly events: readonly Event[]
  readonly last: Event | undefined
}

/** A response's stream, read to its end. */
export async function eventsOf(response: Response): Promise<readonly Event[]> {
  expect(response.status, response.status === 200 ? '' : await response.clone().text()).toBe(200)
  if (!response.body) throw new Error('no stream')
  const events: Event[] = []
  for await (const event of readEvents(response.body)) events.push(event)
  return events
}

/** Sends one message and follows its run to the end. */
export async function chat(body: object, ask: Ask = {}): Promise<Chatted> {
  const response = await send('POST /v1/chat', { ...ask, body: { stream: true, ...body } })
  const thread = response.headers.get('X-Thread-Id') ?? ''
  const run = response.headers.get('X-Run-Id') ?? ''
  const events = await eventsOf(response)
  return { thread, run, events, last: events.at(-1) }
}

// --- the model ------------------------------------------------------------------------------------------------

/** What the model says next. It waits for `until` first. */
interface Turn {
  readonly text?: string
  readonly calls?: readonly { readonly name: string; readonly input: object }[]
  readonly until?: Promise<unknown>
}

type Script = (request: ModelRequest) => Turn

const ANSWER: Script = () => ({ text: 'Done.' })
let script = ANSWER

/** Every request that reached the model, oldest first. */
export const requested: ModelRequest[] = []

/** Scripts the model; without a script it says "Done.". Clears the recorded requests. */
export function modelReplies(next: Script = ANSWER): void {
  script = next
  requested.length = 0
}

function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => signal.addEventListener('abort', resolve))
}

const model: Model = {
  async call(request, onDelta, signal) {
    requested.push(request)
    const { text = '', calls = [], until } = script(request)
    if (until) await Promise.race([until, aborted(signal)])
    if (signal.aborted)
      return {
        kind: 'fault',
        fault: { retry: 'never', reason: 'aborted', detail: 'Aborted.', retryAfterMs: null, usage: null },
      }
    for (const part of text.match(/.{1,8}/gsu) ?? []) await onDelta({ type: 'text', block: 0, text: part })
    return {
      kind: 'message',
      content: [
        ...(text === '' ? [] : [{ type: 'text', text }]),
        ...calls.map((call) => ({ type: 'tool_use', id: newId('msg'), ...call })),
      ],
      stop: calls.length > 0 ? 'tool_use' : 'end_turn',
      stopDetail: null,
      usage: {
        input_tokens: 10,
        output_tokens: 5,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      },
    }
  },
}

/** The network for tools from settings in this file's threads; null for the real one. */
let toolNet: GuardedFetch | null = null

export function toolsSendBy(fetch: GuardedFetch | null): void {
  toolNet = fetch
}

// The port that gives a thread its model. Protected, because only tests replace it.
const bound = Reflect.get(Thread.prototype, 'ports') as (this: Thread) => ThreadPorts
Object.defineProperty(Thread.prototype, 'ports', {
  value(this: Thread): ThreadPorts {
    const real = bound.call(this)
    return {
      ...real,
      ...speaks(model, real.models),
      ...(toolNet ? { toolNet: () => toolNet ?? real.toolNet('') } : {}),
    }
  },
})
