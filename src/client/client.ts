// A typed client of the HTTP API, on Web standards only. Follows a run to its end across lost connections; never delivers an
// event twice.

import { CLIENT_RETRY_MS, PAGE_MAX } from '../limits/requests.ts'
import { CLIENT_RESUME_TRIES, CLIENT_RETRY_CAP_MS, CLIENT_START_TRIES } from './limits.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { isDown, reason, refusal } from './failures.ts'
import { everyPage, pageOf } from './pages.ts'
import { readEvents } from './sse.ts'

import type { Event } from '../agent/events.ts'
import type { ApprovalDecided, ApprovalInfo } from '../thread/approvals/api.ts'
import type { FileInfo } from '../thread/api.ts'
import type {
  Answer,
  CallAnswer,
  ChatEnd,
  ChatRequest,
  ClientFailure,
  Listener,
  NamedBytes,
  TerminalEvent,
} from './types.ts'

export interface ClientOptions {
  /** The server's origin, without a path: `http://127.0.0.1:8787`. */
  readonly url: string
  readonly key: string
  fetch(url: string, init?: RequestInit): Promise<Response>
  /** Pauses between tries. */
  wait(ms: number): Promise<void>
}

const TERMINALS: ReadonlySet<string> = new Set(['run.completed', 'run.failed', 'run.cancelled'])

function isTerminalEvent(event: Event): event is TerminalEvent {
  return TERMINALS.has(event.type)
}

function backoff(attempt: number): number {
  return Math.min(CLIENT_RETRY_CAP_MS, CLIENT_RETRY_MS * 2 ** attempt)
}

export class Client {
  readonly #options: ClientOptions
  /** Pauses between tries. */
  readonly wait: ClientOptions['wait']

  constructor(options: ClientOptions) {
    this.wait = async (ms) => options.wait(ms)
    this.#options = { ...options, url: options.url.replace(/\/+$/, '') }
  }

  /** One request: `body` as JSON, or a form or bytes unchanged. Trusts the contract for the shape of the response. */
  async json<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Result<Answer<T>, ClientFailure>> {
    const response = await this.#send(method, path, body, headers)
    if (!response.ok) return response
    let text: string
    try {
      text = await response.value.text()
    } catch (error) {
      return err({ kind: 'unreachable', detail: `the connection was lost: ${reason(error)}` })
    }
    try {
      // The contract's type for this route; an empty response (204) is null.
      const value = (text === '' ? null : JSON.parse(text)) as T
      return ok({ status: response.value.status, headers: response.value.headers, body: value })
    } catch (error) {
      return err({ kind: 'broken', detail: `${method} ${path}: the answer is not JSON (${String(error)})` })
    }
  }

  /** The bytes of a response that is not JSON: a file, an archive. */
  async bytes(path: string): Promise<Result<Uint8Array<ArrayBuffer>, ClientFailure>> {
    const response = await this.#send('GET', path, undefined, {})
    if (!response.ok) return response
    try {
      return ok(new Uint8Array(await response.value.arrayBuffer()))
    } catch (error) {
      return err({ kind: 'unreachable', detail: `the connection was lost: ${reason(error)}` })
    }
  }

  /** Calls that wait for the caller's approval, the oldest first. */
  async approvals(): Promise<Result<readonly ApprovalInfo[], ClientFailure>> {
    return everyPage((cursor) => pageOf(this, '/v1/approvals', {}, { cursor, limit: PAGE_MAX }))
  }

