// Reads a body up to a limit, counted after decompression. Uses at most twice the memory of what is kept, however small the
// pieces are.

import { BODY_FIRST_BYTES } from './limits.ts'

/** Rejects as the body or `wait` does; cancels the rest. `wait`: returns a promise's value, or rejects first. */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  max: number,
  wait: <T>(work: Promise<T>) => Promise<T>,
): Promise<{ readonly bytes: Uint8Array; readonly cut: boolean }> {
  if (!body) return { bytes: new Uint8Array(), cut: false }
  const reader = body.getReader()
  let kept = new Uint8Array(Math.min(max, BODY_FIRST_BYTES))
  let size = 0
  try {
    for (;;) {
      const { done, value } = await wait(reader.read())
      if (done) return { bytes: kept.subarray(0, size), cut: false }
      const taken = value.subarray(0, max - size)
      if (size + taken.length > kept.length) kept = grown(kept, Math.max(size + taken.length, 2 * size), max)
      // Copied rather than collected: a piece of one byte may hold a buffer of thousands.
      kept.set(taken, size)
      size += taken.length
      if (taken.length < value.length) return { bytes: kept.subarray(0, size), cut: true }
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

function grown(kept: Uint8Array, atLeast: number, max: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.min(max, atLeast))
  larger.set(kept)
  return larger
}
