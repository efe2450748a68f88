// Parses a script one line at a time, because it is also run that way: an error in a later line does not prevent
// earlier lines from running.

import { Unsupported } from '../../commands/command.ts'
import { parseCompound } from './compound.ts'
import { parseSimple } from './simple.ts'
import { readHereDocuments, type PendingHere } from './here.ts'
import type { Source } from './source.ts'
import type { ChainLink, Command, ListItem, Parameter, Pipeline, Script } from './tree.ts'
import type { Parsing } from './parsing.ts'
import { parseParameter } from './parameters.ts'

const BLANKS = /(?:[ \t]|\\\n)+/y
const COMMENT = /#[^\n]*/y
const OPERATOR = /&&|\|\||;;&|;;|;&|\|&|&>>?|[|&;()\n]|<<<|<<-|<<|<&|<>|<\(|>>|>&|>\||>\(|[<>]/y
const RESERVED =
  /(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|time|coproc|in|\[\[|[{}!])(?=[ \t\n;&|()<>]|$)/y

export class Parser implements Parsing {
  readonly source: Source
  extendedPatterns: boolean
  readonly pendingHere: PendingHere[] = []
  /** The end of the last list item, including its separator. */
  #itemEnd = 0

  constructor(source: Source, extendedPatterns: boolean) {
    this.source = source
    this.extendedPatterns = extendedPatterns
  }

  over(source: Source): Parser {
    return new Parser(source, this.extendedPatterns)
  }

  parameter(inDouble: boolean): Parameter {
    return parseParameter(this, inDouble)
  }

  /** The commands of the next line that is not empty; null at the end. Throws a `ScriptError`. */
  nextLine(): Script | null {
    for (;;) {
      this.skipBlanks()
      if (this.source.atEnd) return null
      if (this.source.peek() !== '\n') break
      this.newline()
    }
    const items: ListItem[] = []
    while (!this.source.atEnd && this.source.peek() !== '\n') {
      items.push(this.#item())
      this.#separated()
    }
    if (!this.source.atEnd) this.newline()
    else this.#endHere()
    return { items }
  }

  commands(...ends: readonly string[]): Script {
    const items: ListItem[] = []
    for (;;) {
      this.skipNewlines()
      if (this.#isEnd(ends)) break
      if (this.source.atEnd) throw this.source.unexpected('')
      items.push(this.#item())
      this.#separated(ends)
    }
    if (items.length === 0) throw this.unexpectedHere()
    return { items }
  }

  commandsOrNone(...ends: readonly string[]): Script {
    this.skipNewlines()
    return this.#isEnd(ends) ? { items: [] } : this.commands(...ends)
  }

  commandsInParentheses(): Script {
    const items: ListItem[] = []
    for (;;) {
      this.skipNewlines()
      if (this.source.atEnd) throw this.source.unterminatedCommands()
      if (this.source.peek() === ')') break
      items.push(this.#item())
      this.#separated([')'])
    }
    this.#endHere()
    this.source.position++
    return { items }
  }

  command(): Command {
    return parseCompound(this) ?? parseSimple(this)
  }

  skipBlanks(): void {
    this.source.position += this.source.match(BLANKS)?.[0].length ?? 0
    if (this.source.peek() === '#') this.source.position += this.source.match(COMMENT)?.[0].length ?? 0
  }

  skipNewlines(): void {
    for (this.skipBlanks(); this.source.peek() === '\n'; this.skipBlanks()) this.newline()
  }

  /** Consumes the end of a line, and the here-documents that follow it. */
  newline(): void {
    this.source.position++
    readHereDocuments(this)
  }

  operator(): string {
    this.skipBlanks()
    return this.source.match(OPERATOR)?.[0] ?? ''
  }

  accept(operator: string): boolean {
    if (this.operator() !== operator) return false
    this.source.position += operator.length
    return true
  }

  reserved(): string {
    this.skipBlanks()
    return this.source.match(RESERVED)?.[0] ?? ''
  }

  acceptReserved(word: string): boolean {
    if (this.reserved() !== word) return false
    this.source.position += word.length
    return true
  }

  expectReserved(word: string): void {
    this.skipNewlines()
    if (!this.acceptReserved(word)) throw this.unexpectedHere()
  }

  unexpectedHere(): Error {
    const token = this.operator() || (this.source.match(/[^ \t\n;&|()<>]+/y)?.[0] ?? '')
    return this.source.unexpected(token)
  }

  #isEnd(ends: readonly string[]): boolean {
    const operator = this.operator()
    return operator === '' ? ends.includes(this.reserved()) : ends.includes(operator)
  }

  /** After a command, another one may begin only after `;`, `&` or the end of the line. */
  #separated(ends: readonly string[] = []): void {
    const { source } = this
    this.skipBlanks()
    if (/[;&]/.test(source.text[this.#itemEnd - 1] ?? '')) return
    if (!source.atEnd && source.peek() !== '\n' && !this.#isEnd(ends)) throw this.unexpectedHere()
  }

  #item(): ListItem {
    const chain: ChainLink[] = [{ operator: ';', pipeline: this.#pipeline() }]
    for (;;) {
      const operator = this.operator()
      if (operator !== '&&' && operator !== '||') break
      this.source.position += 2
      this.skipNewlines()
      chain.push({ operator, pipeline: this.#pipeline() })
    }
    const background = this.accept('&')
    const endsLine = !background && !this.accept(';')
    this.#itemEnd = this.source.position
    return { chain, background, endsLine }
  }

  #pipeline(): Pipeline {
    let negated = false
    let timed: Pipeline['timed'] = null
    for (;;) {
      if (this.acceptReserved('!')) negated = !negated
      else if (this.acceptReserved('time')) {
        timed = 'bash'
        this.skipBlanks()
        if (this.source.match(/-p(?=[ \t\n])/y)) {
          this.source.position += 2
          timed = 'posix'
        }
      } else break
    }
    if (this.reserved() === 'coproc') throw new Unsupported('bash: coproc', 'a pipe, or a temporary file')
    const commands = [this.command()]
    for (;;) {
      const operator = this.operator()
      if (operator !== '|' && operator !== '|&') break
      this.source.position += operator.length
      if (operator === '|&') commands.push(withErrors(commands.pop()))
      this.skipNewlines()
      commands.push(this.command())
    }
    return { commands, negated, timed }
  }

  #endHere(): void {
    if (this.pendingHere.length > 0) readHereDocuments(this)
  }
}

/** Expands `a |& b` to `a 2>&1 | b`. */
function withErrors(command: Command | undefined): Command {
  if (!command) throw new Error('a pipeline has a first command')
  const target = { parts: [{ kind: 'text', text: '1', quoted: false }], source: '1' } as const
  const redirect = { operator: '>&', descriptor: 2, variable: null, target } as const
  return { ...command, redirects: [...command.redirects, redirect] }
}
