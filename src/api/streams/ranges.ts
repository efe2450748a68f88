// Reads the Range header of a GET request (RFC 9110, section 14). Supports a single range.

/** `all` also for unsupported ranges, which are ignored; `none` if the range is outside the file. */
export type RequestedRange = { readonly offset: number; readonly length: number } | 'all' | 'none'

const RANGE = /^bytes=[ \t]*(?:(\d{1,15})[ \t]*-[ \t]*(\d{1,15})?|-[ \t]*(\d{1,15}))[ \t]*$/i

/** The range for these Range and If-Range headers. `tag` is the content of the current ETag, and `bytes` the size of the file. */
export function rangeOf(
  range: string | undefined,
  ifRange: string | undefined,
  tag: string,
  bytes: number,
): RequestedRange {
  const match = RANGE.exec(range ?? '')
  // A client with a different version gets the complete file. Dates are not supported as validators.
  if (!match || (ifRange !== undefined && ifRange.trim() !== `"${tag}"`)) return 'all'
  const [, from, to, suffix] = match
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), bytes)
    return length === 0 ? 'none' : { offset: bytes - length, length }
  }
  const offset = Number(from)
  const end = to === undefined ? bytes - 1 : Math.min(Number(to), bytes - 1)
  if (to !== undefined && Number(to) < offset) return 'all'
  return offset >= bytes ? 'none' : { offset, length: end - offset + 1 }
}
