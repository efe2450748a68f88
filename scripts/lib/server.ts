// Which server a command speaks to, with which key, and how its refusals read. Never prints a key.

import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from '../../src/client/client.ts'
import { err, ok, type Result } from '../../src/lib/result.ts'
import { START_PORT } from './limits.ts'
import { readVariables } from './dev-vars.ts'

import type { ClientFailure } from '../../src/client/types.ts'

export interface Server {
  readonly client: Client
  readonly url: string
  /** To be kept out of what is written. */
  readonly key: string
  /** A command that names no address finds this one. */
  readonly isUsual: boolean
}

export type Environment = Readonly<Record<string, string | undefined>>

/** For the lines of a command's help. */
export const KEY_HELP = `the key, which lists of processes show then: rather set SATCHEL_KEY. Without either it is,
                 for the server of this machine, the ADMIN_KEY of the environment or .dev.vars`

/**
 * `url`: an address without a path; absent: SATCHEL_URL, else the server of this
 * machine. `key` absent: SATCHEL_KEY, else ADMIN_KEY, which is for the server of this machine alone. An empty variable counts as
 * none.
 */
export function serverOf(
  root: string,
  environment: Environment,
  flags: {
    readonly url?: string | undefined
    readonly key?: string | undefined
  },
): Result<Server, string> {
  const saved = readVariables(root, environment)
  const usual = environment['SATCHEL_URL'] || `http://127.0.0.1:${saved.PORT ?? START_PORT}`
  const url = flags.url ?? usual
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    const origin = environment['SATCHEL_URL'] ? 'SATCHEL_URL' : 'PORT:'
    const named = flags.url === undefined ? `${origin} ` : ''
    return err(`${named}${url} is not a server's address: write it like http://127.0.0.1:${START_PORT}`)
  }
  const local = isThisMachine(url)
  const key = flags.key ?? (environment['SATCHEL_KEY'] || (local ? saved.ADMIN_KEY : undefined))
  if (!key)
    return err(
      local
        ? 'There is no key: set SATCHEL_KEY or ADMIN_KEY, give --key, or let npm start make one in .dev.vars.'
        : `There is no key for ${url}: set SATCHEL_KEY, or give --key. (ADMIN_KEY is for the server of this machine.)`,
    )
  const client = new Client({ url, key, fetch, wait: (ms) => sleep(ms) })
  return ok({ client, url, key, isUsual: url === usual })
}

/** What `npm start` made a key for must not go to a server elsewhere. */
function isThisMachine(url: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(new URL(url).hostname)
}

/** A failed request in words, with what each place of it is called. */
export function explainFailure(
  failure: ClientFailure,
  url: string,
  place: (path: string) => string = (path) => path,
): string {
  if (failure.kind === 'unreachable')
    return `${failure.detail}\nIs the server running? Start it with: npm start`
  if (failure.kind === 'broken' || failure.kind === 'left') return `${url}: ${failure.detail}`
  const { problem } = failure
  const errors = (problem.errors ?? []).map((error) => `\n  ${place(error.path)}: ${error.message}`)
  // The server speaks of headers, to whoever asks; here is somebody at a terminal.
  const fix =
    problem.code === 'unauthenticated'
      ? '\nSet SATCHEL_KEY, or give it with --key. For the server of this machine ADMIN_KEY in .dev.vars does, too.'
      : ''
  return `${problem.status} ${problem.code}: ${problem.detail}${fix}${errors.join('')}\n(request ${problem.request_id} to ${url})`
}
