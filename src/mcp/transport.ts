// Sends one message of the Model Context Protocol in a POST request and reads the answer, from JSON or from a stream
// of events. Knows no sessions and no revisions.

import { createParser, type EventSourceMessage } from 'eventsource-parser'

import { jsonDepth } from '../lib/json-depth.ts'
import type { Result } from '../lib/result.ts'
import type { ArrivingResponse, FetchFailure, FetchTerms, GuardedStream } from '../net/fetch.ts'
import { MCP_JSON_MAX_DEPTH } from './limits.ts'
import { answerIn, progressIn, type RpcAnswer } from './protocol.ts'

/** A response without an answer to the request: an HTTP error, a notification that was accepted, or nonsense. */
export interface OtherAnswer {
  readonly kind: 'other'
  /** Why there is no answer, as the end of a sentence that begins with the server. */
  readonly why: string
  /** Whether it was longer than is read. Another attempt would be, too. */
  readonly isCut?: boolean
}

export interface Exchange {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly answer: RpcAnswer | OtherAnswer
}

export interface RpcMessage {
  readonly method: string
  readonly params?: unknown
  /** Null for a notification. */
  readonly id: number | null
}

export interface RpcTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** The position at which a stream of events ended. */
export interface StreamPosition {
  lastEventId: string | null
  /** How long the server wants a client to wait before it resumes the stream. */
  retryMs: number | null
}

/** Sends a message. A response of any status is a value; the failure is that of the request. */
export function exchange(
  stream: GuardedStream,
  target: RpcTarget,
  message: RpcMessage,
  terms: FetchTerms,
  onProgress: (text: string) => void,
  position?: StreamPosition,
): Promise<Result<Exchange, FetchFailure>> {
  return post(stream, target, message, terms, async (response) => {
    const answer = await readAnswer(response, message.id, onProgress, position)
    return { status: response.status, headers: response.headers, answer }
  })
}

/** Sends a message, and returns its response as `read` parses it. */
export function post<T>(
  stream: GuardedStream,
  { url, headers }: RpcTarget,
  { method, params, id }: RpcMessage,
  terms: FetchTerms,
  use: (response: ArrivingResponse) => Promise<T>,
): Promise<Result<T, FetchFailure>> {
  const message = { jsonrpc: '2.0', ...(id === null ? {} : { id }), method, ...(params ? { params } : {}) }
  const request = {
    method: 'POST',
    url,
    headers: {
      ...headers,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(message),
  } as const
  return stream(request, terms, use)
}

async function readAnswer(
  response: ArrivingResponse,
  id: number | null,
  onProgress: (text: string) => void,
  position?: StreamPosition,
): Promise<Exchange['answer']> {
  if (id === null) return { kind: 'other', why: `answered with HTTP ${response.status}` }
  const answer = isEventStream(response)
    ? await nextAnswer(eventsIn(response, position), id, onProgress)
    : answerIn(jsonIn(await responseText(response)), id)
  return answer ?? { kind: 'other', why: whyNoAnswer(response), isCut: response.isCut() }
}

/** The end of a sentence that begins with the server. */
export function whyNoAnswer({ status, isCut }: Pick<ArrivingResponse, 'status' | 'isCut'>): string {
  return isCut()
    ? `answered with HTTP ${status} and a response that is too large`
    : `answered with HTTP ${status}, but not a valid MCP response`
}

export function isEventStream({ headers }: Pick<ArrivingResponse, 'headers'>): boolean {
  return /^\s*text\/event-stream\b/i.test(headers['content-type'] ?? '')
}

/** Keeps `position` up to date. */
export async function* eventsIn(
  { read }: Pick<ArrivingResponse, 'read'>,
  position: StreamPosition = { lastEventId: null, retryMs: null },
): AsyncGenerator<EventSourceMessage> {
  const events: EventSourceMessage[] = []
  const parser = createParser({
    onEvent: (event) => events.push(event),
    onRetry: (ms) => (position.retryMs = ms),
  })
  const decoder = new TextDecoder()
  for (let bytes = await read(); bytes; bytes = await read()) {
    parser.feed(decoder.decode(bytes, { stream: true }))
    for (const event of events.splice(0)) {
      position.lastEventId = event.id ?? position.lastEventId
      yield event
    }
  }
}

/**
 * Reads until the answer has arrived, and no further: a server may keep the stream open. Null if the stream ends
 * before.
 */
export async function nextAnswer(
  events: AsyncGenerator<EventSourceMessage>,
  id: number,
  onProgress: (text: string) => void,
): Promise<RpcAnswer | null> {
  for (let next = await events.next(); next.done !== true; next = await events.next()) {
    const message = jsonIn(next.value.data)
    const answer = answerIn(message, id)
    if (answer) return answer
    const progress = progressIn(message)
    if (progress !== null) onProgress(progress)
  }
  return null
}

export async function responseText(response: ArrivingResponse): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for (let bytes = await response.read(); bytes; bytes = await response.read())
    text += decoder.decode(bytes, { stream: true })
  return text + decoder.decode()
}

/** Null if the text is not JSON, or nests so deeply that recursive code would fail. */
export function jsonIn(text: string): unknown {
  try {
    return jsonDepth(text) > MCP_JSON_MAX_DEPTH ? null : JSON.parse(text)
  } catch {
    return null
  }
}
