// Appends to byte arrays.

/** The number of bytes in use of each buffer that `append` created. */
const usedBytes = new WeakMap<ArrayBufferLike, number>()

/**
 * Joins `before` and `more`. Uses the space after `before` if it is free, so that many appends are fast.
 */
export function append(before: Uint8Array, more: Uint8Array): Uint8Array {
  const from = before.byteOffset + before.length
  const to = from + more.length
  if (usedBytes.get(before.buffer) === from && to <= before.buffer.byteLength) {
    usedBytes.set(before.buffer, to)
    new Uint8Array(before.buffer, from, more.length).set(more)
    return new Uint8Array(before.buffer, before.byteOffset, before.length + more.length)
  }
  const length = before.length + more.length
  const bytes = new Uint8Array(before.length === 0 ? length : length + (length >> 1))
  bytes.set(before)
  bytes.set(more, before.length)
  usedBytes.set(bytes.buffer, length)
  return bytes.subarray(0, length)
}
