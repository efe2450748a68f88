// The frame of a command: arguments, help, complaints and the end. Whatever happens in it, it ends with a status and
// words. Knows nothing of skills.

import type { parseArgs, ParseArgsConfig } from 'node:util'

import { readArgs } from './args.ts'
import { harmlessLine, paint } from './terminal.ts'

type Config = Pick<ParseArgsConfig, 'allowPositionals' | 'options'>
type Given<C extends Config> = ReturnType<typeof parseArgs<C>>

/** How a command says that it did nothing: in words, unless it speaks to scripts. */
interface Said {
  failed(why: string): void
  misused(why: string, usage: string): void
}

const WORDS: Said = {
  failed: complain,
  misused: (why, usage) => {
    complain(why)
    console.error(`\n${usage}`)
  },
}

/** In red, without what could move the cursor. */
export function complain(text: string): void {
  console.error(paint('red', text.split('\n').map(harmlessLine).join('\n'), process.stderr))
}

/**
 * Reads the arguments, answers --help, and sets what `main` answers as the status of the process; a text is what is wrong
 * with the arguments, said with the usage: status 2. Status 1 with words when it throws, or when the process has nothing
 * left to do before it is done (a stream that never settles), which Node answers with a warning and 13.
 */
export function command<const C extends Config>(
  usage: string,
  config: C,
  main: (given: Given<C>) => Promise<number | string>,
  said: Said = WORDS,
): void {
  const stuck = (): void => {
    said.failed('It stopped halfway: something that it waited for never came. Nothing was finished.')
    process.exitCode = 1
  }
  process.once('beforeExit', stuck)
  void ended(usage, config, main, said)
    .catch((error: unknown) => {
      said.failed(error instanceof Error ? error.message : String(error))
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
  said: Said,
): Promise<number> {
  const help = { type: 'boolean', short: 'h' } as const
  const args = readArgs({ args: process.argv.slice(2), ...config, options: { ...config.options, help } })
  if (args.ok && 'help' in args.value.values) {
    console.log(usage)
    return 0
  }
  // The cast: of what was read, all but --help is what `config` names.
  const status = args.ok ? await main(args.value as Given<C>) : args.error
  if (typeof status === 'number') return status
  said.misused(status, usage)
  return 2
}
