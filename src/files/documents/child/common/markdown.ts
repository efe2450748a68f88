// The text that a document becomes: lines up to a bound, then none. Knows Markdown's tables and nothing of documents.

import { DOCUMENT_CELL_MAX_CHARS, DOCUMENT_TEXT_MAX_CHARS } from './limits.ts'

export class Lines {
  readonly #lines: string[] = []
  #chars = 0
  /** Nothing more is taken. */
  full = false

  /** Adds a line, or says that it has no place any more. */
  add(line: string): boolean {
    if (this.full || this.#chars + line.length + 1 > DOCUMENT_TEXT_MAX_CHARS) {
      this.full = true
      return false
    }
    this.#lines.push(line)
    this.#chars += line.length + 1
    return true
  }

  /** A blank line, unless there is one. */
  gap(): void {
    if (this.#lines.length > 0 && this.#lines.at(-1) !== '') this.add('')
  }

  text(): string {
    return this.#lines.join('\n').trimEnd()
  }
}

/** What stands in a cell: one line, its bars escaped, no longer than a cell may be. */
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
