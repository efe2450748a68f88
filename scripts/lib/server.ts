// Determines the server to which a command connects and its key, and explains failed requests. Never prints a key.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from '../../src/client/client.ts'
import { err, ok, type Result } from '../../src/lib/result.ts'
import { DEFAULT_PORT } from './limits.ts'
import { runningOn, STATE_FOLDER } from './state-file.ts'
import { readVariables } from './dev-vars.ts'

import type { ClientFailure } from '../../src/client/types.ts'

export interface Server {
  readonly client: Client
  readonly url: string
  /** Must not be printed. */
  readonly key: string
  /** True for the server that commands use if no address is given. */
  readonly isDefault: boolean
}

export type Environment = Readonly<Record<string, string | undefined>>

/** The description of --key in the help of commands. */
export const KEY_HELP = `the key. Lists of processes show it, so prefer SATCHEL_KEY. The default, only for the
                 server on this machine, is ADMIN_KEY from the environment or .dev.vars`

/**
 * The server for these flags, or a message. `url` has no path; its default is SATCHEL_URL, or else the server on this
 * machine: at PORT of the environment, at the port of the running server of this folder, at PORT of .dev.vars, or at the usual port. The default of `key` is SATCHEL_KEY or else, only for the server on this machine, ADMIN_KEY. Empty variables
 * count as unset.
 */
export function serverOf(
  root: string,
  environment: Environment,
  flags: {
    readonly url?: string | undefined
    readonly key?: string | undefined
  },
): Result<Server, string> {
  const variables = readVariables(root, environment)
  const runningUrl = environment['PORT'] ? null : runningOn(join(root, STATE_FOLDER))?.url
  const defaultUrl =
    environment['SATCHEL_URL'] || (runningUrl ?? `http://127.0.0.1:${variables.PORT ?? DEFAULT_PORT}`)
  const url = flags.url ?? defaultUrl
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    const variable = environment['SATCHEL_URL'] ? 'SATCHEL_URL' : 'PORT:'
    const prefix = flags.url === undefined ? `${variable} ` : ''
    return err(
      `${prefix}${url} is not the address of a server. Write it like http://127.0.0.1:${DEFAULT_PORT}`,
    )
  }
  const isLocal = isThisMachine(url)
  const key = flags.key ?? (environment['SATCHEL_KEY'] || (isLocal ? variables.ADMIN_KEY : undefined))
  if (!key)
    return err(
      isLocal
        ? 'No key is set: set SATCHEL_KEY or ADMIN_KEY, pass --key, or run npm start, which creates one in .dev.vars.'
        : `No key is set for ${url}: set SATCHEL_KEY or pass --key. (ADMIN_KEY is only for the server on this machine.)`,
    )
  const client = new Client({ url, key, fetch, wait: (ms) => sleep(ms) })
  return ok({ client, url, key, isDefault: url === defaultUrl })
}

/** Whether an address is on this machine. The key that `npm start` generated must not be sent to another one. */
function isThisMachine(url: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(new URL(url).hostname)
}

/** A message about a failed request. `nameOf` returns the name to show for a path in it. */
export function explainFailure(
  failure: ClientFailure,
  url: string,
  nameOf: (path: string) => string = (path) => path,
): string {
  if (failure.kind === 'unreachable')
    return `${failure.detail}\n${isThisMachine(url) ? 'Is the server running? Start it with: npm start' : 'Check the address, your network connection, and whether the server is running.'}`
  if (failure.kind === 'broken' || failure.kind === 'left') return `${url}: ${failure.detail}`
  const { problem } = failure
  const errors = (problem.errors ?? []).map((error) => `\n  ${nameOf(error.path)}: ${error.message}`)
  // The server suggests headers; a user in a terminal needs variables and flags.
  const fix =
    problem.code === 'unauthenticated'
      ? '\nSet SATCHEL_KEY or pass --key. For the server on this machine, you can also set ADMIN_KEY in .dev.vars.'
      : ''
  return `${problem.status} ${problem.code}: ${problem.detail}${fix}${errors.join('')}\n(request ${problem.request_id} to ${url})`
}
