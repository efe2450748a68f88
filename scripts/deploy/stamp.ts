// Computes a short digest of a deployment. It is stored in a variable of the Worker, so that the next deploy can detect
// that nothing changed.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import type { Config } from './config.ts'

/** Characters of a stamp. With 32 hex digits, collisions are negligible. */
const STAMP_CHARS = 32

/**
 * The stamp of a deployment, which does not depend on the checkout's location. `config` must not contain the stores
 * that were found. `code` is the Worker's module; `compiledDigest`, the build digest in it, will be replaced with `digest`.
 */
export function stampOf(
  root: string,
  config: Config,
  code: string,
  compiledDigest: string,
  digest: string,
): string {
  const hash = createHash('sha256')
  hash.update(JSON.stringify(config).replaceAll(root.replace(/\/$/, ''), ''))
  hash.update(code.replaceAll(compiledDigest, ''))
  hash.update(digest)
  if (config.assets) hashFolder(hash, config.assets.directory)
  return hash.digest('hex').slice(0, STAMP_CHARS)
}

function hashFolder(hash: ReturnType<typeof createHash>, folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const path = join(folder, name)
    if (!statSync(path).isFile()) continue
    hash.update(`${name}\0`)
    hash.update(readFileSync(path))
  }
}
