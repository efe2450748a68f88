// The page's only way to the server: requests with the key, lists page by page, and a run's frames over broken
// connections. Failures are values; the key is never put into an address or a message.

import { hasEnded } from './run-state.js'
import { frameParser } from './sse.js'

/** @typedef {{ status: number, code: string, detail: string, requestId: string | null, retryMs: number | null }} Failure */
/** @typedef {{ ok: true, value: Response } | { ok: false, failure: Failure }} Answer */
/** @typedef {(path: string, init?: RequestInit) => Promise<Answer>} Call */
/** @typedef {import('./run-state.js').Event} Event */

/** Tries in a row without a new frame: together about 25 s, five times what a restart of the server takes. */
const TRIES = 6
const WAIT_FIRST_MS = 500
const WAIT_MAX_MS = 8_000
/** The server shows life every 15 s: a whole span of this without a byte means the line is dead. */
const IDLE_MS = 40_000
const PAGE = 100

/**
 * @param {string} key
 * @param {typeof fetch} fetcher
 * @returns {Call}
 */
export function createCall(key, fetcher) {
  return async (path, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${key}`)
    if (init.body) headers.set('content-type', 'application/json')
    let response
    try {
      response = await fetcher(path, { ...init, headers, cache: 'no-store' })
    } catch {
      return unreachable()
    }
    return answerOf(response)
  }
}

/** No answer came. */
export function unreachable() {
  return failed(0, 'offline', 'The server could not be reached. Is it running?', null)
}

/**
 * @param {Response} response
 * @returns {Promise<Answer>}
 */
export async function answerOf(response) {
  return response.ok ? { ok: true, value: response } : problem(response)
}

/**
 * All pages of a list, at most `pages`.
 * @param {Call} call
 * @param {string} path
 * @param {number} pages
 * @returns {Promise<{ ok: true, data: unknown[], more: boolean } | { ok: false, failure: Failure }>}
 */
export async function listAll(call, path, pages) {
  /** @type {unknown[]} */
  const data = []
  /** @type {string | null} */
  let cursor = null
  for (let page = 0; page < pages; page++) {
    const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const answer = await call(`${path}${path.includes('?') ? '&' : '?'}limit=${PAGE}${after}`)
    if (!answer.ok) return answer
    /** @type {{ data: unknown[], next_cursor: string | null }} */
    const body = await answer.value.json()
    data.push(...body.data)
    cursor = body.next_cursor
    if (cursor === null) break
  }
  return { ok: true, data, more: cursor !== null }
}

/**
 * Reads a run to its terminal frame, resuming after the last one seen. A POST that got no answer is sent again with
 * its Idempotency-Key: the server finds the same run.
 * @param {Call} call
 * @param {object} run
 * @param {string | null} run.threadId
 * @param {string | null} run.runId null: `start` makes it
 * @param {RequestInit | null} run.start the POST that makes the run
 * @param {(ids: { threadId: string, runId: string }) => void} run.onIds
 * @param {(event: Event) => import('./run-state.js').RunState} run.onEvent applies and returns the state
 * @param {(tries: number) => void} run.onWait the connection is lost, the next try waits
 * @param {AbortSignal} run.signal
 * @param {(ms: number) => Promise<void>} pause
 * @returns {Promise<Failure | null>} null: ended, or stopped by the signal
 */
export async function followRun(call, run, pause) {
  const { signal } = run
  let { threadId, runId } = run
  let seq = -1
  let tries = 0
  let waits = false
  for (;;) {
    const answer =
      threadId && runId
        ? await call(runPath(threadId, runId, 'events'), {
            headers: { accept: 'text/event-stream', ...(seq < 0 ? {} : { 'last-event-id': `${seq}` }) },
            signal,
          })
        : await call('/v1/chat', { ...run.start, signal })
    if (signal.aborted) return null
    let failure = answer.ok ? null : answer.failure
    if (answer.ok) {
      threadId = answer.value.headers.get('x-thread-id') ?? threadId
      runId = answer.value.headers.get('x-run-id') ?? runId
      if (threadId && runId) run.onIds({ threadId, runId })
      for await (const event of events(answer.value)) {
        tries = 0
        seq = Math.max(seq, event.seq)
        const state = run.onEvent(event)
        if (hasEnded(state)) return null
        waits = state.status === 'waiting'
      }
      if (signal.aborted) return null
      failure = { status: 0, code: 'cut', detail: 'The connection was lost.', requestId: null, retryMs: null }
    }
    if (!failure || !passes(failure, runId !== null) || ++tries > TRIES) return failure
    // While a person is waited for nothing comes, and the server closes a stream now and then.
    if (answer.ok && waits) tries = Math.min(tries, TRIES - 1)
    else run.onWait(tries)
    await pause(failure.retryMs ?? Math.min(WAIT_MAX_MS, WAIT_FIRST_MS * 2 ** (tries - 1)))
    if (signal.aborted) return null
  }
}

/**
 * @param {string} threadId
 * @param {string} runId
 * @param {string} [what]
 */
export function runPath(threadId, runId, what) {
  const path = `/v1/threads/${encodeURIComponent(threadId)}/runs/${encodeURIComponent(runId)}`
  return what ? `${path}/${what}` : path
}

/** Random, for one send. Not `randomUUID`: that is missing on plain http outside localhost. */
export function freshKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/**
 * Frames until the body ends, breaks or goes silent.
 * @param {Response} response
 * @returns {AsyncGenerator<Event>}
 */
async function* events(response) {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  const parse = frameParser()
  let heard = true
  const watch = setInterval(() => {
    if (!heard) void reader?.cancel().catch(() => undefined)
    heard = false
  }, IDLE_MS)
  try {
    while (reader) {
      const read = await reader.read()
      if (read.done) return
      heard = true
      for (const frame of parse(decoder.decode(read.value, { stream: true }))) yield JSON.parse(frame.data)
    }
  } catch {
    // A broken line is the same to the caller as one that ended early.
  } finally {
    clearInterval(watch)
    await reader?.cancel().catch(() => undefined)
  }
}

/**
 * Whether the same request may do better in a moment. A busy server asks a new message to wait: its sender decides.
 * @param {Failure} failure
 * @param {boolean} known the run exists already
 */
function passes({ status, code }, known) {
  return (
    status === 0 ||
    status === 502 ||
    status === 504 ||
    (status === 503 && code !== 'catalog_broken') ||
    (known && status === 429)
  )
}

/**
 * @param {Response} response
 * @returns {Promise<Answer>}
 */
async function problem(response) {
  const wait = Number(response.headers.get('retry-after'))
  const retryMs = wait > 0 ? Math.min(wait * 1000, WAIT_MAX_MS) : null
  const requestId = response.headers.get('x-request-id')
  /** @type {Partial<import('./run-state.js').Problem> | null} */
  const body = await response.json().catch(() => null)
  const extra = (body?.errors ?? []).map((error) => `${error.path}: ${error.message}`)
  const detail = [body?.detail ?? `The server answered ${response.status}.`, ...extra].join('\n')
  return failed(response.status, body?.code ?? `http_${response.status}`, detail, requestId, retryMs)
}

/**
 * @param {number} status
 * @param {string} code
 * @param {string} detail
 * @param {string | null} requestId
 * @param {number | null} [retryMs]
 * @returns {{ ok: false, failure: Failure }}
 */
function failed(status, code, detail, requestId, retryMs = null) {
  return { ok: false, failure: { status, code, detail, requestId, retryMs } }
}
