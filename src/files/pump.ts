// Copies a stream piece by piece with pauses. A local server has one thread for the store and all requests, and would
// serve no request while a stream always has more to read.

import { COPY_PIECE_BYTES, COPY_REST_MS } from './limits.ts'

const NOTHING = (): void => undefined

/**
 * Rejects when one side fails, and ends the other. `taken` settles when everything was read from `to`, or when its
 * reader gives up.
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
  // The reader may fail without telling the writer, which would then wait forever.
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
