// A request as a person is shown it before they allow it: nothing in it that cannot be seen goes unmarked, and what is cut
// is said. Never changes what is sent.

import { markCombining } from '../lib/look-alike-signs.ts'
import { codeOf, markLookAlikes } from '../lib/look-alikes.ts'
import { cutText } from '../lib/text.ts'
import { replaceUnseen, visibleLine } from '../lib/visible.ts'
import {
  APPROVAL_BODY_HEAD_CHARS,
  APPROVAL_BODY_TAIL_CHARS,
  APPROVAL_HEADER_CHARS,
  APPROVAL_HEADER_TAIL_CHARS,
  APPROVAL_HEADERS_MAX,
  APPROVAL_NAME_CHARS,
  APPROVAL_URL_HEAD_CHARS,
  APPROVAL_URL_TAIL_CHARS,
  BLANKS_SHOWN_MAX,
  EMPTY_LINES_SHOWN_MAX,
  UNSEEN_MARKED_MAX,
} from './limits.ts'
import { formatBody } from './shown-body.ts'
import { formatUrl } from './shown-url.ts'
import type { Preview, ShownRequest } from './approval.ts'

/** All that Unicode keeps for letters of such scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
const BLANKS = new RegExp(`[ \\t]{${BLANKS_SHOWN_MAX + 1},}`, 'g')
const EMPTY_LINES = new RegExp(`\\n(?:[ \\t]*\\n){${EMPTY_LINES_SHOWN_MAX + 1},}`, 'g')

/**
 * The text with every character that a person would not see as `⟨U+202E⟩`, of many in a row the count; and with letters
 * that look like others marked after them, and of many blanks or empty lines the count. A mark that the text brings
 * itself is none: its brackets are marked.
 */
export function markUnseen(text: string): string {
  const close = text
    .replace(/[⟨⟩]/g, codeOf)
    .replace(BLANKS, (run) => `⟨${run.length} blanks⟩`)
    .replace(EMPTY_LINES, (run) => `\n⟨${run.split('\n').length - 2} empty lines⟩\n`)
  const alike = markCombining(markLookAlikes(close), (mark) => mark + codeOf(mark))
  return replaceUnseen(alike, (run) => {
    const all = Array.from(run, codeOf)
    const more = all.length - UNSEEN_MARKED_MAX
    return (
      all.slice(0, UNSEEN_MARKED_MAX).join('') + (more > 0 ? `⟨and ${more} more that cannot be seen⟩` : '')
    )
  })
}

// Unicode has more quotes than a list would name, and two single ones look like a double one.
const NO_NAME =
  /["\u02BA\u02DD\u02EE]|(?![‘’…⟨⟩])[[\p{P}\p{S}]--[\x20-\x7E]--\p{Emoji_Presentation}]|(?<=['‘’])['‘’]/gv

/** A name that others chose, inside of our own words: marked, on one line, cut, and in quotes that it cannot close. */
export function quoteName(name: string): string {
  const inner = markUnseen(cutText(visibleLine(name), APPROVAL_NAME_CHARS)).replace(NO_NAME, codeOf)
  return `“${inner}”`
}

/** Every text in it, names of fields too. */
export function markUnseenInJson(value: unknown): unknown {
  if (typeof value === 'string') return markUnseen(value)
  if (Array.isArray(value)) return value.map(markUnseenInJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [markUnseen(key), markUnseenInJson(inner)]),
  )
}

/** Secrets are in a preview by their names alone. */
export function displayRequest(preview: Preview): ShownRequest {
  const notes: string[] = []
  const shown = (what: string, text: string, head: number, tail = 0, between?: string): string => {
    const long = text.length > head + tail
    if (long)
      notes.push(
        `${what}: of ${text.length} characters the first ${head}${tail > 0 ? ` and the last ${tail}` : ''} are shown`,
      )
    const kept = long ? [cutText(text, head), ...(tail > 0 ? [text.slice(-tail)] : [])] : [text]
    return markedParts(what, kept, between) + (long && tail === 0 ? '[… cut here]' : '')
  }
  const markedParts = (what: string, kept: readonly string[], between = '\n[… cut here …]\n'): string => {
    if (kept.some((part) => RIGHT_TO_LEFT.test(part)))
      notes.push(
        `${what}: holds letters that are written from right to left; numbers and punctuation beside them may be displayed in another order`,
      )
    const parts = kept.map(markUnseen)
    if (parts.some((part, n) => part !== kept[n]))
      notes.push(
        `${what}: holds characters that cannot be seen, many blanks, or characters that look like others, marked with ⟨…⟩`,
      )
    return parts.join(between)
  }
  const body = (text: string): string => {
    const laid = formatBody(text, APPROVAL_BODY_HEAD_CHARS + APPROVAL_BODY_TAIL_CHARS)
    if (!laid) return shown('body', text, APPROVAL_BODY_HEAD_CHARS, APPROVAL_BODY_TAIL_CHARS)
    if (laid.cut !== null)
      notes.push(`body: of values of more than ${laid.cut} characters the beginnings are shown`)
    return markedParts('body', [laid.text])
  }
  const url = (text: string): string => {
    const laid = formatUrl(text)
    if (laid.cut !== null)
      notes.push(`url: of parts of more than ${laid.cut} characters the beginnings and ends are shown`)
    return shown('url', laid.text, APPROVAL_URL_HEAD_CHARS, APPROVAL_URL_TAIL_CHARS)
  }
  // A line of its own would look like another header.
  const header = (name: string, value: string): string =>
    shown(
      `header ${cutText(markUnseen(name), 40)}`,
      value,
      APPROVAL_HEADER_CHARS,
      APPROVAL_HEADER_TAIL_CHARS,
      ' [… cut here …] ',
    )
  const headers = Object.entries(preview.headers)
  if (headers.length > APPROVAL_HEADERS_MAX)
    notes.push(`headers: the first ${APPROVAL_HEADERS_MAX} of ${headers.length} are shown`)
  if (isInternational(preview.url))
    notes.push(
      'url: the host is an international name, shown in ASCII (xn--…); its letters may look like those of another',
    )
  return {
    kind: preview.kind,
    method: shown('method', preview.method, APPROVAL_HEADER_CHARS),
    url: url(preview.url),
    headers: Object.fromEntries(
      headers
        .slice(0, APPROVAL_HEADERS_MAX)
        .map(([name, value]) => [
          shown('name of a header', name, APPROVAL_HEADER_CHARS),
          header(name, value),
        ]),
    ),
    body: preview.body === null ? null : body(preview.body),
    notes,
  }
}

function isInternational(url: string): boolean {
  return URL.canParse(url) && /(?:^|\.)xn--/i.test(new URL(url).hostname)
}
