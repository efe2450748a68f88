// Holds a queue slot while a response is created and sent: until the body is sent or cancelled, or its client accepts
// nothing for too long. The body is then aborted and its memory freed.

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

/** The same bytes; `over` resolves when no more are produced. */
function watched(
  source: ReadableStream<Uint8Array>,
  turn: QueueTurn,
  now: Clock,
): { readonly body: ReadableStream<Uint8Array>; readonly over: Promise<void> } {
  const reader = source.getReader()
  const over = Promise.withResolvers<void>()
  let sent = 0
  /** How long the client did not take available bytes (ms); `since`: the current wait. */
  let waitedMs = 0
  let since: number | null = null
  let idle: ReturnType<typeof setTimeout> | undefined
  const waited = (): number => waitedMs + (since === null ? 0 : now() - since)
  const end = (): void => {
    clearTimeout(idle)
    over.resolve()
  }
  /** Another key took the slot. Checked here, because another request must not touch this stream. */
  let lost = false
  const breakOff = (controller: ReadableStreamDefaultController): void => {
    controller.error(new Error('The client received this answer too slowly.'))
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
    // Nothing is produced before the client asks for it.
    { highWaterMark: 0 },
  )
  return { body, over: over.promise }
}
