// A key that is typed in: asked for where nothing gives one and somebody sits at the terminal. It is not shown, and kept
// nowhere.

import type { Result } from '../../src/lib/result.ts'
import { secretOf } from './ask.ts'
import { serverOf, type Environment, type Server } from './server.ts'

type Flags = Parameters<typeof serverOf>[2] & { readonly json?: boolean }

/** `serverOf`, with a key from the person where there is none else; `json`: nobody is asked. */
export async function serverFor(
  root: string,
  environment: Environment,
  flags: Flags,
): Promise<Result<Server, string>> {
  const found = serverOf(root, environment, flags)
  const isThere = flags.json !== true && process.stdin.isTTY && process.stderr.isTTY
  // With any key it would be found: then a key is all that is missing.
  if (found.ok || !isThere || !serverOf(root, environment, { ...flags, key: '?' }).ok) return found
  // On standard error, so that what a command prints stays its own.
  const askKey = secretOf(process.stdin, process.stderr)
  const key = await askKey('Key of the server (it is not shown; SATCHEL_KEY saves typing it): ')
  return !key ? found : serverOf(root, environment, { ...flags, key })
}
