// Sends one message of the Model Context Protocol over Streamable HTTP and reads the answer, from JSON or from a stream
// of events. Knows no sessions and no revisions.

import { createParser } from 'eventsource-parser'

import { jsonDepth } from '../lib/json-depth.ts'
import type { Result } from '../lib/result.ts'
import type { ArrivingResponse, FetchFailure, FetchTerms, GuardedStream } from '../net/fetch.ts'
import { MCP_JSON_MAX_DEPTH } from './limits.ts'
import { answerIn, progressIn, type RpcAnswer } from './protocol.ts'

/** A response without an answer to the request: an HTTP error, a notification that was accepted, or nonsense. */
interface OtherAnswer {
  readonly kind: 'other'
  /** Why there is no answer, as the end of a sentence that begins with the server. */
  readonly why: string
}

export interface Exchange {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly answer: RpcAnswer | OtherAnswer
}

interface RpcMessage {
  readonly method: string
  readonly params?: unknown
  /** Null for a notification. */
  readonly id: number | null
}

/** Sends a message. A response of any status is a value; the failure is that of the request. */
export async function exchange(
  stream: GuardedStream,
  { url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  { method, params, id }: RpcMessage,
  terms: FetchTerms,
  onProgress: (text: string) => void,
): Promise<Result<Exchange, FetchFailure>> {
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
  return stream(request, terms, async (response) => {
    const answer = await readAnswer(response, id, onProgress)
    return { status: response.status, headers: response.headers, answer }
  })
}

async function readAnswer(
  response: ArrivingResponse,
  id: number | null,
  onProgress: (text: string) => void,
): Promise<Exchange['answer']> {
  if (id === null) return { kind: 'other', why: `answered with HTTP ${response.status}` }
  const isStream = /^\s*text\/event-stream\b/i.test(response.headers['content-type'] ?? '')
  const answer = isStream
    ? await readStream(response, id, onProgress)
    : answerIn(parseJson(await readText(response)), id)
  if (answer) return answer
  const why = response.isCut()
    ? `answered with HTTP ${response.status} and more bytes than are read`
    : `answered with HTTP ${response.status}, but not with an answer of the Model Context Protocol`
  return { kind: 'other', why }
}

/** Reads until the answer has arrived, and then no further: a server may keep the stream open. */
async function readStream(
  response: ArrivingResponse,
  id: number,
  onProgress: (text: string) => void,
): Promise<RpcAnswer | null> {
  const messages: unknown[] = []
  const parser = createParser({ onEvent: ({ data }) => messages.push(parseJson(data)) })
  const decoder = new TextDecoder()
  for (let bytes = await response.read(); bytes; bytes = await response.read()) {
    parser.feed(decoder.decode(bytes, { stream: true }))
    for (const message of messages.splice(0)) {
      const answer = answerIn(message, id)
      if (answer) return answer
      const progress = progressIn(message)
      if (progress !== null) onProgress(progress)
    }
  }
  return null
}

async function readText(response: ArrivingResponse): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for (let bytes = await response.read(); bytes; bytes = await response.read())
    text += decoder.decode(bytes, { stream: true })
  return text + decoder.decode()
}

/** Null if the text is no JSON, or nests so deeply that code that reads it would fail. */
function parseJson(text: string): unknown {
  try {
    return jsonDepth(text) > MCP_JSON_MAX_DEPTH ? null : JSON.parse(text)
  } catch {
    return null
  }
}
