// Prepares a request for the person who is to approve it: marks everything that cannot be seen and notes all omissions. Never
// changes what is sent.

import { codeOf } from '../lib/look-alikes.ts'
import { markInvisible } from '../lib/mark-invisible.ts'
import { cutText } from '../lib/text.ts'
import { visibleLine } from '../lib/visible.ts'
import {
  APPROVAL_BODY_HEAD_CHARS,
  APPROVAL_BODY_TAIL_CHARS,
  APPROVAL_HEADER_MAX_CHARS,
  APPROVAL_HEADER_TAIL_CHARS,
  APPROVAL_HEADERS_MAX,
  APPROVAL_NAME_MAX_CHARS,
  APPROVAL_URL_HEAD_CHARS,
  APPROVAL_URL_TAIL_CHARS,
} from './limits.ts'
import { formatBody } from './format-body.ts'
import { formatUrl } from './format-url.ts'
import type { Preview, ShownRequest } from './approval.ts'

/** All code points that Unicode reserves for right-to-left scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

// Matches all punctuation and symbols outside ASCII, because Unicode has more quotes than a list could name, and pairs of single
// quotes, which look like a double one.
const QUOTE_LIKE =
  /["\u02BA\u02DD\u02EE]|(?![‘’…⟨⟩])[[\p{P}\p{S}]--[\x20-\x7E]--\p{Emoji_Presentation}]|(?<=['‘’])['‘’]/gv

/** Quotes a name that third parties chose within our own text: marked, truncated, on one line, and in quotes it cannot close. */
export function quoteName(name: string): string {
  const inner = markInvisible(cutText(visibleLine(name), APPROVAL_NAME_MAX_CHARS)).replace(QUOTE_LIKE, codeOf)
  return `“${inner}”`
}

/** Applies markInvisible to every text in the value, including field names. */
export function markInvisibleInJson(value: unknown): unknown {
  if (typeof value === 'string') return markInvisible(value)
  if (Array.isArray(value)) return value.map(markInvisibleInJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [markInvisible(key), markInvisibleInJson(inner)]),
  )
}

/** The preview as the person sees it. It contains secrets only by name. */
export function displayRequest(preview: Preview): ShownRequest {
  const notes: string[] = []
  const display = (label: string, text: string, head: number, tail = 0, separator?: string): string => {
    const isLong = text.length > head + tail
    if (isLong)
      notes.push(
        `${label}: only the first ${head}${tail > 0 ? ` and the last ${tail}` : ''} of ${text.length} characters are shown`,
      )
    const excerpts = isLong ? [cutText(text, head), ...(tail > 0 ? [text.slice(-tail)] : [])] : [text]
    return markAndJoin(label, excerpts, separator) + (isLong && tail === 0 ? '[… cut here]' : '')
  }
  const markAndJoin = (
    label: string,
    excerpts: readonly string[],
    separator = '\n[… cut here …]\n',
  ): string => {
    if (excerpts.some((part) => RIGHT_TO_LEFT.test(part)))
      notes.push(
        `${label}: contains letters that are written from right to left; numbers and punctuation next to them may be displayed in a different order`,
      )
    const marked = excerpts.map(markInvisible)
    if (marked.some((part, index) => part !== excerpts[index]))
      notes.push(
        `${label}: contains invisible characters, many blanks, or characters that look like others; they are marked with ⟨…⟩`,
      )
    return marked.join(separator)
  }
  const displayBody = (text: string): string => {
    const formatted = formatBody(text, APPROVAL_BODY_HEAD_CHARS + APPROVAL_BODY_TAIL_CHARS)
    if (!formatted) return display('body', text, APPROVAL_BODY_HEAD_CHARS, APPROVAL_BODY_TAIL_CHARS)
    if (formatted.valueMaxChars !== null)
      notes.push(`body: only the first ${formatted.valueMaxChars} characters of longer values are shown`)
    return markAndJoin('body', [formatted.text])
  }
  const displayUrl = (text: string): string => {
    const formatted = formatUrl(text)
    if (formatted.partMaxChars !== null)
      notes.push(
        `url: only the beginnings and ends of parts longer than ${formatted.partMaxChars} characters are shown`,
      )
    return display('url', formatted.text, APPROVAL_URL_HEAD_CHARS, APPROVAL_URL_TAIL_CHARS)
  }
  // The note about the omission stays on the same line, because a separate line would look like another header.
  const displayHeader = (name: string, value: string): string =>
    display(
      `header ${cutText(markInvisible(name), 40)}`,
      value,
      APPROVAL_HEADER_MAX_CHARS,
      APPROVAL_HEADER_TAIL_CHARS,
      ' [… cut here …] ',
    )
  const headers = Object.entries(preview.headers)
  if (headers.length > APPROVAL_HEADERS_MAX)
    notes.push(`headers: only the first ${APPROVAL_HEADERS_MAX} of ${headers.length} are shown`)
  if (isInternational(preview.url))
    notes.push(
      'url: the host is an internationalized domain name, shown in ASCII (xn--…); its letters may look like those of another host',
    )
  return {
    kind: preview.kind,
    method: display('method', preview.method, APPROVAL_HEADER_MAX_CHARS),
    url: displayUrl(preview.url),
    headers: Object.fromEntries(
      headers
        .slice(0, APPROVAL_HEADERS_MAX)
        .map(([name, value]) => [
          display('name of a header', name, APPROVAL_HEADER_MAX_CHARS),
          displayHeader(name, value),
        ]),
    ),
    body: preview.body === null ? null : displayBody(preview.body),
    notes,
  }
}

function isInternational(url: string): boolean {
  return URL.canParse(url) && /(?:^|\.)xn--/i.test(new URL(url).hostname)
}
