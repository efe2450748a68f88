// Receivers of expanded text: fields of a command, one text, a pattern, a replacement.

import { quotePattern } from '../pattern/quote.ts'

export interface Sink {
  /** Quoted text, which is neither split nor a pattern. */
  quoted(text: string): void
  /** Unquoted text of the script itself, which is not split. */
  literal(text: string): void
  /** The result of an unquoted expansion, which is split into fields. */
  result(text: string): void
  /** Several results, as of `$@` and `$*`. */
  list(values: readonly string[], star: boolean, quoted: boolean): void
}

/** A field of a command, before patterns are replaced by file names. */
export type Field = readonly FieldPart[]
export interface FieldPart {
  readonly text: string
  readonly quoted: boolean
}

export class FieldSink implements Sink {
  readonly fields: Field[] = []
  readonly #separators: string
  #current: FieldPart[] | null = null

  /** `separators` is the value of IFS. */
  constructor(separators: string) {
    this.#separators = separators
  }

  quoted(text: string): void {
    this.#add(text, true)
  }

  literal(text: string): void {
    this.#add(text, false)
  }

  result(text: string): void {
    const separators = this.#separators
    if (separators === '') {
      if (text !== '') this.#add(text, false)
      return
    }
    let position = 0
    while (position < text.length) {
      let end = position
      while (end < text.length && !separators.includes(text[end] ?? '')) end++
      if (end > position) this.#add(text.slice(position, end), false)
      position = end
      if (position >= text.length) return
      // White space around another separator belongs to it.
      const blanks = (): void => {
        while (
          position < text.length &&
          isBlank(text[position] ?? '') &&
          separators.includes(text[position] ?? '')
        )
          position++
      }
      blanks()
      const other = position < text.length && separators.includes(text[position] ?? '')
      if (other) {
        this.#current ??= []
        position++
        blanks()
      }
      this.end()
    }
  }

  list(values: readonly string[], star: boolean, quoted: boolean): void {
    if (quoted && star) return this.quoted(values.join(this.#separators[0] ?? ''))
    for (const [index, value] of values.entries()) {
      if (index > 0) this.end()
      if (quoted) this.quoted(value)
      else this.result(value)
    }
  }

  /** Ends the current field. */
  end(): void {
    if (this.#current) this.fields.push(this.#current)
    this.#current = null
  }

  #add(text: string, quoted: boolean): void {
    this.#current ??= []
    this.#current.push({ text, quoted })
  }
}

function isBlank(char: string): boolean {
  return char === ' ' || char === '\t' || char === '\n'
}

/** Collects one text: an assignment, the word of `case`, a redirection. */
export class TextSink implements Sink {
  text = ''
  readonly #separators: string

  constructor(separators: string) {
    this.#separators = separators
  }

  quoted(text: string): void {
    this.text += text
  }

  literal(text: string): void {
    this.text += text
  }

  result(text: string): void {
    this.text += text
  }

  list(values: readonly string[], star: boolean): void {
    this.text += values.join(star ? (this.#separators[0] ?? '') : ' ')
  }
}

/** Collects a pattern or a regular expression. `quote` escapes text so that it matches itself. */
export class PatternSink implements Sink {
  text = ''
  readonly #quote: (text: string) => string

  constructor(quote: (text: string) => string = quotePattern) {
    this.#quote = quote
  }

  quoted(text: string): void {
    this.text += this.#quote(text)
  }

  literal(text: string): void {
    this.text += text
  }

  result(text: string): void {
    this.text += text
  }

  list(values: readonly string[], _star: boolean, quoted: boolean): void {
    const text = values.join(' ')
    if (quoted) this.quoted(text)
    else this.result(text)
  }
}
