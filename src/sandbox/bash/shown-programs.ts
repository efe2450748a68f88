// Decides whether a program's output can be shown while it runs. This is so if it is the statement's own output: no
// pipe, file or variable receives it, and no earlier part of the statement prints. Reads only the parsed script.

import { PROGRAMS } from './programs.ts'
import type { Command, Statement } from './shell.js'

/** Commands that print nothing on success. */
const SILENT_COMMANDS = new Set(
  'cd mkdir export set unset local declare true : test [ cp mv rm touch chmod'.split(' '),
)
const PROGRAM_NAMES: ReadonlySet<string> = new Set(PROGRAMS)
/** Redirections of the program's input. */
const INPUT_REDIRECTIONS = new Set(['<', '<<', '<<-', '<<<'])

/** Tracks the current statement. */
export class ShownPrograms {
  readonly #flush: () => void
  #showsOutput = false
  /** Whether the output of a program in the current statement was shown. */
  hasShownOutput = false

  /** `flush` shows the output so far. */
  constructor(flush: () => void) {
    this.#flush = flush
  }

  begins(statement: Statement): void {
    this.#showsOutput = showsPrograms(statement)
    this.hasShownOutput = false
  }

  /** Called when a program starts. Returns whether its output is shown. */
  ask(): boolean {
    if (!this.#showsOutput) return false
    this.hasShownOutput = true
    this.#flush()
    return true
  }
}

function showsPrograms({ pipelines }: Statement): boolean {
  return pipelines.every(({ commands: [command, ...piped] }) => {
    if (!command || piped.length > 0 || command.type !== 'SimpleCommand') return false
    const name = nameOf(command)
    if (name === null || hasSubstitution(command)) return false
    return (
      SILENT_COMMANDS.has(name) ||
      (PROGRAM_NAMES.has(name) && (command.redirections ?? []).every(keepsOutput))
    )
  })
}

/**
 * The name of a command, or null if it is known only at run time. An assignment without a command has the name `:`,
 * which prints nothing.
 */
function nameOf({ name }: Command): string | null {
  if (!name) return ':'
  const [part] = name.parts
  return part?.type === 'Literal' && name.parts.length === 1 ? (part.value ?? '') : null
}

/** Whether a part of the command is the output of another command. */
function hasSubstitution(command: Command): boolean {
  return /"type":"(?:Command|Process)Substitution"/.test(JSON.stringify(command))
}

/** Whether the program's output is still the statement's output after this redirection. */
function keepsOutput({ operator, fd, target }: NonNullable<Command['redirections']>[number]): boolean {
  if (INPUT_REDIRECTIONS.has(operator)) return true
  return operator === '>&' && fd === 2 && target.parts?.[0]?.value === '1'
}
