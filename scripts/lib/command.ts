// The frame of a command: arguments, help, errors and exit status. Always ends with a status and a message. Knows
// nothing of skills.

import type { parseArgs, ParseArgsConfig } from 'node:util'

import { readArgs } from './args.ts'
import { harmlessLine, paint } from './terminal.ts'

type Config = Pick<ParseArgsConfig, 'allowPositionals' | 'options'>
type Given<C extends Config> = ReturnType<typeof parseArgs<C>>

/** How a command reports that it did nothing: as text, or for scripts. */
interface ErrorOutput {
  failed(why: string): void
  misused(why: string, usage: string): void
}

const TEXT_OUTPUT: ErrorOutput = {
  failed: complain,
  misused: (why, usage) => {
    complain(why)
    console.error(`\n${usage}`)
  },
}

/** In red, without control characters. */
export function complain(text: string): void {
  console.error(paint('red', text.split('\n').map(harmlessLine).join('\n'), process.stderr))
}

/**
 * Reads the arguments, answers --help, and exits with the status that `main` returns; a text is an error in the
 * arguments, printed with the usage: status 2. Status 1 with a message if it throws, or if the process runs out of
 * work before it is done (a stream that never settles), for which Node would exit with a warning and 13.
 */
export function command<const C extends Config>(
  usage: string,
  config: C,
  main: (given: Given<C>) => Promise<number | string>,
  output: ErrorOutput = TEXT_OUTPUT,
): void {
  const stuck = (): void => {
    output.failed('It stopped halfway: something that it waited for never came. Nothing was finished.')
    process.exitCode = 1
  }
  process.once('beforeExit', stuck)
  void ended(usage, config, main, output)
    .catch((error: unknown) => {
      output.failed(error instanceof Error ? error.message : String(error))
      return 1
    })
    .then((status) => {
      process.off('beforeExit', stuck)
      process.exitCode = status
    })
}

async function ended<C extends Config>(
  usage: string,
  config: C,
  main: (given: Given<C>) => Promise<number | string>,
  output: ErrorOutput,
): Promise<number> {
  const help = { type: 'boolean', short: 'h' } as const
  const args = readArgs({ args: process.argv.slice(2), ...config, options: { ...config.options, help } })
  if (args.ok && 'help' in args.value.values) {
    console.log(usage)
    return 0
  }
  // The cast: besides --help, `config` names all options.
  const status = args.ok ? await main(args.value as Given<C>) : args.error
  if (typeof status === 'number') return status
  output.misused(status, usage)
  return 2
}
