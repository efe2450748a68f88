// Whether a program's output is the statement's own output, so that it can be shown as it arrives: no pipe,
// file or variable takes it, and nothing before it prints first. Reads the parsed script, runs nothing.

import { PROGRAMS } from './programs.ts'
import type { Command, Statement } from './shell.js'

/** Commands that print nothing on success. */
const SILENT = new Set(
  'cd mkdir export set unset local declare true : test [ cp mv rm touch chmod'.split(' '),
)
const PROGRAM_NAMES: ReadonlySet<string> = new Set(PROGRAMS)
/** Redirections that give the program input. */
const INPUT = new Set(['<', '<<', '<<-', '<<<'])

/** Tracks the current statement. */
export class ShownPrograms {
  readonly #before: () => void
  #shows = false
  /** Whether output of a program in it was shown. */
  any = false

  /** `before` shows the output so far. */
  constructor(before: () => void) {
    this.#before = before
  }

  begins(statement: Statement): void {
    this.#shows = showsPrograms(statement)
    this.any = false
  }

  /** Called when a program starts. Returns whether its output is shown. */
  ask(): boolean {
    if (!this.#shows) return false
    this.any = true
    this.#before()
    return true
  }
}

function showsPrograms({ pipelines }: Statement): boolean {
  return pipelines.every(({ commands: [command, ...piped] }) => {
    if (!command || piped.length > 0 || command.type !== 'SimpleCommand') return false
    const name = nameOf(command)
    if (name === null || takes(command)) return false
    return SILENT.has(name) || (PROGRAM_NAMES.has(name) && (command.redirections ?? []).every(harmless))
  })
}

/**
 * The name of a command. Null: only known at run time. An assignment alone has no name and prints nothing.
 */
function nameOf({ name }: Command): string | null {
  if (!name) return ':'
  const [part, ...more] = name.parts
  return part?.type === 'Literal' && more.length === 0 ? (part.value ?? '') : null
}

/** Whether one of its parts is the output of another command. */
function takes(command: Command): boolean {
  return /"type":"(?:Command|Process)Substitution"/.test(JSON.stringify(command))
}

function harmless({ operator, fd, target }: NonNullable<Command['redirections']>[number]): boolean {
  if (INPUT.has(operator)) return true
  return operator === '>&' && fd === 2 && target.parts?.[0]?.value === '1'
}
