// An address as a person reads it: each field of its query on a line of its own, and long parts shortened separately, so
// that truncation never hides a field. Pure. The result is shown, never sent.

import { cutText } from '../lib/text.ts'
import { APPROVAL_URL_CHARS, APPROVAL_URL_LINE_CHARS } from './limits.ts'

/** Characters that are shown of each part; the first number by which the address fits is taken. */
const PART_CHARS: readonly number[] = [Infinity, 400, 100, 40]

/** Of what is shown of a part this share is its end: one part may hold several inputs in a row. */
const END_SHARE = 1 / 4

interface FormattedUrl {
  readonly text: string
  /** Characters of a part beyond which it was cut; null if none was. */
  readonly cut: number | null
}

/** With too many parts for APPROVAL_URL_CHARS it is whole, and longer than that. */
export function formatUrl(url: string): FormattedUrl {
  const all = { text: written(url, Infinity), cut: null }
  if (url.length <= APPROVAL_URL_LINE_CHARS) return { text: url, cut: null }
  for (const chars of PART_CHARS) {
    const text = written(url, chars)
    if (text.length <= APPROVAL_URL_CHARS) return { text, cut: text === all.text ? null : chars }
  }
  return all
}

function written(url: string, chars: number): string {
  const [, origin = '', path = '', query] =
    /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?]*)(?:\?(.*))?$/is.exec(url) ?? []
  const parts = (text: string, between: string, joined: string): string =>
    text
      .split(between)
      .map((part) => shortened(part, chars))
      .join(joined)
  return origin + parts(path, '/', '/') + (query === undefined ? '' : `\n?${parts(query, '&', '\n&')}`)
}

/** No address holds blanks or `…`, so none can say this of itself. */
function shortened(part: string, chars: number): string {
  if (part.length <= chars) return part
  const end = Math.floor(chars * END_SHARE)
  return `${cutText(part, chars - end)} [… ${part.length} characters …] ${part.slice(-end)}`
}
