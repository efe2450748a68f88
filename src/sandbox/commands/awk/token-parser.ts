// Steps through the tokens of a program.

import { Failed } from '../command.ts'
import type { Token } from './tokens.ts'

export class TokenParser {
  protected readonly tokens: readonly Token[]
  protected at = 0

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  protected get token(): Token {
    const token = this.tokens[this.at] ?? this.tokens.at(-1)
    if (!token) throw new Failed('the program is empty', 1)
    return token
  }

  protected is(text: string): boolean {
    const { kind, text: found } = this.token
    return found === text && (kind === 'mark' || kind === 'word' || kind === 'newline')
  }

  protected take(text: string): boolean {
    if (!this.is(text)) return false
    this.at++
    return true
  }

  protected expect(text: string): void {
    if (!this.take(text)) this.wrong()
  }

  protected wrong(): never {
    const { line, text } = this.token
    throw new Failed(
      `line ${line}: syntax error at ${text === '\n' ? 'the end of the line' : `'${text}'`}`,
      1,
    )
  }

  protected skipNewlines(): void {
    while (this.token.kind === 'newline') this.at++
  }
}
