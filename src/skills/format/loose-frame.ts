// Finds frontmatter with invalid or missing fences, for lenient parsing only. Searches only the start of the file, line
// by line, and does not parse YAML.

import { FRONTMATTER_MAX_LINES, FRONTMATTER_SEARCH_LINES } from './limits.ts'

export interface LooseFrame {
  readonly rule: 'text-before-frontmatter' | 'frontmatter-unfenced' | 'frontmatter-unclosed'
  /** 1-based line of the first mistake. */
  readonly line: number
  readonly message: string
  readonly header: string
  readonly headerLine: number
  readonly body: string
}

export const FENCE = /^---[ \t]*$/
/** The reference validator also accepts it as a closing fence. */
export const INDENTED_FENCE = /^[ \t]+---[ \t]*$/
/** A malformed closing fence: the text after it cannot be distinguished from the header. */
const MALFORMED_FENCE = /^(?:\s+-{3,}|-{4,}|\.{3})\s*$/

/**
 * The frontmatter of a text without proper fences, or null if no name and description are found. `text` must have LF
 * line ends.
 */
export function looseFrame(text: string): LooseFrame | null {
  // Further down, frontmatter would be an example inside a document.
  const lines = text.split('\n', FRONTMATTER_SEARCH_LINES + FRONTMATTER_MAX_LINES)
  const first = lines.findIndex((line) => line.trim() !== '')
  if (first === -1) return null
  const firstLine = lines[first] ?? ''
  if (FENCE.test(firstLine)) {
    const message = 'The frontmatter is not properly closed with ---; it was read up to the first blank line.'
    return readUpToBlankLine(text, lines, first + 1, {
      rule: 'frontmatter-unclosed',
      line: first + 1,
      message,
    })
  }
  if (/^(?:name|description):/.test(firstLine)) {
    const message = 'The frontmatter has no --- lines; it was read up to the first blank line.'
    return readUpToBlankLine(text, lines, first, { rule: 'frontmatter-unfenced', line: first + 1, message })
  }
  return readAfterText(text, lines)
}

function readUpToBlankLine(
  text: string,
  lines: readonly string[],
  from: number,
  start: Pick<LooseFrame, 'rule' | 'line' | 'message'>,
): LooseFrame | null {
  const blank = lines.findIndex((line, index) => index >= from && line.trim() === '')
  const header = lines.slice(from, blank === -1 ? lines.length : blank)
  if (header.some((line) => MALFORMED_FENCE.test(line))) return null
  if (!hasField(header, 'name') || !hasField(header, 'description')) return null
  return {
    ...start,
    header: header.join('\n'),
    headerLine: from + 1,
    body: textFromLine(text, from + header.length),
  }
}

/** Finds frontmatter after a comment, a quotation or a sentence, but not after the start of a code block. */
function readAfterText(text: string, lines: readonly string[]): LooseFrame | null {
  for (let open = 1; open < Math.min(lines.length, FRONTMATTER_SEARCH_LINES); open++) {
    if (/^\s*(?:```|~~~)/.test(lines[open - 1] ?? '')) return null
    if (!FENCE.test(lines[open] ?? '')) continue
    const close = lines.findIndex((line, index) => index > open && FENCE.test(line))
    if (close === -1) return null
    const header = lines.slice(open + 1, close)
    if (!hasField(header, 'name') || !hasField(header, 'description')) continue
    return {
      rule: 'text-before-frontmatter',
      line: 1,
      message: 'There is text before the opening ---; it was skipped.',
      header: header.join('\n'),
      headerLine: open + 2,
      body: textFromLine(text, close + 1),
    }
  }
  return null
}

function hasField(header: readonly string[], key: string): boolean {
  return header.some((line) => line.startsWith(`${key}:`))
}

/** The text from this 0-based line to the end, trimmed. */
function textFromLine(text: string, line: number): string {
  let from = 0
  for (let index = 0; index < line; index++) {
    const end = text.indexOf('\n', from)
    if (end === -1) return ''
    from = end + 1
  }
  return text.slice(from).trim()
}
