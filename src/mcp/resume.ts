// Sends a message and, if the server closes its stream before the answer, reads on from the last event with a GET request,
// as the revisions with sessions allow. The message itself is never sent again.

import type { Clock } from '../lib/clock.ts'
import { pause } from '../lib/pause.ts'
import { err, ok, type Result } from '../lib/result.ts'
import type { FetchFailure, FetchTerms, GuardedStream } from '../net/fetch.ts'
import { MCP_RESUME_WAIT_MAX_MS, MCP_RESUME_WAIT_MS, MCP_RESUMES_MAX } from './limits.ts'
import {
  eventsIn,
  exchange,
  isEventStream,
  nextAnswer,
  type Exchange,
  type RpcMessage,
  type RpcTarget,
  type StreamPosition,
} from './transport.ts'

export async function exchangeAndResume(
  stream: GuardedStream,
  target: RpcTarget,
  message: RpcMessage & { readonly id: number },
  terms: FetchTerms,
  onProgress: (text: string) => void,
  now: Clock,
): Promise<Result<Exchange, FetchFailure>> {
  const endsAt = now() + terms.timeoutMs
  const position: StreamPosition = { lastEventId: null, retryMs: null }
  const sent = await exchange(stream, target, message, terms, onProgress, position)
  if (!isUnanswered(sent)) return sent
  for (let resumed = 0; resumed < MCP_RESUMES_MAX; resumed += 1) {
    const id = position.lastEventId
    if (id === null || !/^[\x21-\x7e]{1,1000}$/.test(id)) return sent
    await pause(Math.min(position.retryMs ?? MCP_RESUME_WAIT_MS, MCP_RESUME_WAIT_MAX_MS), terms.signal)
    const timeoutMs = endsAt - now()
    if (timeoutMs <= 0 || terms.signal.aborted) return over(terms)
    const headers = { ...target.headers, Accept: 'text/event-stream', 'Last-Event-ID': id }
    const request = { method: 'GET', url: target.url, headers, body: null } as const
    const read = await stream(request, { ...terms, timeoutMs }, async (response) => {
      if (response.status !== 200 || !isEventStream(response)) return 'refused'
      return nextAnswer(eventsIn(response, position), message.id, onProgress)
    })
    if (!read.ok && (read.error.code === 'timeout' || read.error.code === 'stopped')) return over(terms)
    if (!read.ok || read.value === 'refused') return sent
    if (read.value) return ok({ status: 200, headers: {}, answer: read.value })
  }
  return sent
}

/** Returns a failure that says that the message was sent: the server may still be working on it. */
function over({ signal, timeoutMs }: FetchTerms): Result<never, FetchFailure> {
  return err(
    signal.aborted
      ? { code: 'stopped', detail: 'The call was stopped before the server answered.', sent: true }
      : { code: 'timeout', detail: `The server did not answer within ${timeoutMs / 1000} s.`, sent: true },
  )
}

/** Whether the server accepted the message and then ended or lost its stream. */
function isUnanswered(sent: Result<Exchange, FetchFailure>): boolean {
  if (!sent.ok) return sent.error.code === 'unreachable'
  return sent.value.status === 200 && sent.value.answer.kind === 'other'
}
