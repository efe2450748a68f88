// Caches the archives of packages by digest, in a folder of the build. The digest of each archive is verified when it
// is read.

import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The folder in a checkout. */
const ARCHIVE_CACHE = 'dist/packages-cache'

export function sha256OfArchive(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The archive with this digest; null if it is not cached, or damaged. */
export async function cachedArchive(root: string, sha256: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const bytes = new Uint8Array(await readFile(join(root, ARCHIVE_CACHE, sha256)))
    return sha256OfArchive(bytes) === sha256 ? bytes : null
  } catch {
    return null
  }
}

/** Stores an archive atomically. */
export async function cacheArchive(root: string, bytes: Uint8Array): Promise<void> {
  const file = join(root, ARCHIVE_CACHE, sha256OfArchive(bytes))
  const temporaryFile = `${file}.${randomUUID()}`
  await mkdir(join(root, ARCHIVE_CACHE), { recursive: true })
  try {
    await writeFile(temporaryFile, bytes)
    await rename(temporaryFile, file)
  } finally {
    await rm(temporaryFile, { force: true })
  }
}
