// Searches one input and prints the requested report.

import type { CommandIo } from '../command.ts'
import { byteBlocksOf, bytesOfLatin1, latin1OfText } from '../io/latin1.ts'
import type { ByteReader } from '../io/reader.ts'
import { lineFor } from '../io/locale.ts'
import type { Matcher } from './matcher.ts'
import type { GrepOptions } from './options.ts'
import { LinePrinter, type FoundLine } from './print.ts'

const ASCII = /^[\0-\x7f]*$/
const ESCAPED = /[\uDC80-\uDCFF]/u

/** Searches one input. */
export class Search {
  readonly #io: CommandIo
  readonly #options: GrepOptions
  readonly #matcher: Matcher
  readonly #shownName: string
  readonly #printer: LinePrinter
  #number = 0
  #offset = 0
  #selected = 0
  /** Whether a NUL or invalid UTF-8 was found, so that lines are not printed. */
  #isBinary = false
  #hidesLines = false
  #output = ''
  /** Previous lines that may be printed as context of the next match. */
  #before: FoundLine[] = []
  #afterLeft = 0
  /** The number of the last printed line; 0 if there is none. */
  #shown = 0

  constructor(
    io: CommandIo,
    options: GrepOptions,
    matcher: Matcher,
    name: string,
    withName: boolean,
    width: number,
  ) {
    this.#io = io
    this.#options = options
    this.#matcher = matcher
    this.#shownName = name
    this.#printer = new LinePrinter(options, matcher, withName ? name : null, width)
  }

  /** Returns the number of selected lines; some reports stop after 1. */
  async run(reader: ByteReader): Promise<number> {
    const { end, report, binary } = this.#options
    for await (const block of byteBlocksOf(reader, end)) {
      let { text } = block
      let { unterminated } = block
      if (!this.#isBinary && end === '\n' && binary !== 'text' && text.includes('\0')) {
        if (binary === 'skip') return 0
        this.#isBinary = true
        if (report !== 'count') this.#hidesLines = true
      }
      // In a binary file, NUL also ends a line.
      if (this.#isBinary) {
        text = text.replaceAll('\0', '\n')
        if (unterminated && text.endsWith('\n')) {
          text = text.slice(0, -1)
          unterminated = false
        }
      }
      const ended = this.#canHop() ? this.#hop(text) : await this.#lines(text, this.#candidates(text))
      if (this.#output !== '') {
        await this.#io.stdout.write(bytesOfLatin1(this.#output))
        this.#output = ''
      }
      if (ended) break
    }
    if (this.#isBinary && report === 'lines' && this.#selected > 0) {
      await this.#io.stdout.flush()
      await this.#io.stderr.write(`${this.#io.name}: ${this.#shownName}: binary file matches\n`)
    }
    return this.#selected
  }

  /** Whether only the number of lines is needed, and all matching lines contain a fixed text. */
  #canHop(): boolean {
    const { inverted, report, most } = this.#options
    return this.#matcher.needle !== '' && !inverted && report !== 'lines' && most === Infinity
  }

  /** Counts lines that contain the needle. Returns true if the report is complete. */
  #hop(text: string): boolean {
    const { needle, exact } = this.#matcher
    const { end, report } = this.#options
    for (let hit = text.indexOf(needle); hit !== -1;) {
      const next = text.indexOf(end, hit)
      const line = exact ? '' : text.slice(text.lastIndexOf(end, hit) + 1, next === -1 ? undefined : next)
      if (exact || this.#matcher.find(this.#textOf(line), 0) !== null) {
        this.#selected++
        if (report !== 'count') return true
      }
      if (next === -1) break
      hit = text.indexOf(needle, next + 1)
    }
    return false
  }

  /** Whether any line of this block may be selected or printed. */
  #candidates(text: string): boolean {
    const { inverted } = this.#options
    return (
      inverted || this.#afterLeft > 0 || this.#matcher.needle === '' || text.includes(this.#matcher.needle)
    )
  }

  /** Returns true if no more lines are needed. */
  async #lines(block: string, hasCandidates: boolean): Promise<boolean> {
    const { end, most, before, report, inverted } = this.#options
    const { needle, exact } = this.#matcher
    const lines = block.split(end)
    if (!hasCandidates && before === 0) {
      this.#number += lines.length
      this.#offset += block.length + 1
      return false
    }
    const isPlain = ASCII.test(block)
    for (const bytes of lines) {
      this.#number++
      const offset = this.#offset
      this.#offset += bytes.length + 1
      const mayMatch = needle === '' || bytes.includes(needle)
      const text = isPlain || !mayMatch ? bytes : this.#textOf(bytes)
      const matches = mayMatch && (exact || this.#matcher.find(text, 0) !== null)
      const line: FoundLine = { bytes, text, number: this.#number, offset }
      if (matches === inverted || this.#selected >= most) {
        if (this.#context(line)) return true
        continue
      }
      this.#selected++
      if (report === 'with' || report === 'without' || report === 'nothing') return true
      if (report === 'lines' && this.#select(line)) return true
      if (this.#selected >= most && (report === 'count' || this.#options.after === 0)) return true
    }
    return false
  }

  /** Handles a line that is not selected. Returns true if no more lines are needed. */
  #context(line: FoundLine): boolean {
    const { before, report, most } = this.#options
    if (report !== 'lines') return false
    if (this.#afterLeft > 0) {
      this.#afterLeft--
      this.#show(line, '-')
    } else if (before > 0) {
      this.#before.push(line)
      if (this.#before.length > before) this.#before.shift()
    }
    return this.#selected >= most && this.#afterLeft === 0
  }

  /** Prints a selected line with its preceding context. Returns true if it is enough to know that one exists. */
  #select(line: FoundLine): boolean {
    if (this.#hidesLines) return true
    for (const earlier of this.#before) this.#show(earlier, '-')
    this.#before = []
    this.#show(line, ':')
    this.#afterLeft = this.#options.after
    return false
  }

  #show(line: FoundLine, mark: ':' | '-'): void {
    const { grouped, binary, bytesOnly, end } = this.#options
    if (grouped && this.#shown > 0 && line.number > this.#shown + 1) this.#output += this.#printer.separator()
    this.#shown = line.number
    const shown = { ...line, text: this.#textOf(line.bytes) }
    if (binary !== 'text' && end === '\n' && !bytesOnly && ESCAPED.test(shown.text)) {
      this.#isBinary = true
      return
    }
    this.#output += this.#printer.line(shown, mark)
  }

  #textOf(bytes: string): string {
    return ASCII.test(bytes) ? bytes : lineFor(this.#io.env, bytes)
  }
}

/** Prints the summary of one file. */
export function summary(options: GrepOptions, name: string, withName: boolean, selected: number): string {
  const { report, nullAfterName } = options
  const colored = (code: string, text: string): string =>
    options.colored ? `\x1B[${code}m\x1B[K${text}\x1B[m\x1B[K` : text
  const shown = colored('35', latin1OfText(name))
  if (report === 'count') {
    const mark = nullAfterName ? '\0' : colored('36', ':')
    return `${withName ? shown + mark : ''}${selected}\n`
  }
  const isListed = report === 'with' ? selected > 0 : report === 'without' && selected === 0
  return isListed ? shown + (nullAfterName ? '\0' : '\n') : ''
}
