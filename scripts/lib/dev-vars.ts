// Reads the local variables and secrets in .dev.vars, and generates ADMIN_KEY, ID_SECRET and ENCRYPTION_KEY if they are
// missing. Never overrides the environment or prints a value.

import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

import { randomToken } from '../../src/lib/ids.ts'
import { VARIABLE_NAMES } from '../../src/env/variables.ts'

const DEV_VARS_FILE = '.dev.vars'
const GENERATED = ['ADMIN_KEY', 'ID_SECRET', 'ENCRYPTION_KEY'] as const
const READ_NAMES = [...VARIABLE_NAMES, 'PORT'] as const

export type DevVariables = Partial<Record<(typeof READ_NAMES)[number], string>>

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The variables of `npm start`, from the environment or else from `root`/.dev.vars. An empty variable in the
 * environment unsets one in the file (`ANTHROPIC_API_KEY= npm start`), except for ADMIN_KEY, ID_SECRET and
 * ENCRYPTION_KEY.
 */
export function readVariables(root: string, environment: Environment): DevVariables {
  const file = join(root, DEV_VARS_FILE)
  const saved: Environment = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  const variables: DevVariables = {}
  for (const name of READ_NAMES) {
    const value = isGenerated(name) ? environment[name] || saved[name] : (environment[name] ?? saved[name])
    if (value) variables[name] = value
  }
  return variables
}

function isGenerated(name: string): boolean {
  return GENERATED.some((generated) => generated === name)
}

/** Whether `root`/.dev.vars was written after the time (epoch). */
export function hasChangedSince(root: string, timeMs: number): boolean {
  const changed = statSync(join(root, DEV_VARS_FILE), { throwIfNoEntry: false })
  return changed !== undefined && changed.mtimeMs > timeMs
}

type Secrets = Readonly<Record<(typeof GENERATED)[number], string>>

/**
 * The variables including all three secrets. Generates missing ones, whose names are in `made`, and writes them to
 * .dev.vars, which only its owner can then read.
 */
export function withSecrets(
  root: string,
  environment: Environment,
): { readonly variables: DevVariables & Secrets; readonly generated: readonly string[] } {
  const variables = readVariables(root, environment)
  const generated = GENERATED.filter((name) => !variables[name])
  const newSecrets: DevVariables = Object.fromEntries(
    generated.map((name) => [name, `satchel_${randomToken(40)}`]),
  )
  const { ADMIN_KEY = '', ID_SECRET = '', ENCRYPTION_KEY = '' } = { ...variables, ...newSecrets }
  if (generated.length > 0) {
    const file = join(root, DEV_VARS_FILE)
    const oldText = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const gap = oldText === '' || oldText.endsWith('\n') ? '' : '\n'
    const lines = generated.map((name) => `${name}=${newSecrets[name]}\n`).join('')
    writeFileSync(file, `${oldText}${gap}${lines}`, { mode: 0o600 })
    chmodSync(file, 0o600) // `mode` applies only to a new file.
  }
  return { variables: { ...variables, ADMIN_KEY, ID_SECRET, ENCRYPTION_KEY }, generated }
}
