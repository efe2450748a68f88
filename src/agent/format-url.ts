// Formats an address for a person: one line per query parameter, and each long part shortened separately, so that truncation
// hides no parameter. The result is displayed, never sent.

import { cutText } from '../lib/text.ts'
import { APPROVAL_URL_MAX_CHARS, APPROVAL_URL_LINE_MAX_CHARS } from './limits.ts'

/** Lengths to which each part may be shortened. The first length with which the formatted address fits is used. */
const PART_MAX_CHARS_CHOICES: readonly number[] = [Infinity, 400, 100, 40]

/** The share of a shortened part that shows its end, because a tool may join several inputs into one part. */
const END_FRACTION = 1 / 4

interface FormattedUrl {
  readonly text: string
  /** The number of characters to which long parts were shortened, or null if no part was shortened. */
  readonly partMaxChars: number | null
}

/** The formatted address. Longer than APPROVAL_URL_MAX_CHARS, and not shortened, if the address has too many parts. */
export function formatUrl(url: string): FormattedUrl {
  const complete = { text: splitParts(url, Infinity), partMaxChars: null }
  if (url.length <= APPROVAL_URL_LINE_MAX_CHARS) return { text: url, partMaxChars: null }
  for (const partChars of PART_MAX_CHARS_CHOICES) {
    const text = splitParts(url, partChars)
    if (text.length <= APPROVAL_URL_MAX_CHARS)
      return { text, partMaxChars: text === complete.text ? null : partChars }
  }
  return complete
}

function splitParts(url: string, partChars: number): string {
  const [, origin = '', path = '', query] =
    /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?]*)(?:\?(.*))?$/is.exec(url) ?? []
  const shortenParts = (text: string, separator: string, joiner: string): string =>
    text
      .split(separator)
      .map((part) => shorten(part, partChars))
      .join(joiner)
  const parameters = query === undefined ? '' : `\n?${shortenParts(query, '&', '\n&')}`
  return origin + shortenParts(path, '/', '/') + parameters
}

/** Adds a note with blanks and `…`. A normalized address contains neither, so it cannot forge the note. */
function shorten(part: string, chars: number): string {
  if (part.length <= chars) return part
  const end = Math.floor(chars * END_FRACTION)
  return `${cutText(part, chars - end)} [… ${part.length} characters …] ${part.slice(-end)}`
}
