// Holds a queue slot while a response is created and sent. If the client accepts no data for too long, the response is aborted and
// its memory freed.

import type { Clock } from '../../lib/clock.ts'
import { ok } from '../../lib/result.ts'
import type { Reply } from '../route/route.ts'
import type { Slot } from '../../lib/semaphore-slot.ts'
import type { RequestQueue } from './request-queue.ts'
import { RESPONSE_IDLE_MAX_MS, RESPONSE_SPEED_CHECK_AFTER_MS, RESPONSE_MIN_BYTES_PER_S } from './limits.ts'

export async function holdWhileSent(
  queue: RequestQueue,
  key: string,
  now: Clock,
  make: (slot: Slot) => Promise<Reply>,
): Promise<Reply> {
  const pending = Promise.withResolvers<Reply>()
  const queued = queue.run(key, async (slot) => {
    const reply = await make(slot)
    if (!(reply instanceof Response) || !reply.body) {
      pending.resolve(reply)
      return ok(null)
    }
    const { body, ended } = watchBody(reply.body, slot, now)
    pending.resolve(new Response(body, reply))
    await ended
    return ok(null)
  })
  queued.then((result) => {
    if (!result.ok) pending.resolve(result)
  }, pending.reject)
  return pending.promise
}

/** Passes the bytes on and aborts a slow response. `ended` resolves when the body is sent, cancelled or aborted. */
function watchBody(
  source: ReadableStream<Uint8Array>,
  slot: Slot,
  now: Clock,
): { readonly body: ReadableStream<Uint8Array>; readonly ended: Promise<void> } {
  const reader = source.getReader()
  const ended = Promise.withResolvers<void>()
  let sentBytes = 0
  /** The total time that bytes were available and the client did not accept them (ms), except for the current wait. */
  let pastWaitsMs = 0
  /** The start of the current wait. */
  let waitingSince: number | null = null
  let idleTimer: ReturnType<typeof setTimeout> | undefined
  const waitedMs = (): number => pastWaitsMs + (waitingSince === null ? 0 : now() - waitingSince)
  const end = (): void => {
    clearTimeout(idleTimer)
    ended.resolve()
  }
  /** Set when another key takes the slot. The stream checks it, because no other request may touch this stream. */
  let hasLostSlot = false
  const abort = (controller: ReadableStreamDefaultController): void => {
    controller.error(new Error('The client received this response too slowly.'))
    void reader.cancel().catch(() => {})
    end()
  }
  const offer = (controller: ReadableStreamDefaultController): void => {
    waitingSince = now()
    idleTimer = setTimeout(() => abort(controller), RESPONSE_IDLE_MAX_MS)
  }
  const slowPace = (): number | null => {
    const pace = (sentBytes * 1_000) / Math.max(1, waitedMs())
    return waitedMs() >= RESPONSE_SPEED_CHECK_AFTER_MS && pace < RESPONSE_MIN_BYTES_PER_S ? pace : null
  }
  slot.allowPreemption(slowPace, () => (hasLostSlot = true))
  const body = new ReadableStream<Uint8Array>(
    {
      start: offer,
      async pull(controller) {
        clearTimeout(idleTimer)
        pastWaitsMs = waitedMs()
        waitingSince = null
        slot.reportProgress()
        if (hasLostSlot) {
          abort(controller)
          return
        }
        try {
          const { done, value } = await reader.read()
          if (done) {
            controller.close()
            end()
            return
          }
          sentBytes += value.byteLength
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
    // Without a buffer, bytes are produced only when the client requests them.
    { highWaterMark: 0 },
  )
  return { body, ended: ended.promise }
}
