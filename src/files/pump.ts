// Copies a stream piece by piece, with pauses. A local server has one thread for the store and all requests, and would serve no
// requests as long as a stream has data to read.

import { COPY_PIECE_BYTES, COPY_REST_MS } from './limits.ts'

const NOTHING = (): void => undefined

/**
 * Copies one stream to another. If either fails, ends the other and rejects. `taken` settles when the consumer of `to` has read
 * everything or has given up.
 */
export async function pumpSlowly(
  from: ReadableStream<Uint8Array>,
  to: WritableStream<Uint8Array>,
  taken: Promise<unknown>,
): Promise<void> {
  taken.catch(NOTHING)
  const reader = from.getReader({ mode: 'byob' })
  const writer = to.getWriter()
  writer.closed.catch(NOTHING)
  // The consumer may fail without notifying the writer, which would then wait forever.
  const orFailed = (work: Promise<void>): Promise<unknown> => Promise.race([work, taken])
  try {
    for (;;) {
      const { done, value } = await reader.readAtLeast(COPY_PIECE_BYTES, new Uint8Array(COPY_PIECE_BYTES))
      if (value && value.length > 0) await orFailed(writer.write(value))
      if (done) break
      await new Promise((resolve) => setTimeout(resolve, COPY_REST_MS))
    }
    await orFailed(writer.close())
  } catch (error) {
    void reader.cancel(error).catch(NOTHING)
    void writer.abort(error).catch(NOTHING)
    throw error
  }
}
