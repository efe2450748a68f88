// Reads and writes skills-lock.json: the origin and digests of added skills. The file is sorted and has no
// times, so that adding the same skills again does not change it.

import { randomToken } from '../../src/lib/ids.ts'
import { isSha256 } from '../../src/lib/bytes.ts'
import { err, ok, type Result } from '../../src/lib/result.ts'
import { parseManifest } from '../../src/skills/package/digest.ts'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import * as z from 'zod'

export const LOCK_FILE = 'skills-lock.json'

export interface LockEntry {
  /** The source as a user would write it: owner/repo, an address, or a path relative to the lock file. */
  readonly source: string
  /** The requested branch, tag or commit; null for the default, or if the source has none. */
  readonly ref: string | null
  /** The commit, if the source has one. */
  readonly commit: string | null
  /** The skill's folder in the source; '' for its root, and on a site. */
  readonly path: string
  readonly digest: string
  /** Maps each path to the SHA-256 of its file. */
  readonly files: Readonly<Record<string, string>>
}

/** Maps the folder of each skill to its entry. */
export type Lock = ReadonlyMap<string, LockEntry>

const Digest = z.string().refine(isSha256, 'must be a sha-256')
const Entry = z.strictObject({
  source: z.string().min(1),
  ref: z.string().nullable(),
  commit: z
    .string()
    .regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/)
    .nullable(),
  path: z.string().refine((path) => !path.split('/').includes('..'), 'may not contain ..'),
  digest: Digest,
  files: z.record(z.string(), Digest),
})
const LockFile = z.strictObject({ version: z.literal(1), skills: z.record(z.string(), Entry) })

/**
 * Parses a lock file. An unreadable one is an error and never replaced, because it records what was reviewed.
 */
export function parseLock(text: string): Result<Lock, string> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return err(
      `${LOCK_FILE} is not valid JSON. Fix it (an unresolved merge?) or restore it from version control.`,
    )
  }
  const parsed = LockFile.safeParse(json)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return err(`${LOCK_FILE}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not version 1'}.`)
  }
  for (const [name, { files }] of Object.entries(parsed.data.skills)) {
    // The lock file may be malicious, and its paths must not reach the disk.
    if (name !== folderName(name) || !hasValidPaths(files))
      return err(`${LOCK_FILE}: ${JSON.stringify(name)} has a name or paths that a skill cannot have.`)
  }
  return ok(new Map(Object.entries(parsed.data.skills)))
}

function hasValidPaths(files: Readonly<Record<string, string>>): boolean {
  return Object.entries(files).every(([path, sha256]) => parseManifest(`${path}\0${sha256}\n`) !== null)
}

export function lockText(lock: Lock): string {
  const sortByName = <T>(entries: Iterable<readonly [string, T]>): Record<string, T> =>
    Object.fromEntries(Array.from(entries).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const skills = sortByName(
    Array.from(lock, ([name, { source, ref, commit, path, digest, files }]) => {
      const entry: LockEntry = { source, ref, commit, path, digest, files: sortByName(Object.entries(files)) }
      return [name, entry] as const
    }),
  )
  return `${JSON.stringify({ version: 1, skills }, null, 2)}\n`
}

/** The lock of this folder; empty if there is none. */
export async function readLock(folder: string): Promise<Result<Lock, string>> {
  const file = join(folder, LOCK_FILE)
  try {
    return parseLock(await readFile(file, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ok(new Map())
    return err(`${file} cannot be read (${error instanceof Error ? error.message : String(error)}).`)
  }
}

/** Writes the lock atomically, unless the file already has this content. */
export async function writeLock(folder: string, lock: Lock): Promise<void> {
  const file = join(folder, LOCK_FILE)
  const text = lockText(lock)
  if ((await readFile(file, 'utf8').catch(() => null)) === text) return
  const temporaryFile = `${file}.${randomToken(8)}`
  try {
    await writeFile(temporaryFile, text)
    await rename(temporaryFile, file)
  } finally {
    await rm(temporaryFile, { force: true })
  }
}

/**
 * The folder for a skill of this name; it contains only characters that file systems and other agents accept.
 */
export function folderName(name: string): string {
  const folder = name
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, 64)
  return folder === '' ? 'unnamed-skill' : folder
}
