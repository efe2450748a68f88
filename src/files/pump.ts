// A stream passes piece by piece. A local server has one thread for the store and for all requests, and serves none of them
// while a stream always has more to read: so it rests after each piece.

import { COPY_PIECE_BYTES, COPY_REST_MS } from './limits.ts'

const NOTHING = (): void => undefined

/** Rejects where a side fails, and ends the other one. `taken` settles once all was read from `to`, or nobody reads it any more. */
export async function pumpSlowly(
  from: ReadableStream<Uint8Array>,
  to: WritableStream<Uint8Array>,
  taken: Promise<unknown>,
): Promise<void> {
  taken.catch(NOTHING)
  const reader = from.getReader({ mode: 'byob' })
  const writer = to.getWriter()
  writer.closed.catch(NOTHING)
  // Whoever reads may fail without a word to the writer, which then waits for ever.
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
