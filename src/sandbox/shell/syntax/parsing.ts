// The interface between the parsers of commands.

import type { PendingHere } from './here.ts'
import type { Source } from './source.ts'
import type { Command, Script } from './tree.ts'
import type { WordContext } from './words.ts'

export interface Parsing extends WordContext {
  readonly pendingHere: PendingHere[]
  over(source: Source): Parsing
  /** Parses at least one command, up to one of these reserved words or operators, which is not consumed. */
  commands(...ends: readonly string[]): Script
  /** Like `commands`, but may return none, as in the body of a `case` clause. */
  commandsOrNone(...ends: readonly string[]): Script
  command(): Command
  skipBlanks(): void
  /** Skips blanks, comments and line ends. */
  skipNewlines(): void
  /** The next operator, after blanks; empty if there is none. */
  operator(): string
  /** Consumes an operator if it is next. Returns whether it was. */
  accept(operator: string): boolean
  /** The next reserved word, after blanks; empty if there is none. */
  reserved(): string
  acceptReserved(word: string): boolean
  expectReserved(word: string): void
  unexpectedHere(): Error
}