  /** Answers a waiting call. Repeating the same answer is safe. */
  async approve(
    threadId: string,
    runId: string,
    toolUseId: string,
    answer: CallAnswer,
  ): Promise<Result<ApprovalDecided, ClientFailure>> {
    const [thread, run, call] = [threadId, runId, toolUseId].map(encodeURIComponent)
    const path = `/v1/threads/${thread}/runs/${run}/approvals/${call}`
    const given = Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== null))
    const taken = await this.json<ApprovalDecided>('POST', path, given)
    return taken.ok ? ok(taken.value.body) : taken
  }

  /** Creates a thread without a message, for files that come before the first one. Returns its id. */
  async createThread(): Promise<Result<string, ClientFailure>> {
    const made = await this.json<{ readonly thread_id: string }>('POST', '/v1/threads')
    return made.ok ? ok(made.value.body.thread_id) : made
  }

  /** Every file of a thread whose path begins with `prefix`, sorted by path. */
  async files(threadId: string, prefix = ''): Promise<Result<readonly FileInfo[], ClientFailure>> {
    const query = prefix === '' ? {} : { prefix }
    return everyPage((cursor) => pageOf(this, filesOf(threadId), query, { cursor, limit: PAGE_MAX }))
  }

  /** Uploads files into `uploads/`, all or none. Returns their paths: names may be cleaned or numbered. */
  async upload(
    threadId: string,
    files: readonly NamedBytes[],
  ): Promise<Result<readonly FileInfo[], ClientFailure>> {
    const form = new FormData()
    for (const { name, data } of files) form.append('files[]', new Blob([data]), name)
    const sent = await this.json<{ readonly data: readonly FileInfo[] }>('POST', filesOf(threadId), form)
    return sent.ok ? ok(sent.value.body.data) : sent
  }

  /** A file's bytes, which the caller reads or cancels. `path`: relative to the root, `outputs/report.md`. */
  async file(threadId: string, path: string): Promise<Result<Response, ClientFailure>> {
    const names = path.split('/').map(encodeURIComponent).join('/')
    return this.#send('GET', `${filesOf(threadId)}/${names}`, undefined, {})
  }

  /**
   * Starts a run and follows it to its terminal event. With `idempotencyKey` a retry is safe: it finds the run that the lost
   * request started.
   */
  async chat(
    request: ChatRequest,
    idempotencyKey: string,
    listener: Listener,
  ): Promise<Result<ChatEnd, ClientFailure>> {
    const headers = { 'Idempotency-Key': idempotencyKey, Accept: 'text/event-stream' }
    let response = await this.#send(
      'POST',
      '/v1/chat',
      { ...request, stream: true },
      headers,
      listener.signal,
    )
    for (let tries = 1; !response.ok && isDown(response.error) && tries < CLIENT_START_TRIES; tries++) {
      await this.wait(backoff(tries - 1))
      response = await this.#send('POST', '/v1/chat', { ...request, stream: true }, headers, listener.signal)
    }
    if (!response.ok) return response
    const threadId = response.value.headers.get('X-Thread-Id')
    const runId = response.value.headers.get('X-Run-Id')
    if (!threadId || !runId || !response.value.body)
      return err({
        kind: 'broken',
        detail: 'POST /v1/chat: no X-Thread-Id, X-Run-Id or stream in the answer',
      })
    listener.onStarted?.({ threadId, runId })
    return this.#follow(threadId, runId, null, response.value, listener)
  }

  /** A run's events after number `after` (null: from its first), to its terminal event. */
  async follow(
    threadId: string,
    runId: string,
    after: number | null,
    listener: Listener,
  ): Promise<Result<ChatEnd, ClientFailure>> {
    return this.#follow(threadId, runId, after, null, listener)
  }

  async #follow(
    threadId: string,
    runId: string,
    after: number | null,
    first: Response | null,
    listener: Listener,
  ): Promise<Result<ChatEnd, ClientFailure>> {
    const path = `/v1/threads/${encodeURIComponent(threadId)}/runs/${encodeURIComponent(runId)}/events`
    const seen: Seen = { last: after, waiting: false }
    let given = first
    let failure: ClientFailure = { kind: 'unreachable', detail: 'the stream closed before the run ended' }
    for (let tries = 0; tries < CLIENT_RESUME_TRIES; tries++) {
      const before = seen.last
      const response = given
        ? ok(given)
        : await this.#send('GET', path, undefined, cursor(seen.last), listener.signal)
      given = null
      const read = response.ok ? await readOn(response.value, seen, listener) : response
      if (read.ok && read.value) return ok({ threadId, runId, terminal: read.value })
      if (listener.signal?.aborted) return err({ kind: 'left', detail: 'the run was left as it is' })
      if (!read.ok) failure = read.error
      if (!isDown(failure)) return err(failure)
      if (seen.last !== before) tries = 0
      // A waiting run may be silent for days, and streams are closed before that.
      if (read.ok && seen.waiting) tries = Math.min(tries, CLIENT_RESUME_TRIES - 2)
      const waitMs = backoff(tries)
      listener.onReconnect?.(waitMs)
      await this.wait(waitMs)
    }
    return err(failure)
  }

  async #send(
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<Result<Response, ClientFailure>> {
    const raw = body instanceof Uint8Array
    // A form sets its own type, with the boundary.
    const form = body instanceof FormData
    const type =
      body === undefined || form ? {} : { 'Content-Type': `application/${raw ? 'octet-stream' : 'json'}` }
    let response: Response
    try {
      response = await this.#options.fetch(`${this.#options.url}${path}`, {
        method,
        ...(signal ? { signal } : {}),
        headers: { Authorization: `Bearer ${this.#options.key}`, ...type, ...headers },
        // The wider type allows shared memory, which bytes from a script never use.
        ...(body === undefined
          ? {}
          : { body: form ? body : raw ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
      })
    } catch (error) {
      if (signal?.aborted) return err({ kind: 'left', detail: 'the request was left before its answer came' })
      return err({ kind: 'unreachable', detail: `${this.#options.url} does not answer: ${reason(error)}` })
    }
    return response.ok ? ok(response) : err(await refusal(response))
  }
}

function filesOf(threadId: string): string {
  return `/v1/threads/${encodeURIComponent(threadId)}/files`
}

interface Seen {
  /** Number of the last event delivered; null if there is none yet. */
  last: number | null
  /** Whether the run waits for a person after that event. */
  waiting: boolean
}

/** Delivers the new events of a stream. Returns the terminal event, or null if the stream closed before one. */
async function readOn(
  response: Response,
  seen: Seen,
  listener: Listener,
): Promise<Result<TerminalEvent | null, ClientFailure>> {
  if (!response.body) return ok(null)
  try {
    for await (const event of readEvents(response.body)) {
      if (seen.last !== null && event.seq <= seen.last) continue
      seen.last = event.seq
      if (event.type === 'run.waiting' || event.type === 'run.resumed')
        seen.waiting = event.type === 'run.waiting'
      listener.onEvent(event)
      if (isTerminalEvent(event)) return ok(event)
    }
    return ok(null)
  } catch (error) {
    return err({ kind: 'unreachable', detail: `the connection was lost: ${reason(error)}` })
  }
}

function cursor(last: number | null): Record<string, string> {
  return { Accept: 'text/event-stream', ...(last === null ? {} : { 'Last-Event-ID': String(last) }) }
}
