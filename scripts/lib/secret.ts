// A key that is typed in: asked for where nothing gives one and somebody sits at the terminal. It is not shown, and kept
// nowhere.

import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

import type { Result } from '../../src/lib/result.ts'
import { keyless, serverOf, type Environment, type Server, type ServerFlags } from './server.ts'
import { oneLine } from './terminal.ts'

/** `serverOf`, with a key from the person where there is none else; `json`: nobody is asked. */
export async function serverFor(
  root: string,
  environment: Environment,
  flags: ServerFlags & { readonly json?: boolean },
): Promise<Result<Server, string>> {
  const asks = flags.json !== true && process.stdin.isTTY && process.stderr.isTTY
  const url = asks ? keyless(root, environment, flags) : null
  if (url === null) return serverOf(root, environment, flags)
  const key = await typedKey(`Key for ${oneLine(url)} (it is not shown; SATCHEL_KEY saves typing it): `)
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
