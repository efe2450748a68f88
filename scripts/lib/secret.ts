// A key that is typed in: asked for where nothing gives one and somebody sits at the terminal. It is not shown, and kept
// nowhere.

import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

import type { Result } from '../../src/lib/result.ts'
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
  const key = await typedKey('Key of the server (it is not shown; SATCHEL_KEY saves typing it): ')
  return key === '' ? found : serverOf(root, environment, { ...flags, key })
}

/** On standard error, so that what a command prints stays its own. */
async function typedKey(question: string): Promise<string> {
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: silent, terminal: true, historySize: 0 })
  try {
    return await new Promise<string>((resolve) => {
      reader.once('line', (line) => resolve(line.trim()))
      reader.once('close', () => resolve(''))
    })
  } finally {
    reader.close()
    process.stderr.write('\n')
  }
}
