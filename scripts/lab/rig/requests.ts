// Requests to a server under test, with an admin's key. Each rejects with the server's message on failure.

import { setTimeout as sleep } from 'node:timers/promises'

import { ADMIN_KEY } from './keys.ts'

/** Maximum number of attempts for changes beyond a key's rate limit, if the response allows a retry. */
const ATTEMPTS_MAX = 5

export const AUTHORIZED = { Authorization: `Bearer ${ADMIN_KEY}` } as const

type Body = object | string | Uint8Array<ArrayBuffer>

/** Sends `request(url, 'PUT /v1/…', body)`. Objects are sent as JSON, anything else as text. */
export async function adminRequest(url: string, line: string, body?: Body): Promise<Response> {
  const [method = 'GET', path = '/'] = line.split(' ')
  const isPlain = typeof body === 'string' || body instanceof Uint8Array
  const init: RequestInit = {
    method,
    headers: { ...AUTHORIZED, ...(body && { 'Content-Type': isPlain ? 'text/plain' : 'application/json' }) },
    ...(body !== undefined && { body: isPlain ? body : JSON.stringify(body) }),
  }
  for (let tries = 1; ; tries++) {
    const response = await fetch(url + path, init)
    if (response.ok) return response
    const text = await response.text()
    const wait = Number(response.headers.get('Retry-After') ?? 0)
    if (response.status !== 429 || wait === 0 || tries === ATTEMPTS_MAX)
      throw new Error(`${line}: ${response.status} ${text.slice(0, 500)}`)
    await sleep(wait * 1_000)
  }
}

/** A skill with a single file, in the form that POST /admin/skills accepts. */
export function oneSkill(name: string, description: string): object {
  const text = `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\nDo it well.\n`
  return { files: { 'SKILL.md': text } }
}

export async function newThread(url: string): Promise<string> {
  // The cast is safe: Satchel sent this response.
  const created = (await (await adminRequest(url, 'POST /v1/threads')).json()) as {
    readonly thread_id: string
  }
  return created.thread_id
}

export interface Streamed<Mark extends string> {
  /** For each mark, the ms until the piece that completed it arrived; NaN if it never did. */
  readonly at: Readonly<Record<Mark, number>>
  readonly totalMs: number
  readonly text: string
  /** The thread of the message; empty if there is none. */
  readonly threadId: string
}

/** Sends `body` with POST, reads the response to its end, and records when each mark arrived. */
export async function streamedAnswer<Mark extends string>(
  url: string,
  body: object,
  marks: Readonly<Record<Mark, string | RegExp>>,
  key = ADMIN_KEY,
): Promise<Streamed<Mark>> {
  const startedMs = performance.now()
  const response = await fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok || !response.body) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  // The cast is safe: these are the keys of `marks`.
  const openMarks = new Map(Object.entries(marks) as [Mark, string | RegExp][])
  const at = Object.fromEntries([...openMarks.keys()].map((mark) => [mark, Number.NaN])) as Record<
    Mark,
    number
  >
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true })
    for (const [mark, sign] of openMarks) {
      if (!(typeof sign === 'string' ? text.includes(sign) : sign.test(text))) continue
      at[mark] = performance.now() - startedMs
      openMarks.delete(mark)
    }
  }
  const threadId = response.headers.get('X-Thread-Id') ?? ''
  return { at, totalMs: performance.now() - startedMs, text, threadId }
}

export interface Timed {
  /** Milliseconds from sending the request to the event with the first text. */
  readonly firstTextMs: number
  /** Milliseconds to the first event of any kind. */
  readonly firstEventMs: number
  /** Milliseconds to the terminal event. */
  readonly totalMs: number
  /** The number of the last event; 0 if events have no numbers. */
  readonly last: number
  readonly threadId: string
}

const MARKS = {
  firstEvent: 'event: ',
  firstText: 'event: text.delta\n',
  terminal: /^event: run\.(completed|failed|cancelled)$/m,
} as const

/**
 * Sends one message and measures it. Rejects unless the run completes. Works with both the bare Worker and Satchel.
 */
export async function askTimed(url: string, body: object, key = ADMIN_KEY): Promise<Timed> {
  const { at, text, threadId } = await streamedAnswer(url, body, MARKS, key)
  if (!text.includes('event: run.completed\n') || Number.isNaN(at.firstText))
    throw new Error(`${url}: no completed run: ${text.slice(-500)}`)
  const last = Number(/^id: (\d+)$/m.exec(text.slice(text.lastIndexOf('\nid: ') + 1))?.[1] ?? 0)
  return { firstTextMs: at.firstText, firstEventMs: at.firstEvent, totalMs: at.terminal, last, threadId }
}

/** Sends the next message of a thread, or the first message of a new thread if `thread` is null. */
export async function say(url: string, thread: string | null, message: string): Promise<Timed> {
  return askTimed(`${url}/v1/chat`, { message, stream: true, ...(thread !== null && { thread_id: thread }) })
}

/** The result of a call, from the `tool.completed` event. */
export interface CalledTool {
  readonly duration_ms: number
  readonly is_error: boolean
  readonly preview: string
}

/** A user message that makes the fake API call this tool with this input. */
export function callMessage(tool: string, input: object): string {
  return `CALL ${tool} ${JSON.stringify(input)} END`
}

/** Calls `tool` with this input, or with several inputs in one run. */
export async function callTool(
  url: string,
  thread: string | null,
  tool: string,
  input: object,
): Promise<readonly CalledTool[]> {
  const body = {
    message: callMessage(tool, input),
    stream: true,
    ...(thread !== null && { thread_id: thread }),
  }
  const events = await (await adminRequest(url, 'POST /v1/chat', body)).text()
  const done = [...events.matchAll(/^data: (.*"tool\.completed".*)$/gm)]
  if (done.length === 0) throw new Error(`${tool} did not end: ${events.slice(-1_000)}`)
  // The cast is safe: Satchel sent this event.
  return done.map(([, data = '']) => JSON.parse(data) as CalledTool)
}
