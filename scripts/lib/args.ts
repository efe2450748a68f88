// Parses command lines. Returns values or a readable error, and never exits.

import { parseArgs, type ParseArgsConfig } from 'node:util'

import { err, ok, type Result } from '../../src/lib/result.ts'

type Parsed<C extends ParseArgsConfig> = ReturnType<typeof parseArgs<C>>

/** The parsed arguments, or a message about the first invalid one. */
export function readArgs<C extends ParseArgsConfig>(config: C): Result<Parsed<C>, string> {
  try {
    return ok(parseArgs(config))
  } catch (error) {
    // parseArgs throws a TypeError whose first sentence names the argument.
    return err(
      error instanceof Error ? (error.message.split('. To specify')[0] ?? error.message) : String(error),
    )
  }
}

/** A TCP port, or a message if it is invalid. 0 means any free port. `from` says where the text comes from. */
export function readPort(text: string, source: string): Result<number, string> {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  return port <= 65_535
    ? ok(port)
    : err(`${source} is ${JSON.stringify(text)}, which is not a port. Use a number from 0 to 65535.`)
}
