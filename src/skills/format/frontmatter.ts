// From bytes to header and body: size, encoding, line ends, fences. Never looks into the YAML.

import { fromUtf8 } from '../../lib/bytes.ts'
import { countLines, lineFeeds } from '../../lib/text.ts'
import { SKILL_MD_MAX_BYTES } from '../../limits/skills.ts'
import type { Report } from './finding.ts'
import { FENCE, INDENTED_FENCE, looseFrame } from './loose-frame.ts'

export interface Framed {
  /** The lines between the fences, without them. */
  readonly header: string
  /** 1-based line of the header's first line in the file. */
  readonly headerLine: number
  /** What follows the closing fence: line ends are LF, trimmed at both ends, else verbatim. */
  readonly body: string
  /** 1-based line of the file at which it begins; the last line when it is empty. */
  readonly bodyLine: number
}

/** What a line begins with that may be a fence. */
const DASHES = /\n[ \t]*---/g
/** In a text over several lines, dashes with an indent are its own. */
const BLOCK_SCALAR = /[|>][-+\d]{0,2}[ \t]*$/

const FORM = 'Begin the file with a line ---, then name: and description:, then another line ---.'

/** Splits the bytes of a SKILL.md; null when there is no frontmatter to read, with the reason in the report. */
export function frame(bytes: Uint8Array, report: Report): Framed | null {
  if (bytes.length > SKILL_MD_MAX_BYTES) {
    const size = `${bytes.length} bytes; the limit is ${SKILL_MD_MAX_BYTES}`
    report.add('skill-md-too-large', 'error', null, `SKILL.md has ${size}.`, 'Move detail into references/.')
    return null
  }
  const text = fromUtf8(bytes)
  if (text === null) {
    report.add('not-utf8', 'error', null, 'SKILL.md is not UTF-8 text.', 'Save the file as UTF-8.')
    return null
  }
  if (text.startsWith('\uFEFF'))
    report.add(
      'byte-order-mark',
      'graded',
      1,
      'The file starts with a byte order mark.',
      'Save it as UTF-8 without BOM.',
    )
  return split(text, report)
}

/** The body of a SKILL.md text that was parsed before; the whole text, trimmed, if it has no frontmatter. */
export function bodyOf(text: string): string {
  const whole = normalised(text)
  return fences(whole)?.body ?? looseFrame(whole)?.body ?? whole.trim()
}

/** The same, with the line of the file at which it begins, from 1. */
export function bodyAt(text: string): { readonly body: string; readonly bodyLine: number } {
  const body = bodyOf(text)
  return { body, bodyLine: lineOfBody(normalised(text), body) }
}

/** The body ends the file, so the last place where it stands is its own: the header may hold the same words. */
function lineOfBody(text: string, body: string): number {
  return countLines(text, text.lastIndexOf(body))
}

function normalised(raw: string): string {
  return lineFeeds(raw.startsWith('\uFEFF') ? raw.slice(1) : raw)
}

function split(raw: string, report: Report): Framed | null {
  const text = normalised(raw)
  const found = fences(text)
  const loose = found?.body != null || report.mode === 'strict' ? null : looseFrame(text)
  if (loose) {
    report.add(loose.rule, 'warning', loose.line, loose.message, FORM)
    return { ...loose, bodyLine: lineOfBody(text, loose.body) }
  }
  if (found === null) {
    report.add('frontmatter-missing', 'error', 1, 'SKILL.md must start with YAML frontmatter (---).', FORM)
    return null
  }
  if (found.body === null) {
    const message = 'The frontmatter is not properly closed with ---.'
    report.add(
      'frontmatter-unclosed',
      'error',
      found.headerLine - 1,
      message,
      'Add a line --- after its last field.',
    )
    return null
  }
  if (found.headerLine > 2)
    report.add(
      'blank-before-frontmatter',
      'graded',
      1,
      'Blank lines stand before the opening ---.',
      'Make --- the first line.',
    )
  const { header, headerLine, body } = found
  if (found.indented)
    report.add(
      'closing-fence-indented',
      'warning',
      headerLine + countLines(header),
      'The closing --- is indented; other readers do not take it for one.',
      'Take the blanks before it out.',
    )
  return { header, headerLine, body, bodyLine: lineOfBody(text, body) }
}

interface Fences {
  readonly header: string
  readonly headerLine: number
  /** Null: never closed. */
  readonly body: string | null
  /** Blanks stand before the closing fence. */
  readonly indented: boolean
}

/** By lines, because `---` inside a value or a rule in the body must not count. */
function fences(text: string): Fences | null {
  const first = text.search(/\S/)
  const open = text.lastIndexOf('\n', first) + 1
  if (first === -1 || !FENCE.test(text.slice(open, endOfLine(text, open)))) return null
  const headerLine = countLines(text, open) + 1
  const header = endOfLine(text, open) + 1
  // From one line that begins with dashes to the next: a megabyte of other lines is passed over at once.
  const dashes = new RegExp(DASHES)
  dashes.lastIndex = Math.max(0, header - 1)
  const isInBlock = followFields(text, header)
  for (let hit = dashes.exec(text); hit; hit = dashes.exec(text)) {
    const at = hit.index
    const end = endOfLine(text, at + 1)
    const line = text.slice(at + 1, end)
    const indented = INDENTED_FENCE.test(line) && !isInBlock(at)
    if (indented || FENCE.test(line))
      return {
        header: text.slice(header, Math.max(header, at)),
        headerLine,
        body: text.slice(end).trim(),
        indented,
      }
  }
  return { header: '', headerLine, body: null, indented: false }
}

/** Answers for one offset after the other whether it stands in a field that is a text over several lines. */
function followFields(text: string, header: number): (at: number) => boolean {
  const fields = /\n(?=\S)/g
  fields.lastIndex = Math.max(0, header - 1)
  let field = header
  let next = fields.exec(text)
  return (at) => {
    for (; next && next.index < at; next = fields.exec(text)) field = next.index + 1
    return BLOCK_SCALAR.test(text.slice(field, endOfLine(text, field)))
  }
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}
