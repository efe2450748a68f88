// Which bytes a GET asks for (RFC 9110, section 14): one range, or all.

/** `all`: everything, also for what is no range that we serve. `none`: nothing lies there. */
export type RequestedRange = { readonly offset: number; readonly length: number } | 'all' | 'none'

const RANGE = /^bytes=[ \t]*(?:(\d{1,15})[ \t]*-[ \t]*(\d{1,15})?|-[ \t]*(\d{1,15}))[ \t]*$/i

/** `range`, `ifRange`: the headers. `tag`: of what is there now, as in its ETag; `bytes`: how many it has. */
export function rangeOf(
  range: string | undefined,
  ifRange: string | undefined,
  tag: string,
  bytes: number,
): RequestedRange {
  const found = RANGE.exec(range ?? '')
  // Whoever has another version gets this one whole. A date is none of our validators.
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
