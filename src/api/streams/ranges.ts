// The bytes that a GET requests (RFC 9110, section 14): one range, or all.

/** `all`: everything, also for unsupported ranges. `none`: the range is outside the file. */
export type RequestedRange = { readonly offset: number; readonly length: number } | 'all' | 'none'

const RANGE = /^bytes=[ \t]*(?:(\d{1,15})[ \t]*-[ \t]*(\d{1,15})?|-[ \t]*(\d{1,15}))[ \t]*$/i

/** `range`, `ifRange`: the headers. `tag`: the current version, as in its ETag; `bytes`: its size. */
export function rangeOf(
  range: string | undefined,
  ifRange: string | undefined,
  tag: string,
  bytes: number,
): RequestedRange {
  const found = RANGE.exec(range ?? '')
  // A client with another version gets the whole file. Dates are not supported as validators.
  if (!found || (ifRange !== undefined && ifRange.trim() !== `"${tag}"`)) return 'all'
  const [, from, to, suffix] = found
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), bytes)
    return length === 0 ? 'none' : { offset: bytes - length, length }
  }
  const offset = Number(from)
  const end = to === undefined ? bytes - 1 : Math.min(Number(to), bytes - 1)
  if (to !== undefined && Number(to) < offset) return 'all'
  return offset >= bytes ? 'none' : { offset, length: end - offset + 1 }
}
