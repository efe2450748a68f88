// Sends a message of the Model Context Protocol over the older transport with two connections (HTTP+SSE): a stream names
// the endpoint for messages and brings the answers. Each message has a stream and a session of its own.

import type { EventSourceMessage } from 'eventsource-parser'

import { err, ok, type Result } from '../lib/result.ts'
import type { ArrivingResponse, FetchFailure, FetchTerms, GuardedStream } from '../net/fetch.ts'
import { chosenRevision, INITIALIZE, INITIALIZED } from './era.ts'
import { errorAnswer, withoutAnswer } from './failure.ts'
import { sessionHeaders } from './headers.ts'
import { SSE_REVISIONS } from './protocol.ts'
import {
  eventsIn,
  isEventStream,
  nextAnswer,
  post,
  whyNoAnswer,
  type Exchange,
  type RpcMessage,
} from './transport.ts'

type Outcome = Result<Exchange, FetchFailure>

interface SseTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly mask: (text: string) => string
}

/** The answer to the message. The message was not sent if the stream or the handshake failed. */
export async function exchangeOverSse(
  stream: GuardedStream,
  { url, headers, mask }: SseTarget,
  message: Pick<RpcMessage, 'method' | 'params'>,
  terms: FetchTerms,
  onProgress: (text: string) => void,
): Promise<Outcome> {
  let isSent = false
  const ended = new AbortController()
  const signal = AbortSignal.any([terms.signal, ended.signal])
  const opening = { ...headers, Accept: 'text/event-stream' }
  const talked = await stream(
    { method: 'GET', url, headers: opening, body: null },
    terms,
    async (response) => {
      const talk = new Talk(response)
      const endpoint = await talk.endpoint(url)
      if (!endpoint.ok) return talk.without(endpoint.error)
      const send = (sent: RpcMessage, revision: string | null): Promise<Result<number, FetchFailure>> => {
        const session = revision === null ? {} : sessionHeaders({ revision, id: null })
        const target = { url: endpoint.value, headers: { ...headers, ...session } }
        return post(stream, target, sent, { ...terms, signal }, async ({ status }) => status)
      }
      const hello = await talk.answerTo(1, send({ ...INITIALIZE, id: 1 }, null), () => undefined)
      if (!hello.ok || hello.value.answer.kind === 'other') return hello
      const { answer } = hello.value
      if (answer.kind === 'error') return refused(errorAnswer(hello.value.status, answer.error, mask).detail)
      const revision = chosenRevision(answer.result, SSE_REVISIONS, mask)
      if (!revision.ok) return refused(revision.error.detail)
      await send({ method: INITIALIZED, id: null }, revision.value)
      isSent = true
      return talk.answerTo(2, send({ ...message, id: 2 }, revision.value), onProgress)
    },
  )
  // Stops a request whose answer came over the stream.
  ended.abort()
  const outcome = talked.ok ? talked.value : talked
  return isSent ? outcome : unsent(outcome)
}

/** Reads the endpoint and the answers that a server sends over one stream. */
class Talk {
  readonly #response: ArrivingResponse
  readonly #events: AsyncGenerator<EventSourceMessage>

  constructor(response: ArrivingResponse) {
    this.#response = response
    this.#events = eventsIn(response)
  }

  /** The endpoint for messages, with which the stream begins. The error is the end of a sentence that begins with the server. */
  async endpoint(url: string): Promise<Result<string, string>> {
    if (this.#response.status !== 200 || !isEventStream(this.#response))
      return err(whyNoAnswer(this.#response))
    const first = await this.#events.next()
    if (first.done === true || first.value.event !== 'endpoint') return err(whyNoAnswer(this.#response))
    const endpoint = URL.parse(first.value.data.trim(), url)
    // Another origin must not receive the headers, which contain secrets.
    return endpoint?.origin === new URL(url).origin
      ? ok(endpoint.href)
      : err('sent a message endpoint that is not on its own origin')
  }

  /** The answer to a request, which may come before the response to its POST. */
  async answerTo(
    id: number,
    posted: Promise<Result<number, FetchFailure>>,
    onProgress: (text: string) => void,
  ): Promise<Outcome> {
    const answered = nextAnswer(this.#events, id, onProgress).then((answer): Outcome => {
      const { status, headers } = this.#response
      return answer ? ok({ status, headers, answer }) : this.without(whyNoAnswer(this.#response))
    })
    // The promise rejects when the stream closes, possibly while nothing awaits it.
    answered.catch(() => undefined)
    const failed = posted.then((result): Outcome | Promise<Outcome> => {
      if (!result.ok) return result
      const status = result.value
      return status < 300
        ? answered
        : ok({ status, headers: {}, answer: { kind: 'other', why: `answered with HTTP ${status}` } })
    })
    failed.catch(() => undefined)
    return Promise.race([answered, failed])
  }

  without(why: string): Outcome {
    const { status, headers } = this.#response
    return ok({ status, headers, answer: { kind: 'other', why } })
  }
}

function refused(detail: string): Result<never, FetchFailure> {
  return err({ code: 'not_allowed', detail, sent: false })
}

function unsent(outcome: Outcome): Outcome {
  if (!outcome.ok) return err({ ...outcome.error, sent: false })
  const { status, answer } = outcome.value
  // The status tells that the credentials were refused.
  return answer.kind === 'other' && status !== 401 ? refused(withoutAnswer(status, answer).detail) : outcome
}
