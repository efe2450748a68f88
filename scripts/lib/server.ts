// Which server a command speaks to, with which key, and how its refusals read. Never prints a key.

import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from '../../src/client/client.ts'
import { err, ok, type Result } from '../../src/lib/result.ts'
import { START_PORT } from '../../src/limits.ts'
import { readVariables } from './dev-vars.ts'

import type { ClientFailure } from '../../src/client/types.ts'

export interface Server {
  readonly client: Client
  readonly url: string
}

/** `to`: an address without a path; absent: the server of this machine. `key` absent: ADMIN_KEY. */
export function serverOf(
  root: string,
  environment: Readonly<Record<string, string | undefined>>,
  flags: { readonly to?: string | undefined; readonly key?: string | undefined },
): Result<Server, string> {
  const saved = readVariables(root, environment)
  const url = flags.to ?? `http://127.0.0.1:${saved.PORT ?? START_PORT}`
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return err(`--to ${url} is no address: write it like http://127.0.0.1:${START_PORT}`)
  const key = flags.key ?? saved.ADMIN_KEY
  if (!key) return err('There is no key: give --key, set ADMIN_KEY, or let npm start make one in .dev.vars.')
  return ok({ client: new Client({ url, key, fetch, wait: (ms) => sleep(ms) }), url })
}

/** A failed request in words, with what each place of it is called. */
export function explainFailure(
  failure: ClientFailure,
  url: string,
  place: (path: string) => string = (path) => path,
): string {
  if (failure.kind === 'unreachable')
    return `${failure.detail}\nIs the server running? Start it with: npm start`
  if (failure.kind === 'broken') return `${url}: ${failure.detail}`
  const { problem } = failure
  const errors = (problem.errors ?? []).map((error) => `\n  ${place(error.path)}: ${error.message}`)
  return `${problem.status} ${problem.code}: ${problem.detail}${errors.join('')}\n(request ${problem.request_id})`
}
