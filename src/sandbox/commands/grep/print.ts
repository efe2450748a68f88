// Prints the lines that `grep` found, as Latin-1 text (one character per byte).

import { latin1OfText } from '../io/latin1.ts'
import type { Matcher } from './matcher.ts'
import type { GrepOptions } from './options.ts'

export interface FoundLine {
  /** The bytes of the line as Latin-1, without its line end. */
  readonly bytes: string
  readonly text: string
  readonly number: number
  /** Offset of the line in the file, in bytes. */
  readonly offset: number
}

export class LinePrinter {
  readonly #options: GrepOptions
  readonly #matcher: Matcher
  readonly #name: string | null
  readonly #width: number

  /** `name` is printed before each line, unless it is null. `width` is that of numbers. */
  constructor(options: GrepOptions, matcher: Matcher, name: string | null, width: number) {
    this.#width = width
    this.#options = options
    this.#matcher = matcher
    this.#name = name === null ? null : latin1OfText(name)
  }

  separator(): string {
    const { separator } = this.#options
    if (separator === null) return ''
    return `${this.#colored('36', latin1OfText(separator))}\n`
  }

  /** Prints a selected line (`:`) or a context line (`-`). */
  line(line: FoundLine, mark: ':' | '-'): string {
    const { end, onlyMatches, inverted, colored } = this.#options
    // With -v, the lines that match are the context.
    const showsMatches = (mark === ':') !== inverted
    if (onlyMatches) return mark === ':' && !inverted ? this.#matches(line) : ''
    const body = colored && showsMatches ? this.#highlighted(line) : line.bytes
    return this.#head(line, line.offset, mark) + body + end
  }

  #matches(line: FoundLine): string {
    let text = ''
    for (const [from, to] of spansOf(this.#matcher, line.text)) {
      const before = latin1OfText(line.text.slice(0, from)).length
      text +=
        this.#head(line, line.offset + before, ':', to - from) +
        this.#colored('01;31', latin1OfText(line.text.slice(from, to))) +
        this.#options.end
    }
    return text
  }

  #highlighted(line: FoundLine): string {
    let text = ''
    let at = 0
    for (const [from, to] of spansOf(this.#matcher, line.text)) {
      text +=
        latin1OfText(line.text.slice(at, from)) +
        this.#colored('01;31', latin1OfText(line.text.slice(from, to)))
      at = to
    }
    return text + latin1OfText(line.text.slice(at))
  }

  #head(line: FoundLine, offset: number, mark: ':' | '-', length = line.bytes.length): string {
    const { numbered, offsets, nullAfterName, aligned } = this.#options
    const separator = this.#colored('36', mark)
    let text = ''
    if (this.#name !== null) text += this.#colored('35', this.#name) + (nullAfterName ? '\0' : separator)
    if (numbered) text += this.#colored('32', String(line.number).padStart(this.#width)) + separator
    if (offsets) text += this.#colored('32', String(offset).padStart(this.#width)) + separator
    return aligned && text !== '' && length > 0 ? `${text}\t` : text
  }

  #colored(code: string, text: string): string {
    return this.#options.colored && text !== '' ? `\x1B[${code}m\x1B[K${text}\x1B[m\x1B[K` : text
  }
}

/** Yields all non-empty matches. */
function* spansOf(matcher: Matcher, text: string): Generator<readonly [number, number]> {
  let at = 0
  while (at < text.length) {
    const span = matcher.find(text, at)
    if (!span || span[0] >= text.length) return
    if (span[1] > span[0]) {
      yield span
      at = span[1]
    } else at = span[0] + ((text.codePointAt(span[0]) ?? 0) > 0xffff ? 2 : 1)
  }
}
