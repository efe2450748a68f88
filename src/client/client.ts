// A typed client of the HTTP API that uses only Web standards. It follows a run to its end, reconnecting if the connection is
// lost, and never delivers an event twice.

import { CLIENT_RETRY_FIRST_MS, PAGE_SIZE_MAX } from '../limits/requests.ts'
import { CLIENT_RECONNECTS_MAX, CLIENT_RETRY_MAX_MS, CLIENT_START_ATTEMPTS_MAX } from './limits.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { isServerDown, reasonOf, readFailure } from './failures.ts'
import { readAllPages, readPage } from './pages.ts'
import { readEvents } from './sse.ts'
import type { Event } from '../agent/events.ts'
import type { ApprovalDecided, ApprovalInfo } from '../thread/approvals/api.ts'
import type { FileInfo } from '../thread/api.ts'
import type {
  JsonResponse,
  CallDecision,
  ChatEnd,
  ChatRequest,
  ClientFailure,
  Listener,
  UploadFile,
  TerminalEvent,
} from './types.ts'

export interface ClientOptions {
  /** The server's origin without a path, such as `http://127.0.0.1:8787`. */
  readonly url: string
  readonly key: string
  fetch(url: string, init?: RequestInit): Promise<Response>
  /** Pauses between attempts. */
  wait(ms: number): Promise<void>
}

const TERMINAL_EVENT_TYPES: ReadonlySet<string> = new Set(['run.completed', 'run.failed', 'run.cancelled'])

function isTerminalEvent(event: Event): event is TerminalEvent {
  return TERMINAL_EVENT_TYPES.has(event.type)
}

function backoffMs(attempt: number): number {
  return Math.min(CLIENT_RETRY_MAX_MS, CLIENT_RETRY_FIRST_MS * 2 ** attempt)
}

export class Client {
  readonly #options: ClientOptions
  /** Pauses between attempts. */
  readonly wait: ClientOptions['wait']

  constructor(options: ClientOptions) {
    this.wait = async (ms) => options.wait(ms)
    this.#options = { ...options, url: options.url.replace(/\/+$/, '') }
  }

  /**
   * Sends one request and parses the response as JSON. A form or bytes are sent unchanged, any other `body` as JSON. The shape of
   * the response is not checked.
   */
  async json<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Result<JsonResponse<T>, ClientFailure>> {
    const response = await this.#send(method, path, body, headers)
    if (!response.ok) return response
    let text: string
    try {
      text = await response.value.text()
    } catch (error) {
      return err({ kind: 'unreachable', detail: `the connection was lost: ${reasonOf(error)}` })
    }
    try {
      // The cast trusts the API contract. An empty response (204) becomes null.
      const value = (text === '' ? null : JSON.parse(text)) as T
      return ok({ status: response.value.status, headers: response.value.headers, body: value })
    } catch (error) {
      return err({ kind: 'broken', detail: `${method} ${path}: the response is not JSON (${String(error)})` })
    }
  }

  /** Reads a response that is not JSON, such as a file or an archive. */
  async bytes(path: string): Promise<Result<Uint8Array<ArrayBuffer>, ClientFailure>> {
    const response = await this.#send('GET', path, undefined, {})
    if (!response.ok) return response
    try {
      return ok(new Uint8Array(await response.value.arrayBuffer()))
    } catch (error) {
      return err({ kind: 'unreachable', detail: `the connection was lost: ${reasonOf(error)}` })
    }
  }

  /** Lists the calls that wait for the caller's approval, oldest first. */
  async listApprovals(): Promise<Result<readonly ApprovalInfo[], ClientFailure>> {
    return readAllPages((cursor) => readPage(this, '/v1/approvals', {}, { cursor, limit: PAGE_SIZE_MAX }))
  }

  /** Approves or denies a waiting call. Repeating the same decision is safe. */
  async decideCall(
    threadId: string,
    runId: string,
    toolUseId: string,
    decision: CallDecision,
  ): Promise<Result<ApprovalDecided, ClientFailure>> {
    const [thread, run, call] = [threadId, runId, toolUseId].map(encodeURIComponent)
    const path = `/v1/threads/${thread}/runs/${run}/approvals/${call}`
    const body = Object.fromEntries(Object.entries(decision).filter(([, value]) => value !== null))
    const response = await this.json<ApprovalDecided>('POST', path, body)
    return response.ok ? ok(response.value.body) : response
  }

  /** Creates a thread without a message, so that files can be uploaded before the first message. Returns its ID. */
  async createThread(): Promise<Result<string, ClientFailure>> {
    const response = await this.json<{ readonly thread_id: string }>('POST', '/v1/threads')
    return response.ok ? ok(response.value.body.thread_id) : response
  }

  /** Lists the files of a thread whose paths begin with `prefix`, sorted by path. */
  async listFiles(threadId: string, prefix = ''): Promise<Result<readonly FileInfo[], ClientFailure>> {
    const query = prefix === '' ? {} : { prefix }
    const path = filesPath(threadId)
    return readAllPages((cursor) => readPage(this, path, query, { cursor, limit: PAGE_SIZE_MAX }))
  }

