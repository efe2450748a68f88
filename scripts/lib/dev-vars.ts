// .dev.vars, the local variables and secrets: reads them, and generates missing ADMIN_KEY, ID_SECRET and
// ENCRYPTION_KEY. Never overrides the environment, never prints a value.

import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

import { randomToken } from '../../src/lib/ids.ts'
import { VARIABLE_NAMES } from '../../src/env/variables.ts'

const FILE = '.dev.vars'
const MADE = ['ADMIN_KEY', 'ID_SECRET', 'ENCRYPTION_KEY'] as const
const NAMES = [...VARIABLE_NAMES, 'PORT'] as const

export type DevVariables = Partial<Record<(typeof NAMES)[number], string>>

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The variables of `npm start`: from the environment, else from `root`/.dev.vars. An empty one in the environment
 * counts as unset, which hides a saved one (`ANTHROPIC_API_KEY= npm start`); only ADMIN_KEY, ID_SECRET and
 * ENCRYPTION_KEY cannot be unset. Empty values are left out.
 */
export function readVariables(root: string, environment: Environment): DevVariables {
  const file = join(root, FILE)
  const saved: Environment = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  const variables: DevVariables = {}
  for (const name of NAMES) {
    const value = isMade(name) ? environment[name] || saved[name] : (environment[name] ?? saved[name])
    if (value) variables[name] = value
  }
  return variables
}

function isMade(name: string): boolean {
  return MADE.some((made) => made === name)
}

type Secrets = Readonly<Record<(typeof MADE)[number], string>>

/**
 * The variables with all three secrets. `made`: those that were missing, now generated and written to .dev.vars
 * (readable by its owner only).
 */
export function withSecrets(
  root: string,
  environment: Environment,
): { readonly variables: DevVariables & Secrets; readonly made: readonly string[] } {
  const variables = readVariables(root, environment)
  const made = MADE.filter((name) => !variables[name])
  const fresh: DevVariables = Object.fromEntries(made.map((name) => [name, `satchel_${randomToken(40)}`]))
  const { ADMIN_KEY = '', ID_SECRET = '', ENCRYPTION_KEY = '' } = { ...variables, ...fresh }
  if (made.length > 0) {
    const file = join(root, FILE)
    const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const gap = before === '' || before.endsWith('\n') ? '' : '\n'
    const lines = made.map((name) => `${name}=${fresh[name]}\n`).join('')
    writeFileSync(file, `${before}${gap}${lines}`, { mode: 0o600 })
    chmodSync(file, 0o600) // `mode` only applies to a new file, and this one contains secrets now
  }
  return { variables: { ...variables, ADMIN_KEY, ID_SECRET, ENCRYPTION_KEY }, made }
}
