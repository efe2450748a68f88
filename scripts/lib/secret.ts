// Asks for a key in the terminal if none is configured. Never shows or stores it.

import type { Result } from '../../src/lib/result.ts'
import { secretOf } from './ask.ts'
import { serverOf, type Environment, type Server } from './server.ts'

type Flags = Parameters<typeof serverOf>[2] & { readonly json?: boolean }

/** `serverOf`, or a question for a missing key; `json`: never asks. */
export async function serverFor(
  root: string,
  environment: Environment,
  flags: Flags,
): Promise<Result<Server, string>> {
  const found = serverOf(root, environment, flags)
  const isThere = flags.json !== true && process.stdin.isTTY && process.stderr.isTTY
  // If any key would do, only the key is missing.
  if (found.ok || !isThere || !serverOf(root, environment, { ...flags, key: '?' }).ok) return found
  // On standard error, so that standard output contains only results.
  const askKey = secretOf(process.stdin, process.stderr)
  const key = await askKey('Key of the server (it is not shown; SATCHEL_KEY saves typing it): ')
  return !key ? found : serverOf(root, environment, { ...flags, key })
}
