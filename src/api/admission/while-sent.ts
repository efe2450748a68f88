// A turn in a line for an answer that is made while it is sent: its place is held until the body is through, was called off, or
// its client takes nothing for too long. Then the body breaks off, and what it held is free.

import type { Clock } from '../../lib/clock.ts'
import { ok } from '../../lib/result.ts'
import type { Reply } from '../route/route.ts'
import type { QueueTurn } from '../../lib/weighted-semaphore.ts'
import type { RequestQueue } from './request-queue.ts'
import { SENT_IDLE_MS, SENT_JUDGED_MS, SENT_SLOW_BYTES_S } from './limits.ts'

export async function whileSent(
  line: RequestQueue,
  key: string,
  now: Clock,
  make: (turn: QueueTurn) => Promise<Reply>,
): Promise<Reply> {
  const answered = Promise.withResolvers<Reply>()
  const held = line.inTurn(key, async (turn) => {
    const reply = await make(turn)
    if (!(reply instanceof Response) || !reply.body) {
      answered.resolve(reply)
      return ok(null)
    }
    const { body, over } = watched(reply.body, turn, now)
    answered.resolve(new Response(body, reply))
    await over
    return ok(null)
  })
  held.then((done) => {
    if (!done.ok) answered.resolve(done)
  }, answered.reject)
  return answered.promise
}

/** The same bytes; `over` resolves when nothing more is made of them. */
function watched(
  source: ReadableStream<Uint8Array>,
  turn: QueueTurn,
  now: Clock,
): { readonly body: ReadableStream<Uint8Array>; readonly over: Promise<void> } {
  const reader = source.getReader()
  const over = Promise.withResolvers<void>()
  let sent = 0
  /** How long the client did not take what was there (ms); `since`: it has not yet. */
  let waitedMs = 0
  let since: number | null = null
  let idle: ReturnType<typeof setTimeout> | undefined
  const waited = (): number => waitedMs + (since === null ? 0 : now() - since)
  const end = (): void => {
    clearTimeout(idle)
    over.resolve()
  }
  /** Its place went to another: seen here, as another's request must not touch this stream. */
  let lost = false
  const breakOff = (controller: ReadableStreamDefaultController): void => {
    controller.error(new Error('The client took too little of this answer.'))
    void reader.cancel().catch(() => {})
    end()
  }
  const offer = (controller: ReadableStreamDefaultController): void => {
    since = now()
    idle = setTimeout(() => breakOff(controller), SENT_IDLE_MS)
  }
  const slow = (): number | null => {
    const pace = (sent * 1_000) / Math.max(1, waited())
    return waited() >= SENT_JUDGED_MS && pace < SENT_SLOW_BYTES_S ? pace : null
  }
  turn.mayLose(slow, () => (lost = true))
  const body = new ReadableStream<Uint8Array>(
    {
      start: offer,
      async pull(controller) {
        clearTimeout(idle)
        waitedMs = waited()
        since = null
        turn.alive()
        if (lost) {
          breakOff(controller)
          return
        }
        try {
          const { done, value } = await reader.read()
          if (done) {
            controller.close()
            end()
            return
          }
          sent += value.byteLength
          controller.enqueue(value)
          offer(controller)
        } catch (error) {
          end()
          throw error
        }
      },
      async cancel(reason) {
        end()
        await reader.cancel(reason)
      },
    },
    // Nothing is made before the client takes it.
    { highWaterMark: 0 },
  )
  return { body, over: over.promise }
}
