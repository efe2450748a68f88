// Splits the bytes of a SKILL.md into header and body. Checks size, encoding and fences; does not parse the YAML.

import { fromUtf8 } from '../../lib/bytes.ts'
import { countLines, toLineFeeds } from '../../lib/text.ts'
import { SKILL_MD_MAX_BYTES } from '../../limits/skills.ts'
import type { Report } from './finding.ts'
import { FENCE, INDENTED_FENCE, looseFrame } from './loose-frame.ts'

export interface Framed {
  /** The lines between the fences, without them. */
  readonly header: string
  /** 1-based line of the header's first line in the file. */
  readonly headerLine: number
  /** The text after the closing fence, trimmed at both ends, with LF line ends, otherwise verbatim. */
  readonly body: string
  /** 1-based line of the file where the body begins, or the last line if the body is empty. */
  readonly bodyLine: number
}

/** The start of a line that may be a fence. */
const DASHES = /\n[ \t]*---/g
/** Inside a block scalar, indented dashes belong to the text. */
const BLOCK_SCALAR = /[|>][-+\d]{0,2}[ \t]*$/

const FRONTMATTER_FIX =
  'Begin the file with a line ---, the fields name and description, and another line ---.'

/** Splits the bytes of a SKILL.md; null if it has no usable frontmatter, with the reason in the report. */
export function frame(bytes: Uint8Array, report: Report): Framed | null {
  if (bytes.length > SKILL_MD_MAX_BYTES) {
    const size = `${bytes.length} bytes; the limit is ${SKILL_MD_MAX_BYTES}`
    report.add('skill-md-too-large', 'error', null, `SKILL.md has ${size}.`, 'Move details into references/.')
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

/** The body of a SKILL.md text. If the text has no frontmatter, this is all of it, trimmed. */
export function bodyOf(text: string): string {
  const normalizedText = normalized(text)
  return fences(normalizedText)?.body ?? looseFrame(normalizedText)?.body ?? normalizedText.trim()
}

/** The body of a SKILL.md text, with the 1-based line of the file where it begins. */
export function bodyAt(text: string): { readonly body: string; readonly bodyLine: number } {
  const body = bodyOf(text)
  return { body, bodyLine: lineOfBody(normalized(text), body) }
}

/** The header may contain the same text as the body, but the body is its last occurrence, because it ends the file. */
function lineOfBody(text: string, body: string): number {
  return countLines(text, text.lastIndexOf(body))
}

function normalized(raw: string): string {
  return toLineFeeds(raw.startsWith('\uFEFF') ? raw.slice(1) : raw)
}

function split(raw: string, report: Report): Framed | null {
  const text = normalized(raw)
  const found = fences(text)
  const loose = found?.body != null || report.mode === 'strict' ? null : looseFrame(text)
  if (loose) {
    report.add(loose.rule, 'warning', loose.line, loose.message, FRONTMATTER_FIX)
    return { ...loose, bodyLine: lineOfBody(text, loose.body) }
  }
  if (found === null) {
    report.add(
      'frontmatter-missing',
      'error',
      1,
      'SKILL.md must start with YAML frontmatter (---).',
      FRONTMATTER_FIX,
    )
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
      'Blank lines precede the opening ---.',
      'Make --- the first line.',
    )
  const { header, headerLine, body } = found
  if (found.isIndented)
    report.add(
      'closing-fence-indented',
      'warning',
      headerLine + countLines(header),
      'The closing --- is indented, so other readers do not recognize it.',
      'Remove the spaces before it.',
    )
  return { header, headerLine, body, bodyLine: lineOfBody(text, body) }
}

interface Fences {
  readonly header: string
  readonly headerLine: number
  /** Null if the header is never closed. */
  readonly body: string | null
  /** True if the closing fence is indented. */
  readonly isIndented: boolean
}

/** Finds the opening and the closing fence, each on a separate line; null if there is no opening fence. */
function fences(text: string): Fences | null {
  const firstCharacter = text.search(/\S/)
  const openOffset = text.lastIndexOf('\n', firstCharacter) + 1
  if (firstCharacter === -1 || !FENCE.test(text.slice(openOffset, endOfLine(text, openOffset)))) return null
  const headerLine = countLines(text, openOffset) + 1
  const header = endOfLine(text, openOffset) + 1
  // Searches only for lines that start with dashes, so that a megabyte of other lines is skipped quickly.
  const dashes = new RegExp(DASHES)
  dashes.lastIndex = Math.max(0, header - 1)
  const isInBlock = followFields(text, header)
  for (let hit = dashes.exec(text); hit; hit = dashes.exec(text)) {
    const at = hit.index
    const end = endOfLine(text, at + 1)
    const line = text.slice(at + 1, end)
    const isIndented = INDENTED_FENCE.test(line) && !isInBlock(at)
    if (isIndented || FENCE.test(line))
      return {
        header: text.slice(header, Math.max(header, at)),
        headerLine,
        body: text.slice(end).trim(),
        isIndented,
      }
  }
  return { header: '', headerLine, body: null, isIndented: false }
}

/** Returns a function that tells whether an offset is inside a block scalar. Call it with increasing offsets. */
function followFields(text: string, header: number): (at: number) => boolean {
  const fields = /\n(?=\S)/g
  fields.lastIndex = Math.max(0, header - 1)
  let field = header
  let nextField = fields.exec(text)
  return (at) => {
    for (; nextField && nextField.index < at; nextField = fields.exec(text)) field = nextField.index + 1
    return BLOCK_SCALAR.test(text.slice(field, endOfLine(text, field)))
  }
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}
