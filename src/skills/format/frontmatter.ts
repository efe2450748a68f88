// From bytes to header and body: size, encoding, line ends, fences. Never looks into the YAML.

import { fromUtf8 } from '../../lib/bytes.ts'
import { SKILL_MD_MAX_BYTES } from '../../limits.ts'
import type { Report } from './finding.ts'
import { FENCE, looseFrame } from './loose-frame.ts'

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
  return text.slice(0, text.lastIndexOf(body)).split('\n').length
}

function normalised(text: string): string {
  return (text.startsWith('\uFEFF') ? text.slice(1) : text).replace(/\r\n?/g, '\n')
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
  return { header, headerLine, body, bodyLine: lineOfBody(text, body) }
}

/** Line by line, because `---` inside a value or a rule in the body must not count; `body` null: never closed. */
function fences(text: string): { header: string; headerLine: number; body: string | null } | null {
  let start = 0
  let line = 1
  for (;;) {
    const end = endOfLine(text, start)
    const content = text.slice(start, end)
    if (FENCE.test(content)) break
    if (content.trim() !== '' || end === text.length) return null
    start = end + 1
    line++
  }
  const header = endOfLine(text, start) + 1
  for (let from = header; from < text.length;) {
    const end = endOfLine(text, from)
    if (FENCE.test(text.slice(from, end)))
      return {
        header: text.slice(header, Math.max(header, from - 1)),
        headerLine: line + 1,
        body: text.slice(end).trim(),
      }
    from = end + 1
  }
  return { header: '', headerLine: line + 1, body: null }
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}
