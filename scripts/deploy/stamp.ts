// A short digest of a deployment: the Worker has it as a variable, and the next deploy detects that nothing
// changed.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import type { Config } from './config.ts'

/** 32 hex digits: collisions are negligible. */
const CHARS = 32

/**
 * `config`: without the stores that were found; `code`: the Worker's module, in which `digest` replaces `compiled`,
 * the digest of an earlier build. Independent of the checkout's location.
 */
export function stampOf(
  root: string,
  config: Config,
  code: string,
  compiled: string,
  digest: string,
): string {
  const hash = createHash('sha256')
  hash.update(JSON.stringify(config).replaceAll(root.replace(/\/$/, ''), ''))
  hash.update(code.replaceAll(compiled, ''))
  hash.update(digest)
  if (config.assets) hashFolder(hash, config.assets.directory)
  return hash.digest('hex').slice(0, CHARS)
}

function hashFolder(hash: ReturnType<typeof createHash>, folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const path = join(folder, name)
    if (!statSync(path).isFile()) continue
    hash.update(`${name}\0`)
    hash.update(readFileSync(path))
  }
}
