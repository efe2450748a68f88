// What the parsers of commands need of each other.

import type { PendingHere } from './here.ts'
import type { Source } from './source.ts'
import type { Command, Script } from './tree.ts'
import type { WordContext } from './words.ts'

export interface Parsing extends WordContext {
  readonly pendingHere: PendingHere[]
  over(source: Source): Parsing
  /** Commands up to one of these reserved words or operators, which is not consumed. At least one command. */
  commands(...ends: readonly string[]): Script
  /** Like `commands`, but may be empty: the body of a `case` clause. */
  commandsOrNone(...ends: readonly string[]): Script
  command(): Command
  skipBlanks(): void
  /** Skips blanks, comments and ends of lines. */
  skipNewlines(): void
  /** The operator at the position, after blanks; empty if there is none. */
  operator(): string
  /** Consumes an operator if it is the next. */
  accept(operator: string): boolean
  /** The reserved word at the position, after blanks; empty if there is none. */
  reserved(): string
  acceptReserved(word: string): boolean
  expectReserved(word: string): void
  unexpectedHere(): Error
}
