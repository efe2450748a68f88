// Measures frontmatter before a YAML library parses it: hostile input could take seconds there, or crash the process.

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
const DOCUMENT = /^(?:%|---(?:\s|$)|\.\.\.(?:\s|$))/

/** The first reason not to pass this text to a YAML parser, or null. Takes linear time; may refuse too much. */
export function prescan(text: string): Hazard | null {
  const size = text.length > FRONTMATTER_MAX_BYTES ? text.length : utf8(text).length
  if (size > FRONTMATTER_MAX_BYTES) return large(1, `${FRONTMATTER_MAX_BYTES} bytes`)
  const lines = text.split('\n')
  if (lines.length > FRONTMATTER_MAX_LINES)
    return large(FRONTMATTER_MAX_LINES, `${FRONTMATTER_MAX_LINES} lines`)
  if ((text.match(INDICATOR)?.length ?? 0) > FRONTMATTER_MAX_INDICATORS)
    return large(1, `${FRONTMATTER_MAX_INDICATORS} YAML indicators (quotes, brackets, commas …)`)
  return depth(lines)
}

function large(line: number, limit: string): Hazard {
  const message = `The frontmatter has more than ${limit}.`
  return {
    rule: 'frontmatter-too-large',
    line,
    message,
    fix: 'Move data out of it, into a file of the skill.',
  }
}

/** Nesting by indentation, by markers on one line and by brackets, counted inside quotes too. */
function depth(lines: readonly string[]): Hazard | null {
  const columns: number[] = []
  let flow = 0
  for (const [at, line] of lines.entries()) {
    if (DOCUMENT.test(line)) {
      const message = 'The frontmatter contains a YAML directive or document marker.'
      return { rule: 'yaml-directive', line: at + 1, message, fix: 'Remove the line.' }
    }
    if (line.trim() === '') continue
    nest(columns, line)
    let deepest = flow
    for (const char of line) {
      if (char === '[' || char === '{') deepest = Math.max(deepest, ++flow)
      else if (char === ']' || char === '}') flow = Math.max(0, flow - 1)
    }
    const colons = line.match(COLON)?.length ?? 0
    if (columns.length + deepest > FRONTMATTER_MAX_DEPTH || colons > FRONTMATTER_MAX_LINE_COLONS) {
      const message = `The frontmatter nests deeper than ${FRONTMATTER_MAX_DEPTH} levels.`
      return { rule: 'frontmatter-too-deep', line: at + 1, message, fix: 'Flatten it, or quote the text.' }
    }
  }
  return null
}

/** Keeps the start columns of the open levels: those of the markers, then that of the content. */
function nest(columns: number[], line: string): void {
  const markers = MARKERS.exec(line)?.[1] ?? ''
  let column = line.length - line.trimStart().length
  while ((columns.at(-1) ?? -1) >= column) columns.pop()
  for (const marker of markers.match(/\S[ \t]+/g) ?? []) {
    columns.push(column)
    column += marker.length
  }
  columns.push(column)
}
