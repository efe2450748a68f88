// A key that is typed in: asked for where nothing gives one and somebody sits at the terminal. It is not shown, and kept
// nowhere.

import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

import type { Result } from '../../src/lib/result.ts'
import { hasKey, serverOf, type Environment, type Server } from './server.ts'

type Flags = Parameters<typeof serverOf>[2]

/** `serverOf`, with a key from the person where there is none else. */
export async function serverFor(
  root: string,
  environment: Environment,
  flags: Flags,
): Promise<Result<Server, string>> {
  const isThere = process.stdin.isTTY && process.stderr.isTTY
  if (hasKey(root, environment, flags) || !isThere) return serverOf(root, environment, flags)
  const key = await typedKey('Key of the server (it is not shown; SATCHEL_KEY saves typing it): ')
  return serverOf(root, environment, key === '' ? flags : { ...flags, key })
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
