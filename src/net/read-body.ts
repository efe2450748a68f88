// Reads a body up to a limit, which is counted after decompression. Uses at most twice the memory of the
// bytes that are returned, however small the chunks are.

import { BODY_FIRST_BUFFER_BYTES } from './limits.ts'

/**
 * Reads at most `maxBytes`, then cancels the body. `wait` awaits a promise and may reject before that promise settles.
 * Rejects if the body or `wait` does.
 */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  wait: <T>(work: Promise<T>) => Promise<T>,
): Promise<{ readonly bytes: Uint8Array; readonly cut: boolean }> {
  if (!body) return { bytes: new Uint8Array(), cut: false }
  const reader = body.getReader()
  let buffer = new Uint8Array(Math.min(maxBytes, BODY_FIRST_BUFFER_BYTES))
  let size = 0
  try {
    for (;;) {
      const { done, value } = await wait(reader.read())
      if (done) return { bytes: buffer.subarray(0, size), cut: false }
      const chunk = value.subarray(0, maxBytes - size)
      if (size + chunk.length > buffer.length)
        buffer = grow(buffer, Math.max(size + chunk.length, 2 * size), maxBytes)
      // The chunk is copied instead of collected, because a chunk of one byte may have a buffer of several
      // thousand bytes.
      buffer.set(chunk, size)
      size += chunk.length
      if (chunk.length < value.length) return { bytes: buffer.subarray(0, size), cut: true }
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

function grow(buffer: Uint8Array, minBytes: number, maxBytes: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.min(maxBytes, minBytes))
  larger.set(buffer)
  return larger
}
