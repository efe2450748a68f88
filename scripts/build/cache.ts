// Caches the results of reading skills, which remain valid while the sizes and times of their files do not change. A
// lost cache only makes a build slower.

import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUILD_CACHE_SETTLE_MS } from './limits.ts'
import type { Finding, IndexEntry } from '../../src/skills/skill.ts'
import { codeStamp } from './code-stamp.ts'
import type { ListedFile } from '../skill-folders/list-package.ts'

/** The part of the result of reading a skill that depends only on its files. */
export interface CachedSkill {
  /** The manifest's text. */
  readonly manifest: string
  /** Null if it cannot be loaded. */
  readonly entry: IndexEntry | null
  readonly findings: readonly Finding[]
}

export interface BuildCache {
  get(skill: string, files: readonly ListedFile[]): CachedSkill | null
  put(skill: string, files: readonly ListedFile[], indexed: CachedSkill): void
  /** Writes the entries of the last build, if they changed. */
  save(): Promise<void>
}

/** Opens the cache in `file`, or a new one in memory if `file` is null. `now` returns epoch milliseconds. */
export async function openCache(file: string | null, now: () => number): Promise<BuildCache> {
  const code = codeStamp(ROOT, CACHED_CODE)
  const stored = file === null ? new Map<string, CacheEntry>() : await load(file, code)
  const used = new Map<string, CacheEntry>()
  let changed = false
  return {
    get(skill, files) {
      const cached = used.get(skill) ?? stored.get(skill)
      if (!cached || cached.stamp !== filesStamp(files)) return null
      used.set(skill, cached)
      return cached.indexed
    },
    put(skill, files, indexed) {
      // A file written a moment ago may change again without a visible change of its time.
      const newest = Math.max(...files.map(({ mtimeMs, ctimeMs }) => Math.max(mtimeMs, ctimeMs)))
      if (newest > now() - BUILD_CACHE_SETTLE_MS) return
      used.set(skill, { stamp: filesStamp(files), indexed })
      changed = true
    },
    async save() {
      if (file === null || (!changed && used.size === stored.size)) return
      const rows = Array.from(used, (row) => JSON.stringify(row))
      await mkdir(dirname(file), { recursive: true })
      await writeFile(`${file}.new`, `{"code":${JSON.stringify(code)},"rows":[\n${rows.join(',\n')}\n]}\n`)
      await rename(`${file}.new`, file)
    },
  }
}

interface CacheEntry {
  readonly stamp: string
  readonly indexed: CachedSkill
}

function filesStamp(files: readonly ListedFile[]): string {
  const hash = createHash('sha256')
  for (const { path, size, mtimeMs, ctimeMs, inode } of files)
    hash.update(`${path}\0${size}\0${mtimeMs}\0${ctimeMs}\0${inode}\n`)
  return hash.digest('base64')
}

/** The stored entries; none if the file is missing, damaged or written by other code. */
async function load(file: string, code: string): Promise<Map<string, CacheEntry>> {
  try {
    // The cast is safe: if the stamps are equal, this code wrote the file, and it did so atomically.
    const stored = JSON.parse(await readFile(file, 'utf8')) as {
      code?: unknown
      rows: [string, CacheEntry][]
    }
    return new Map(stored.code === code ? stored.rows : [])
  } catch {
    return new Map()
  }
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The modules that determine the cached results. */
export const CACHED_CODE = ['scripts/build/index-skill.ts', 'scripts/build/cache.ts']
