// .dev.vars, the local variables and secrets: read, and made with a random ADMIN_KEY when that is nowhere.
// Never overrides the environment, never prints a value.

import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

import { randomToken } from '../../src/lib/ids.ts'

const FILE = '.dev.vars'
const NAMES = ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'MODEL', 'ADMIN_KEY', 'PORT'] as const

export type Variables = Partial<Record<(typeof NAMES)[number], string>>

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The variables `npm start` knows: from the environment where they are set there, else from `root`/.dev.vars.
 * An empty one in the environment means none, so that a saved one can be left aside (`ANTHROPIC_API_KEY= npm start`);
 * only ADMIN_KEY cannot be none. Empty values are left out.
 */
export function readVariables(root: string, environment: Environment): Variables {
  const file = join(root, FILE)
  const saved: Environment = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  const variables: Variables = {}
  for (const name of NAMES) {
    const value = name === 'ADMIN_KEY' ? environment[name] || saved[name] : (environment[name] ?? saved[name])
    if (value) variables[name] = value
  }
  return variables
}

/** The variables with an ADMIN_KEY in any case. `made`: a new one was written to .dev.vars (readable by its owner only). */
export function withAdminKey(
  root: string,
  environment: Environment,
): { readonly variables: Variables & { readonly ADMIN_KEY: string }; readonly made: boolean } {
  const variables = readVariables(root, environment)
  if (variables.ADMIN_KEY) return { variables: { ...variables, ADMIN_KEY: variables.ADMIN_KEY }, made: false }
  const key = `satchel_${randomToken(40)}`
  const file = join(root, FILE)
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const gap = before === '' || before.endsWith('\n') ? '' : '\n'
  writeFileSync(file, `${before}${gap}ADMIN_KEY=${key}\n`, { mode: 0o600 })
  chmodSync(file, 0o600) // `mode` counts only for a new file, and this one holds a secret now
  return { variables: { ...variables, ADMIN_KEY: key }, made: true }
}
