// The server that a command talks to, its key, and messages for its refusals. Never prints a key.

import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from '../../src/client/client.ts'
import { err, ok, type Result } from '../../src/lib/result.ts'
import { START_PORT } from './limits.ts'
import { readVariables } from './dev-vars.ts'

import type { ClientFailure } from '../../src/client/types.ts'

export interface Server {
  readonly client: Client
  readonly url: string
  /** Must not be printed. */
  readonly key: string
  /** The default server of commands without an address. */
  readonly isUsual: boolean
}

export type Environment = Readonly<Record<string, string | undefined>>

/** For the help of a command. */
export const KEY_HELP = `the key, which lists of processes show then: rather set SATCHEL_KEY. Without either it is,
                 for the server of this machine, the ADMIN_KEY of the environment or .dev.vars`

/**
 * `url`: an address without a path; default: SATCHEL_URL, else the server of this machine. `key` default:
 * SATCHEL_KEY, else ADMIN_KEY, which is only for the server of this machine. An empty variable counts as unset.
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

/** The key that `npm start` generated must not be sent to another server. */
function isThisMachine(url: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(new URL(url).hostname)
}

/** A failed request as text, with names for the paths in it. */
export function explainFailure(
  failure: ClientFailure,
  url: string,
  nameOf: (path: string) => string = (path) => path,
): string {
  if (failure.kind === 'unreachable')
    return `${failure.detail}\nIs the server running? Start it with: npm start`
  if (failure.kind === 'broken' || failure.kind === 'left') return `${url}: ${failure.detail}`
  const { problem } = failure
  const errors = (problem.errors ?? []).map((error) => `\n  ${nameOf(error.path)}: ${error.message}`)
  // The server suggests headers; a user in a terminal needs variables and flags.
  const fix =
    problem.code === 'unauthenticated'
      ? '\nSet SATCHEL_KEY, or give it with --key. For the server of this machine ADMIN_KEY in .dev.vars does, too.'
      : ''
  return `${problem.status} ${problem.code}: ${problem.detail}${fix}${errors.join('')}\n(request ${problem.request_id} to ${url})`
}
