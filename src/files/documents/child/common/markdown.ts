// Collects the text of a document: lines up to a limit. Knows Markdown's tables and nothing about documents.

import { DOCUMENT_CELL_MAX_CHARS, DOCUMENT_TEXT_MAX_CHARS } from './limits.ts'

export class Lines {
  readonly #lines: string[] = []
  #chars = 0
  /** The limit is reached: further lines are dropped. */
  full = false

  /** Adds a line. False: the limit is reached. */
  add(line: string): boolean {
    if (this.full || this.#chars + line.length + 1 > DOCUMENT_TEXT_MAX_CHARS) {
      this.full = true
      return false
    }
    this.#lines.push(line)
    this.#chars += line.length + 1
    return true
  }

  /** Adds a blank line, unless the last line is blank. */
  gap(): void {
    if (this.#lines.length > 0 && this.#lines.at(-1) !== '') this.add('')
  }

  text(): string {
    return this.#lines.join('\n').trimEnd()
  }
}

/** The text of a cell: one line with escaped bars, cut at the limit of a cell. */
export function cellText(text: string): string {
  const short =
    text.length > DOCUMENT_CELL_MAX_CHARS
      ? `${text.slice(0, DOCUMENT_CELL_MAX_CHARS).replace(/[\ud800-\udbff]$/, '')}… (${text.length} characters)`
      : text
  return short
    .trim()
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replace(/\r\n?|\n/g, '<br>')
}

export function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

export function tableRule(columns: number): string {
  return `|${' --- |'.repeat(columns)}`
}
