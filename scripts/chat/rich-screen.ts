// A screen with cursor control: renders Markdown as blocks are complete, wraps text, and shows a status in the last
// line. Rewrites no line but the last.

import { harmlessLine, paint } from '../lib/terminal.ts'
import { columnsOf, cutTo, hanging } from '../lib/wrap.ts'
import { CHAT_WIDTH_MAX } from './limits.ts'
import { hasColours, lookOf } from './markdown/look.ts'
import { MarkdownStream, type MarkdownPiece } from './markdown/stream.ts'
import { NAME_COLUMNS } from './screen.ts'

import type { OutputKind, Screen, Write } from './screen.ts'

/** Names have their own column, unless the window is narrower than this. */
const ROW_COLUMNS = 56

/** For a terminal with cursor control. */
export class RichScreen implements Screen {
  readonly #write: Write
  readonly #wrong: Write
  readonly #columns: () => number
  readonly #markdown: MarkdownStream
  /** The current status, shown when nothing else is written. */
  #status: string | null = null
  /** What is above: nothing or a blank line, a line, or text, which keeps its distance. */
  #above: 'nothing' | 'line' | 'text' = 'nothing'
  #kind: OutputKind = 'text'
  /** The text since the last close. */
  #answer = ''
  /** The text before a restart, and its repetition so far; null: no restart. */
  #repeated: { readonly before: string; now: string } | null = null

  /** `wrong`: for faults; usually the same terminal. */
  constructor(write: Write, wrong: Write, columns: () => number) {
    this.#write = write
    this.#wrong = wrong
    this.#columns = columns
    this.#markdown = new MarkdownStream({ width: () => this.#width(), look: lookOf(hasColours()) })
  }

  get columns(): number {
    return this.#width()
  }

  line(text: string, style?: 'dim'): void {
    this.close()
    const gap = this.#above === 'text' ? '\n' : ''
    const lines = text.split('\n').flatMap((one) => indented(one, this.#width()))
    this.#put(gap + lines.map((one) => (style ? paint(style, one) : one)).join('\n'))
    this.#above = 'line'
  }

  verbatim(text: string, style?: 'dim'): void {
    this.close()
    this.#put(style ? paint(style, text) : text)
    this.#above = 'line'
  }

  row(name: string, about: string): void {
    const label = name.padEnd(NAME_COLUMNS)
    const isNarrow = this.#width() < ROW_COLUMNS || columnsOf(label) > NAME_COLUMNS
    if (isNarrow) this.verbatim(name)
    for (const line of hanging(
      about,
      this.#width(),
      isNarrow ? '    ' : label,
      ' '.repeat(isNarrow ? 4 : NAME_COLUMNS),
    ))
      this.verbatim(line)
  }

  fault(text: string): void {
    this.close()
    this.#erase()
    if (this.#above === 'text') this.#write('\n')
    const lines = text.split('\n').flatMap((one) => indented(harmlessLine(one), this.#width()))
    this.#wrong(`${lines.map((line) => paint('red', line, process.stderr)).join('\n')}\n`)
    this.#above = 'line'
    this.#draw()
  }

  gap(): void {
    this.close()
    if (this.#above === 'line' || this.#above === 'text') this.#put('')
    this.#above = 'nothing'
  }

  say(kind: OutputKind, text: string): void {
    if (kind !== this.#kind) this.close()
    this.#kind = kind
    const fresh = this.#fresh(text)
    if (fresh === '') return
    this.#answer += fresh
    for (const piece of this.#markdown.push(fresh)) this.#piece(piece)
  }

  restart(reason: string): void {
    // Not closed: the current block continues.
    this.#put(`${this.#above === 'text' ? '\n' : ''}${this.#dim(reason)}`)
    this.#above = 'line'
    this.#repeated = { before: this.#answer, now: '' }
  }

  close(): void {
    const less = this.#repeated?.now ?? ''
    this.#repeated = null
    if (less !== '' && less !== this.#answer) this.#differs(less)
    for (const piece of this.#markdown.end()) this.#piece(piece)
    this.#answer = ''
  }

  /** The part of the text that is not on the screen or on its way there yet. */
  #fresh(text: string): string {
    const repeated = this.#repeated
    if (repeated === null) return text
    repeated.now += text
    if (repeated.before.startsWith(repeated.now)) return ''
    this.#repeated = null
    if (repeated.now.startsWith(repeated.before)) return repeated.now.slice(repeated.before.length)
    this.#differs(repeated.now)
    return ''
  }

  /** Prints all of it again, and that the text above is void. */
  #differs(now: string): void {
    this.close()
    this.line('… it says something else this time:', 'dim')
    this.say(this.#kind, now)
  }

  #dim(text: string): string {
    return indented(text, this.#width())
      .map((line) => paint('dim', line))
      .join('\n')
  }

  status(text: string | null): void {
    if (text === this.#status) return
    this.#erase()
    this.#status = text
    this.#draw()
  }

  #piece({ lines, joined }: MarkdownPiece): void {
    const gap = joined || this.#above === 'nothing' ? '' : '\n'
    const text = lines.join('\n')
    this.#put(gap + (this.#kind === 'thinking' ? paint('dim', text) : text))
    this.#above = 'text'
  }

  #put(text: string): void {
    this.#erase()
    this.#write(`${text}\n`)
    this.#draw()
  }

  #erase(): void {
    if (this.#status !== null) this.#write('\r\x1b[2K')
  }

  /** Cut to one line, so that erasing it erases all of it. */
  #draw(): void {
    if (this.#status !== null) this.#write(paint('dim', cutTo(this.#status, this.#columns() - 1)))
  }

  #width(): number {
    return Math.min(CHAT_WIDTH_MAX, this.#columns())
  }
}

/** Wrapped, with its own indent before each line, and two more blanks on continuation lines. */
function indented(text: string, width: number): readonly string[] {
  const [start = '', styles = '', indent = ''] = /^((?:\p{Cc}\[\d+m)*)( *)/u.exec(text) ?? []
  return hanging(styles + text.slice(start.length), width, indent, indent.length < 4 ? `${indent}  ` : indent)
}
