// Asks for the server's key in the terminal if none is configured. Never shows or stores it.

import type { Result } from '../../src/lib/result.ts'
import { secretReader } from './ask.ts'
import { serverOf, type Environment, type Server } from './server.ts'

type Flags = Parameters<typeof serverOf>[2] & { readonly json?: boolean }

/** Like `serverOf`, but asks for the key if it is missing, unless `json` is set or there is no terminal. */
export async function serverFor(
  root: string,
  environment: Environment,
  flags: Flags,
): Promise<Result<Server, string>> {
  const result = serverOf(root, environment, flags)
  const hasTerminal = flags.json !== true && process.stdin.isTTY && process.stderr.isTTY
  // Asks only if nothing but the key is missing.
  if (result.ok || !hasTerminal || !serverOf(root, environment, { ...flags, key: '?' }).ok) return result
  // Asks on standard error, so that standard output contains only results.
  const askKey = secretReader(process.stdin, process.stderr)
  const key = await askKey('Key of the server (not shown; set SATCHEL_KEY to avoid this question): ')
  return !key ? result : serverOf(root, environment, { ...flags, key })
}
