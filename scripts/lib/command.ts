// Runs a command: parses its arguments, prints help and errors, and sets the exit status.

import type { parseArgs, ParseArgsConfig } from 'node:util'

import { readArgs } from './args.ts'
import { harmlessLine, paint } from './terminal.ts'

type Config = Pick<ParseArgsConfig, 'allowPositionals' | 'options'>
type ParsedArgs<C extends Config> = ReturnType<typeof parseArgs<C>>

/** How a command reports errors: as text for people, or in another format for scripts. */
interface ErrorOutput {
  failed(message: string): void
  misused(message: string, usage: string): void
}

const TEXT_OUTPUT: ErrorOutput = {
  failed: complain,
  misused: (message, usage) => {
    complain(message)
    console.error(`\n${usage}`)
  },
}

/** Prints an error in red, without control characters. */
export function complain(text: string): void {
  console.error(paint('red', text.split('\n').map(harmlessLine).join('\n'), process.stderr))
}

/**
 * Parses the arguments, prints the usage for --help, and exits with the status that `main` returns. If `main` returns a
 * string, that is an error in the arguments: it is printed with the usage, and the status is 2. The status is 1 if `main`
 * throws, or if the process has nothing left to do before `main` ends (for which Node would exit with 13).
 */
export function command<const C extends Config>(
  usage: string,
  config: C,
  main: (args: ParsedArgs<C>) => Promise<number | string>,
  output: ErrorOutput = TEXT_OUTPUT,
): void {
  const reportStuck = (): void => {
    output.failed(
      'The command did not finish, because something for which it waited never happened. Run it again.',
    )
    process.exitCode = 1
  }
  process.once('beforeExit', reportStuck)
  void runCommand(usage, config, main, output)
    .catch((error: unknown) => {
      output.failed(error instanceof Error ? error.message : String(error))
      return 1
    })
    .then((status) => {
      process.off('beforeExit', reportStuck)
      process.exitCode = status
    })
}

async function runCommand<C extends Config>(
  usage: string,
  config: C,
  main: (args: ParsedArgs<C>) => Promise<number | string>,
  output: ErrorOutput,
): Promise<number> {
  const help = { type: 'boolean', short: 'h' } as const
  const args = readArgs({ args: process.argv.slice(2), ...config, options: { ...config.options, help } })
  if (args.ok && 'help' in args.value.values) {
    console.log(usage)
    return 0
  }
  // The cast is safe: `config` names all options except --help.
  const status = args.ok ? await main(args.value as ParsedArgs<C>) : args.error
  if (typeof status === 'number') return status
  output.misused(status, usage)
  return 2
}
