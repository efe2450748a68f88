// A screen with cursor control: renders each block of Markdown when it is complete, wraps text, and shows a
// status in the last line. Rewrites no other line.

import { harmlessLine, paint } from '../lib/terminal.ts'
import { columnsOf, truncateTo, wrapHanging } from '../lib/wrap.ts'
import { CHAT_MAX_COLUMNS } from './limits.ts'
import { hasColours, styleFor } from './markdown/style.ts'
import { MarkdownStream, type MarkdownPiece } from './markdown/stream.ts'
import { NAME_COLUMNS } from './screen.ts'

import type { OutputKind, Screen, Write } from './screen.ts'

/** In a narrower window, the descriptions of a list go below the names instead of beside them. */
const TWO_COLUMN_MIN_WIDTH = 56

export class RichScreen implements Screen {
  readonly #write: Write
  readonly #writeError: Write
  readonly #columns: () => number
  readonly #markdown: MarkdownStream
  /** The current status, shown in the last line; null if there is none. */
  #status: string | null = null
  /** Text shown after the status; null if there is none. */
  #typing: string | null = null
  /**
   * What was written last: `nothing` (or a blank line), a line, or text, which a blank line separates from
   * others.
   */
  #lastWritten: 'nothing' | 'line' | 'text' = 'nothing'
  #kind: OutputKind = 'text'
  /** The text since the last call of `close`. */
  #answer = ''
  /** After a restart: the text before it, and its repetition so far. Null if there was no restart. */
  #restart: { readonly beforeRestart: string; sinceRestart: string } | null = null

  /** `writeError` writes to standard error, which is usually the same terminal. */
  constructor(write: Write, writeError: Write, columns: () => number) {
    this.#write = write
    this.#writeError = writeError
    this.#columns = columns
    this.#markdown = new MarkdownStream({ width: () => this.#width(), style: styleFor(hasColours()) })
  }

  get columns(): number {
    return this.#width()
  }

  line(text: string, style?: 'dim'): void {
    this.close()
    const gap = this.#lastWritten === 'text' ? '\n' : ''
    const lines = text.split('\n').flatMap((line) => wrapIndented(line, this.#width()))
    this.#put(gap + lines.map((line) => (style ? paint(style, line) : line)).join('\n'))
    this.#lastWritten = 'line'
  }

  verbatim(text: string, style?: 'dim'): void {
    this.close()
    this.#put(style ? paint(style, text) : text)
    this.#lastWritten = 'line'
  }

  row(name: string, description: string): void {
    const label = name.padEnd(NAME_COLUMNS)
    const isNarrow = this.#width() < TWO_COLUMN_MIN_WIDTH || columnsOf(label) > NAME_COLUMNS
    if (isNarrow) this.verbatim(name)
    for (const line of wrapHanging(
      description,
      this.#width(),
      isNarrow ? '    ' : label,
      ' '.repeat(isNarrow ? 4 : NAME_COLUMNS),
    ))
      this.verbatim(line)
  }

  fault(text: string): void {
    this.close()
    this.#erase()
    if (this.#lastWritten === 'text') this.#write('\n')
    const lines = text.split('\n').flatMap((line) => wrapIndented(harmlessLine(line), this.#width()))
    this.#writeError(`${lines.map((line) => paint('red', line, process.stderr)).join('\n')}\n`)
    this.#lastWritten = 'line'
    this.#draw()
  }

  gap(): void {
    this.close()
    if (this.#lastWritten === 'line' || this.#lastWritten === 'text') this.#put('')
    this.#lastWritten = 'nothing'
  }

  say(kind: OutputKind, text: string): void {
    if (kind !== this.#kind) this.close()
    this.#kind = kind
    const newText = this.#skipRepetition(text)
    if (newText === '') return
    this.#answer += newText
    for (const piece of this.#markdown.push(newText)) this.#showPiece(piece)
  }

  restart(reason: string): void {
    // Does not call `close`, because the current block continues after the repetition.
    this.#put(`${this.#lastWritten === 'text' ? '\n' : ''}${this.#dim(reason)}`)
    this.#lastWritten = 'line'
    this.#restart = { beforeRestart: this.#answer, sinceRestart: '' }
  }

  close(): void {
    const newAnswer = this.#restart?.sinceRestart ?? ''
    this.#restart = null
    if (newAnswer !== '' && newAnswer !== this.#answer) this.#showNewAnswer(newAnswer)
    for (const piece of this.#markdown.end()) this.#showPiece(piece)
    this.#answer = ''
  }

  /** The part of `text` that goes beyond the answer before a restart; all of it if there was no restart. */
  #skipRepetition(text: string): string {
    const restart = this.#restart
    if (restart === null) return text
    restart.sinceRestart += text
    if (restart.beforeRestart.startsWith(restart.sinceRestart)) return ''
    this.#restart = null
    if (restart.sinceRestart.startsWith(restart.beforeRestart))
      return restart.sinceRestart.slice(restart.beforeRestart.length)
    this.#showNewAnswer(restart.sinceRestart)
    return ''
  }

  /** Shows an answer that differs from the one before the restart. */
  #showNewAnswer(answer: string): void {
    this.close()
    this.line('… the answer is different this time; ignore the one above:', 'dim')
    this.say(this.#kind, answer)
  }

  #dim(text: string): string {
    return wrapIndented(text, this.#width())
      .map((line) => paint('dim', line))
      .join('\n')
  }

  status(text: string | null): void {
    if (text === this.#status) return
    this.#erase()
    this.#status = text
    this.#draw()
  }

  typing(text: string | null): void {
    if (text === this.#typing) return
    this.#erase()
    this.#typing = text
    this.#draw()
  }

  #showPiece({ lines, isContinuation }: MarkdownPiece): void {
    const gap = isContinuation || this.#lastWritten === 'nothing' ? '' : '\n'
    const text = lines.join('\n')
    this.#put(gap + (this.#kind === 'thinking' ? paint('dim', text) : text))
    this.#lastWritten = 'text'
  }

  #put(text: string): void {
    this.#erase()
    this.#write(`${text}\n`)
    this.#draw()
  }

  #erase(): void {
    if (this.#lastLine !== '') this.#write('\r\x1b[2K')
  }

  get #lastLine(): string {
    return [this.#status, this.#typing].filter((part) => part !== null).join(' · ')
  }

  /** Draws the status, cut to one line so that it can be erased. */
  #draw(): void {
    const line = this.#lastLine
    if (line !== '') this.#write(paint('dim', truncateTo(line, this.#columns() - 1)))
  }

  #width(): number {
    return Math.min(CHAT_MAX_COLUMNS, this.#columns())
  }
}

/**
 * Wraps text and keeps its indent on every line; continuation lines of a small indent get two more spaces.
 */
function wrapIndented(text: string, width: number): readonly string[] {
  const [start = '', styles = '', indent = ''] = /^((?:\p{Cc}\[\d+m)*)( *)/u.exec(text) ?? []
  return wrapHanging(
    styles + text.slice(start.length),
    width,
    indent,
    indent.length < 4 ? `${indent}  ` : indent,
  )
}
