// Copies a stream piece by piece, with pauses. A local server has one thread for the store and all requests, and would serve no
// requests as long as a stream has data to read.

import { pause } from '../lib/pause.ts'
import { COPY_PIECE_BYTES, COPY_PAUSE_MS } from './limits.ts'

const IGNORE = (): void => undefined

/** Writes parts to a stream, with a pause after each. Otherwise like `pumpSlowly`. */
export async function writeSlowly(
  parts: AsyncIterable<Uint8Array>,
  to: WritableStream<Uint8Array>,
  consumed: Promise<unknown>,
): Promise<void> {
  consumed.catch(IGNORE)
  const writer = to.getWriter()
  writer.closed.catch(IGNORE)
  const untilFailure = (work: Promise<void>): Promise<unknown> => Promise.race([work, consumed])
  try {
    for await (const part of parts) {
      await untilFailure(writer.write(part))
      await pause(COPY_PAUSE_MS)
    }
    await untilFailure(writer.close())
  } catch (error) {
    void writer.abort(error).catch(IGNORE)
    throw error
  }
}

/**
 * Copies one stream to another. If either fails, ends the other and rejects. `consumed` settles when the
 * consumer of `to` has read everything or has given up.
 */
export async function pumpSlowly(
  from: ReadableStream<Uint8Array>,
  to: WritableStream<Uint8Array>,
  consumed: Promise<unknown>,
): Promise<void> {
  consumed.catch(IGNORE)
  const reader = from.getReader({ mode: 'byob' })
  const writer = to.getWriter()
  writer.closed.catch(IGNORE)
  // The consumer may fail without notifying the writer, which would then wait forever.
  const untilFailure = (work: Promise<void>): Promise<unknown> => Promise.race([work, consumed])
  try {
    for (;;) {
      const { done, value } = await reader.readAtLeast(COPY_PIECE_BYTES, new Uint8Array(COPY_PIECE_BYTES))
      if (value && value.length > 0) await untilFailure(writer.write(value))
      if (done) break
      await pause(COPY_PAUSE_MS)
    }
    await untilFailure(writer.close())
  } catch (error) {
    void reader.cancel(error).catch(IGNORE)
    void writer.abort(error).catch(IGNORE)
    throw error
  }
}
