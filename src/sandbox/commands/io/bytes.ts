// Joins byte arrays.

/** Joins `chunks` into a new array; returns the chunk itself if there is only one. */
export function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks
  if (first && chunks.length === 1) return first
  let length = 0
  for (const chunk of chunks) length += chunk.length
  const all = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}
