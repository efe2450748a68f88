// Reads a body up to a limit, which is counted after decompression. Uses at most twice the memory of the
// bytes that are returned, however small the chunks are.

import type { ArrivingResponse } from './fetch.ts'
import { BODY_FIRST_BUFFER_BYTES } from './limits.ts'

type Body = Pick<ArrivingResponse, 'read' | 'isCut'>

/**
 * Reads at most `maxBytes` of a body, chunk by chunk. `wait` awaits a promise and may reject before that promise
 * settles. `read` rejects if the body or `wait` does.
 */
export function bodyReader(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  wait: <T>(work: Promise<T>) => Promise<T>,
): Body & { readonly close: () => void } {
  const reader = body?.getReader()
  let bytesLeft = maxBytes
  let cut = false
  const close = (): void => void reader?.cancel().catch(() => undefined)
  const read = async (): Promise<Uint8Array | null> => {
    if (!reader || cut) return null
    const { done, value } = await wait(reader.read())
    if (done) return null
    const chunk = value.subarray(0, bytesLeft)
    bytesLeft -= chunk.length
    cut = chunk.length < value.length
    if (cut) close()
    return chunk
  }
  return { read, isCut: () => cut, close }
}

/** Reads the whole body, at most `maxBytes`. Rejects if the body does. */
export async function readBody(
  { read, isCut }: Body,
  maxBytes: number,
): Promise<{ readonly bytes: Uint8Array; readonly cut: boolean }> {
  let buffer = new Uint8Array(Math.min(maxBytes, BODY_FIRST_BUFFER_BYTES))
  let size = 0
  for (let chunk = await read(); chunk; chunk = await read()) {
    if (size + chunk.length > buffer.length)
      buffer = grow(buffer, Math.max(size + chunk.length, 2 * size), maxBytes)
    // The chunk is copied instead of collected, because a chunk of one byte may have a buffer of several
    // thousand bytes.
    buffer.set(chunk, size)
    size += chunk.length
  }
  return { bytes: buffer.subarray(0, size), cut: isCut() }
}

function grow(buffer: Uint8Array, minBytes: number, maxBytes: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.min(maxBytes, minBytes))
  larger.set(buffer)
  return larger
}
