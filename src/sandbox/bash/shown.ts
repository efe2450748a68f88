// Whether what a program prints within a statement is what the statement prints, so that it can be shown as it comes: no
// pipe, file or variable takes it, and nothing that stands before it prints first. Looks at the parsed script, runs nothing.

import { PROGRAMS } from './programs.ts'
import type { Command, Statement } from './shell.js'

/** Commands that print nothing where they do what they are asked. */
const SILENT = new Set(
  'cd mkdir export set unset local declare true : test [ cp mv rm touch chmod'.split(' '),
)
const PROGRAM_NAMES: ReadonlySet<string> = new Set(PROGRAMS)
/** What gives the program something to read. */
const INPUT = new Set(['<', '<<', '<<-', '<<<'])

/** Of the statement that runs now. */
export class ShownPrograms {
  readonly #before: () => void
  #shows = false
  /** Whether a program of it was shown. */
  any = false

  /** `before` shows what was said until then. */
  constructor(before: () => void) {
    this.#before = before
  }

  begins(statement: Statement): void {
    this.#shows = showsPrograms(statement)
    this.any = false
  }

  /** Asked when a program starts: whether it is shown. */
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

/** Null: it is only known when it runs. An assignment alone has no name, and prints nothing. */
function nameOf({ name }: Command): string | null {
  if (!name) return ':'
  const [part, ...more] = name.parts
  return part?.type === 'Literal' && more.length === 0 ? (part.value ?? '') : null
}

/** Whether a part of it is what another command prints. */
function takes(command: Command): boolean {
  return /"type":"(?:Command|Process)Substitution"/.test(JSON.stringify(command))
}

function harmless({ operator, fd, target }: NonNullable<Command['redirections']>[number]): boolean {
  if (INPUT.has(operator)) return true
  return operator === '>&' && fd === 2 && target.parts?.[0]?.value === '1'
}