  /**
   * Uploads either all files into `uploads/` or none. Returns the stored files, because the server may sanitize or number their
   * names.
   */
  async upload(
    threadId: string,
    files: readonly UploadFile[],
  ): Promise<Result<readonly FileInfo[], ClientFailure>> {
    const form = new FormData()
    for (const { name, data } of files) form.append('files[]', new Blob([data]), name)
    const response = await this.json<{ readonly data: readonly FileInfo[] }>(
      'POST',
      filesPath(threadId),
      form,
    )
    return response.ok ? ok(response.value.body.data) : response
  }

  /**
   * Requests a file. The caller must read or cancel the response's body. `path`: relative to the root, such as
   * `outputs/report.md`.
   */
  async requestFile(threadId: string, path: string): Promise<Result<Response, ClientFailure>> {
    const names = path.split('/').map(encodeURIComponent).join('/')
    return this.#send('GET', `${filesPath(threadId)}/${names}`, undefined, {})
  }

  /**
   * Starts a run and follows it to its terminal event. `idempotencyKey` makes retries safe: a retry finds the run that the lost
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
    for (
      let attempts = 1;
      !response.ok && isServerDown(response.error) && attempts < CLIENT_START_ATTEMPTS_MAX;
      attempts++
    ) {
      await this.wait(backoffMs(attempts - 1))
      response = await this.#send('POST', '/v1/chat', { ...request, stream: true }, headers, listener.signal)
    }
    if (!response.ok) return response
    const threadId = response.value.headers.get('X-Thread-Id')
    const runId = response.value.headers.get('X-Run-Id')
    if (!threadId || !runId || !response.value.body)
      return err({
        kind: 'broken',
        detail: 'POST /v1/chat: the response lacks X-Thread-Id, X-Run-Id or a stream',
      })
    listener.onStarted?.({ threadId, runId })
    return this.#follow(threadId, runId, null, response.value, listener)
  }

  /** Follows a run from the event after number `after`, or from the first one if null, to its terminal event. */
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
    const progress: FollowProgress = { lastSeq: after, isWaiting: false }
    let openResponse = first
    let failure: ClientFailure = { kind: 'unreachable', detail: 'the stream closed before the run ended' }
    for (let attempts = 0; attempts < CLIENT_RECONNECTS_MAX; attempts++) {
      const seqBefore = progress.lastSeq
      const response = openResponse
        ? ok(openResponse)
        : await this.#send('GET', path, undefined, resumeHeaders(progress.lastSeq), listener.signal)
      openResponse = null
      const result = response.ok ? await deliverEvents(response.value, progress, listener) : response
      if (result.ok && result.value) return ok({ threadId, runId, terminal: result.value })
      if (listener.signal?.aborted)
        return err({ kind: 'left', detail: 'stopped following the run, which continues' })
      if (!result.ok) failure = result.error
      if (!isServerDown(failure)) return err(failure)
      if (progress.lastSeq !== seqBefore) attempts = 0
      // A waiting run may be silent for days, so never give up on it: its idle streams are closed long before.
      if (result.ok && progress.isWaiting) attempts = Math.min(attempts, CLIENT_RECONNECTS_MAX - 2)
      const waitMs = backoffMs(attempts)
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
    const { url, key } = this.#options
    const isBytes = body instanceof Uint8Array
    const isForm = body instanceof FormData
    // For a form, fetch sets the content type, which includes the boundary.
    const type =
      body === undefined || isForm
        ? {}
        : { 'Content-Type': `application/${isBytes ? 'octet-stream' : 'json'}` }
    let response: Response
    try {
      response = await this.#options.fetch(`${url}${path}`, {
        method,
        ...(signal ? { signal } : {}),
        headers: { Authorization: `Bearer ${key}`, ...type, ...headers },
        // The cast is safe: bytes from a script never use shared memory, which the wider type allows.
        ...(body === undefined
          ? {}
          : { body: isForm ? body : isBytes ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
      })
    } catch (error) {
      if (signal?.aborted)
        return err({ kind: 'left', detail: 'the request was cancelled before its response' })
      return err({ kind: 'unreachable', detail: `${url} does not respond: ${reasonOf(error)}` })
    }
    return response.ok ? ok(response) : err(await readFailure(response))
  }
}

function filesPath(threadId: string): string {
  return `/v1/threads/${encodeURIComponent(threadId)}/files`
}

interface FollowProgress {
  /** The sequence number of the last event delivered, or null if no event was delivered. */
  lastSeq: number | null
  /** Whether the run waits for a person after that event. */
  isWaiting: boolean
}

/** Delivers the new events of a stream. Returns the terminal event, or null if the stream closed before it. */
async function deliverEvents(
  response: Response,
  progress: FollowProgress,
  listener: Listener,
): Promise<Result<TerminalEvent | null, ClientFailure>> {
  if (!response.body) return ok(null)
  try {
    for await (const event of readEvents(response.body)) {
      if (progress.lastSeq !== null && event.seq <= progress.lastSeq) continue
      progress.lastSeq = event.seq
      if (event.type === 'run.waiting' || event.type === 'run.resumed')
        progress.isWaiting = event.type === 'run.waiting'
      listener.onEvent(event)
      if (isTerminalEvent(event)) return ok(event)
    }
    return ok(null)
  } catch (error) {
    return err({ kind: 'unreachable', detail: `the connection was lost: ${reasonOf(error)}` })
  }
}

function resumeHeaders(lastSeq: number | null): Record<string, string> {
  return { Accept: 'text/event-stream', ...(lastSeq === null ? {} : { 'Last-Event-ID': String(lastSeq) }) }
}
