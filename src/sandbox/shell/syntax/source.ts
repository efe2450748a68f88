// The text of a script, and the current position in it.

import { shownText } from './quoting.ts'

/** A syntax error. The message does not have the prefix `bash: line N: `. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError'
  readonly line: number
  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}

export class Source {
  readonly text: string
  readonly firstLine: number
  #counted = 0
  #countedLine: number
  position = 0

  constructor(text: string, firstLine: number) {
    this.text = text
    this.firstLine = firstLine
    this.#countedLine = firstLine
  }

  get atEnd(): boolean {
    return this.position >= this.text.length
  }

  /** The character at an offset from the current position; empty at the end. */
  peek(offset = 0): string {
    return this.text[this.position + offset] ?? ''
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.position)
  }

  /** Matches a sticky regular expression at the current position. */
  match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.position
    return expression.exec(this.text)
  }

  /** The line number of the current position. */
  get line(): number {
    if (this.position < this.#counted) {
      this.#counted = 0
      this.#countedLine = this.firstLine
    }
    for (; this.#counted < this.position; this.#counted++)
      if (this.text[this.#counted] === '\n') this.#countedLine++
    return this.#countedLine
  }

  /** The error for an unexpected token; `token` is empty at the end of the text. */
  unexpected(token: string): ScriptError {
    if (token === '') return new ScriptError('syntax error: unexpected end of file', this.#lineOfEnd)
    const shown = token === '\n' ? 'newline' : shownText(token)
    return new ScriptError(`syntax error near unexpected token \`${shown}'`, this.line)
  }

  /** As in bash, the end of the text counts as a line of its own. */
  get #lineOfEnd(): number {
    return this.line + (this.atEnd && !this.text.endsWith('\n') ? 1 : 0)
  }

  invalid(message: string): ScriptError {
    return new ScriptError(message, this.line)
  }

  unterminated(quote: string, line = this.line): ScriptError {
    return new ScriptError(`unexpected EOF while looking for matching \`${quote}'`, line)
  }

  unterminatedCommands(): ScriptError {
    return this.unterminated(')', this.#lineOfEnd)
  }
}
