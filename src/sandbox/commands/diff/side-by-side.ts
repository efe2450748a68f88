// `diff -y`: both files in two columns.

import { displayWidth } from '../display-width.ts'
import { bytesOfLatin1, latin1OfText } from '../io/latin1.ts'
import { decode } from '../io/text.ts'
import type { Change } from './changes.ts'
import type { TextLines } from './lines.ts'
import type { Sides } from './shown.ts'

const TAB = 8
const GUTTER = 3

export interface Columns {
  readonly width: number
  /** `--suppress-common-lines`. */
  readonly onlyChanges: boolean
  /** `--left-column`. */
  readonly leftColumn: boolean
  /** `-t`. */
  readonly expandsTabs: boolean
}

export function sideBySide(changes: readonly Change[], [one, other]: Sides, columns: Columns): string {
  const page = new Page(columns)
  let text = ''
  let [left, right] = [0, 0]
  const common = (end: number): void => {
    for (; left < end; left++, right++)
      if (!columns.onlyChanges)
        text += columns.leftColumn
          ? page.row(one, left, '(', null, 0)
          : page.row(one, left, ' ', other, right)
  }
  for (const change of changes) {
    common(change.left)
    const both = Math.min(change.removed, change.added)
    for (let count = 0; count < both; count++) text += page.row(one, left++, '|', other, right++)
    for (let count = both; count < change.added; count++) text += page.row(null, 0, '>', other, right++)
    for (let count = both; count < change.removed; count++) text += page.row(one, left++, '<', null, 0)
  }
  common(one.lines.length)
  return text
}

class Page {
  readonly #half: number
  readonly #second: number
  readonly #expandsTabs: boolean

  constructor({ width, expandsTabs }: Columns) {
    const tab = expandsTabs ? 1 : TAB
    const gutter = tab + GUTTER
    const unaligned = (width >> 1) + (gutter >> 1) + (width & gutter & 1)
    const offset = unaligned - (unaligned % tab)
    this.#half = Math.max(0, Math.min(offset - GUTTER, width - offset))
    this.#second = this.#half > 0 ? offset : width
    this.#expandsTabs = expandsTabs
  }

  row(one: TextLines | null, left: number, mark: string, other: TextLines | null, right: number): string {
    let ends = false
    let sign = mark
    let text = ''
    let column = 0
    if (one) {
      ends = ended(one, left)
      const half = this.#cut(one.lines[left] ?? '', 0)
      text = half.text
      column = half.column
    }
    if (mark !== ' ') {
      const to = (this.#half + this.#second - 1) >> 1
      text += this.#space(column, to)
      column = Math.max(column, to) + 1
      if (mark === '|' && other && ends !== ended(other, right)) sign = ends ? '/' : '\\'
      text += sign
    }
    if (other) {
      ends ||= ended(other, right)
      const line = other.lines[right] ?? ''
      if (line !== '') text += this.#space(column, this.#second) + this.#cut(line, this.#second).text
    }
    return ends ? `${text}\n` : text
  }

  /** Cuts a line to the width of its column. */
  #cut(line: string, indent: number): { readonly text: string; readonly column: number } {
    const bound = this.#half
    let text = ''
    let [input, output] = [0, 0]
    for (const char of decode(bytesOfLatin1(line))) {
      const code = char.codePointAt(0) ?? 0
      if (char === '\t') {
        const spaces = TAB - (input % TAB)
        if (input === output) {
          const part = this.#tab(output, spaces)
          text += part.text
          output = part.column
        }
        input += spaces
      } else if (char === '\r') {
        text += char + this.#space(0, indent)
        input = output = 0
      } else if (code < 32 || code === 127 || (code >= 0xdc80 && code <= 0xdcff)) {
        // Control characters and bytes that are not valid text have no width.
        if (input < bound) text += latin1OfText(char)
      } else {
        input += displayWidth(char)
        if (input <= bound) {
          output = input
          text += latin1OfText(char)
        }
      }
    }
    return { text, column: indent + output }
  }

  /** The part of a tab that fits. */
  #tab(column: number, spaces: number): { readonly text: string; readonly column: number } {
    const end = column + spaces
    if (this.#expandsTabs) {
      const shown = Math.max(0, Math.min(end, this.#half) - column)
      return { text: ' '.repeat(shown), column: column + shown }
    }
    return end < this.#half ? { text: '\t', column: end } : { text: '', column }
  }

  #space(from: number, to: number): string {
    let column = from
    let text = ''
    if (!this.#expandsTabs)
      for (let stop = column + TAB - (column % TAB); stop <= to; stop += TAB) {
        text += '\t'
        column = stop
      }
    return text + ' '.repeat(Math.max(0, to - column))
  }
}

function ended({ lines, unterminated }: TextLines, index: number): boolean {
  return !(unterminated && index === lines.length - 1)
}
