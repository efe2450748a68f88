// Collects the text of a document as lines, up to the text limit, and formats Markdown tables.

import { DOCUMENT_CELL_MAX_CHARS, DOCUMENT_TEXT_MAX_CHARS } from './limits.ts'

export class Lines {
  readonly #lines: string[] = []
  #chars = 0
  /** True once the limit is reached. Lines that are added later are dropped. */
  full = false

  /** Adds a line, or returns false if it would exceed the limit. */
  add(line: string): boolean {
    if (this.full || this.#chars + line.length + 1 > DOCUMENT_TEXT_MAX_CHARS) {
      this.full = true
      return false
    }
    this.#lines.push(line)
    this.#chars += line.length + 1
    return true
  }

  /** Adds a blank line, unless there are no lines or the last one is blank. */
  gap(): void {
    if (this.#lines.length > 0 && this.#lines.at(-1) !== '') this.add('')
  }

  text(): string {
    return this.#lines.join('\n').trimEnd()
  }
}

/** The text of a table cell: on one line, with escaped bars, and truncated to DOCUMENT_CELL_MAX_CHARS. */
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
