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
export interface Learnt {
  /** The manifest's text. */
  readonly manifest: string
  /** Null if it cannot be loaded. */
  readonly entry: IndexEntry | null
  readonly findings: readonly Finding[]
}

export interface BuildCache {
  get(skill: string, files: readonly ListedFile[]): Learnt | null
  put(skill: string, files: readonly ListedFile[], learnt: Learnt): void
  /** Writes the entries of the last build, if they changed. */
  save(): Promise<void>
}

/** Opens the cache in `file`, or a new one in memory if `file` is null. `now` returns epoch milliseconds. */
export async function openCache(file: string | null, now: () => number): Promise<BuildCache> {
  const code = codeStamp(ROOT, CACHED_CODE)
  const before = file === null ? new Map<string, Kept>() : await load(file, code)
  const used = new Map<string, Kept>()
  let changed = false
  return {
    get(skill, files) {
      const kept = used.get(skill) ?? before.get(skill)
      if (!kept || kept.stamp !== stampOf(files)) return null
      used.set(skill, kept)
      return kept.learnt
    },
    put(skill, files, learnt) {
      // A file written a moment ago may change again without a visible change of its time.
      const newest = Math.max(...files.map(({ mtimeMs, ctimeMs }) => Math.max(mtimeMs, ctimeMs)))
      if (newest > now() - BUILD_CACHE_SETTLE_MS) return
      used.set(skill, { stamp: stampOf(files), learnt })
      changed = true
    },
    async save() {
      if (file === null || (!changed && used.size === before.size)) return
      const rows = Array.from(used, (row) => JSON.stringify(row))
      await mkdir(dirname(file), { recursive: true })
      await writeFile(`${file}.new`, `{"code":${JSON.stringify(code)},"rows":[\n${rows.join(',\n')}\n]}\n`)
      await rename(`${file}.new`, file)
    },
  }
}

interface Kept {
  readonly stamp: string
  readonly learnt: Learnt
}

function stampOf(files: readonly ListedFile[]): string {
  const hash = createHash('sha256')
  for (const { path, size, mtimeMs, ctimeMs, inode } of files)
    hash.update(`${path}\0${size}\0${mtimeMs}\0${ctimeMs}\0${inode}\n`)
  return hash.digest('base64')
}

/** The stored entries; none if the file is missing, damaged or written by other code. */
async function load(file: string, code: string): Promise<Map<string, Kept>> {
  try {
    // The cast is safe: if the stamps are equal, this code wrote the file, and it did so atomically.
    const read = JSON.parse(await readFile(file, 'utf8')) as { code?: unknown; rows: [string, Kept][] }
    return new Map(read.code === code ? read.rows : [])
  } catch {
    return new Map()
  }
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The modules that determine the cached results. */
export const CACHED_CODE = ['scripts/build/learn.ts', 'scripts/build/cache.ts']
