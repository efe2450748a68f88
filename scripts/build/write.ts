// Writes a build to disk: for looking at, and the digest module that is compiled into the Worker.

import { renameSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isSha256 } from '../../src/lib/bytes.ts'
import { SCAN_CONCURRENCY } from '../limits.ts'
import { blobKey, bodyKey, indexKey } from '../../src/skills/store/keys.ts'
import type { Build } from './build.ts'
import { mapBounded } from './pool.ts'

/** `build.json` lists each key and the file (below the same folder) that holds its value. */
export async function writeBuild(build: Build, folder: string): Promise<void> {
  const blobs = join(folder, 'blob')
  await mkdir(blobs, { recursive: true })
  const present = new Set(await readdir(blobs))
  await mapBounded([...build.blobs], SCAN_CONCURRENCY, async ([sha256, blob]) => {
    if (present.has(sha256)) return
    // Whole or not at all: what bears an address is trusted to be its content.
    const bytes = await blob.read()
    writeFileSync(join(blobs, `${sha256}.new`), bytes)
    renameSync(join(blobs, `${sha256}.new`), join(blobs, sha256))
  })
  const stale = [...present].filter((name) => isSha256(name.replace(/\.new$/, '')) && !build.blobs.has(name))
  await mapBounded(stale, SCAN_CONCURRENCY, async (name) => rm(join(blobs, name)))
  const file = (sha256: string): string => `blob/${sha256}`
  const kv = [
    ...[build.digest, ...build.indexShards.keys()].map((sha256) => [indexKey(sha256), file(sha256)]),
    ...[...build.bodies].sort().map((sha256) => [bodyKey('build', sha256), file(sha256)]),
  ]
  const r2 = [...build.blobs.keys()].sort().map((sha256) => [blobKey('build', sha256), file(sha256)])
  const summary = { digest: build.digest, kv: Object.fromEntries(kv), r2: Object.fromEntries(r2) }
  await writeFile(join(folder, 'build.json'), `${JSON.stringify(summary, null, 2)}\n`)
}

/** Writes the module only when its text changes, so that nothing that watches it wakes for nothing. */
export async function writeDigestModule(digest: string, file: string): Promise<boolean> {
  const text = `// Written by scripts/build-skills.ts: the build of skills that this Worker is deployed with.

export const BUILD_DIGEST = '${digest}'
`
  const before = await readFile(file, 'utf8').catch(() => null)
  if (before === text) return false
  await writeFile(file, text)
  return true
}
