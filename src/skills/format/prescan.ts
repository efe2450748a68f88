// Checks the size and nesting of frontmatter before a YAML library parses it, because hostile input could keep the
// library busy for seconds or crash the process.

import { utf8 } from '../../lib/bytes.ts'
import {
  FRONTMATTER_MAX_BYTES,
  FRONTMATTER_MAX_DEPTH,
  FRONTMATTER_MAX_INDICATORS,
  FRONTMATTER_MAX_LINES,
  FRONTMATTER_MAX_LINE_COLONS,
} from './limits.ts'

export interface Hazard {
  readonly rule: 'frontmatter-too-large' | 'frontmatter-too-deep' | 'yaml-directive'
  /** 1-based within the scanned text. */
  readonly line: number
  readonly message: string
  readonly fix: string
}

const INDICATOR = /["'[\]{},!&*%\\`@]|[-?:](?=[\s]|$)/g
const COLON = /:(?=[ \t"'[{]|$)/g
const MARKERS = /^ *((?:[-?:][ \t]+)*)/
const DOCUMENT_MARKER = /^(?:%|---(?:\s|$)|\.\.\.(?:\s|$))/

/** The first reason not to parse this text as YAML, or null. Takes linear time. May refuse harmless text. */
export function prescan(text: string): Hazard | null {
  const size = text.length > FRONTMATTER_MAX_BYTES ? text.length : utf8(text).length
  if (size > FRONTMATTER_MAX_BYTES) return tooLarge(1, `${FRONTMATTER_MAX_BYTES} bytes`)
  const lines = text.split('\n')
  if (lines.length > FRONTMATTER_MAX_LINES)
    return tooLarge(FRONTMATTER_MAX_LINES, `${FRONTMATTER_MAX_LINES} lines`)
  if ((text.match(INDICATOR)?.length ?? 0) > FRONTMATTER_MAX_INDICATORS)
    return tooLarge(1, `${FRONTMATTER_MAX_INDICATORS} YAML indicators (quotes, brackets, commas …)`)
  return checkDepth(lines)
}

function tooLarge(line: number, limit: string): Hazard {
  const message = `The frontmatter has more than ${limit}.`
  return {
    rule: 'frontmatter-too-large',
    line,
    message,
    fix: 'Move data from the frontmatter into another file.',
  }
}

/** Checks nesting by indentation, by markers on one line and by brackets. Also counts brackets inside quotes. */
function checkDepth(lines: readonly string[]): Hazard | null {
  const columns: number[] = []
  let openBrackets = 0
  for (const [index, line] of lines.entries()) {
    if (DOCUMENT_MARKER.test(line)) {
      const message = 'The frontmatter contains a YAML directive or document marker.'
      return { rule: 'yaml-directive', line: index + 1, message, fix: 'Remove the line.' }
    }
    if (line.trim() === '') continue
    updateColumns(columns, line)
    let deepest = openBrackets
    for (const char of line) {
      if (char === '[' || char === '{') deepest = Math.max(deepest, ++openBrackets)
      else if (char === ']' || char === '}') openBrackets = Math.max(0, openBrackets - 1)
    }
    const colons = line.match(COLON)?.length ?? 0
    if (columns.length + deepest > FRONTMATTER_MAX_DEPTH || colons > FRONTMATTER_MAX_LINE_COLONS) {
      const message = `The frontmatter nests deeper than ${FRONTMATTER_MAX_DEPTH} levels.`
      return {
        rule: 'frontmatter-too-deep',
        line: index + 1,
        message,
        fix: 'Use fewer levels, or put the value in quotes.',
      }
    }
  }
  return null
}

/**
 * Updates the start columns of the open levels for the next line: first the columns of its markers, then the
 * column of its content.
 */
function updateColumns(columns: number[], line: string): void {
  const markers = MARKERS.exec(line)?.[1] ?? ''
  let column = line.length - line.trimStart().length
  while ((columns.at(-1) ?? -1) >= column) columns.pop()
  for (const marker of markers.match(/\S[ \t]+/g) ?? []) {
    columns.push(column)
    column += marker.length
  }
  columns.push(column)
}
