// The text of a script, read from left to right.

import { shownText } from './quoting.ts'

/** The script cannot be parsed. `message` without the prefix `bash: line N: `. */
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

  /** The character at an offset from here; empty at the end. */
  peek(offset = 0): string {
    return this.text[this.position + offset] ?? ''
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.position)
  }

  /** Matches a sticky expression here. */
  match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.position
    return expression.exec(this.text)
  }

  /** The line of the position. */
  get line(): number {
    if (this.position < this.#counted) {
      this.#counted = 0
      this.#countedLine = this.firstLine
    }
    for (; this.#counted < this.position; this.#counted++)
      if (this.text[this.#counted] === '\n') this.#countedLine++
    return this.#countedLine
  }

  /** `token`: what the parser did not expect; empty for the end. */
  unexpected(token: string): ScriptError {
    if (token === '') return new ScriptError('syntax error: unexpected end of file', this.#lineOfEnd)
    const shown = token === '\n' ? 'newline' : shownText(token)
    return new ScriptError(`syntax error near unexpected token \`${shown}'`, this.line)
  }

  /** As bash counts: the end is on a line of its own. */
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
