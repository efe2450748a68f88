// Reads and writes skills/packages.lock: the packages of the deployment with versions, files, digests and licences. It
// is sorted and contains no times or addresses, so that adding the same packages again does not change it.

import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import * as z from 'zod'

import { isSha256 } from '../../src/lib/bytes.ts'
import { randomToken } from '../../src/lib/ids.ts'
import { ok } from '../../src/lib/result.ts'
import { PACKAGE_NAME_MAX_CHARS, PACKAGES_MAX } from './limits.ts'
import { problem, type PackageResult } from './problem.ts'

/** The path of the lock in a checkout. */
export const PACKAGE_LOCK = 'skills/packages.lock'

export const LANGUAGES = ['python', 'node'] as const
export type Language = (typeof LANGUAGES)[number]

export interface LockedPackage {
  readonly version: string
  /** The name of the archive in the index. */
  readonly file: string
  /** The digest of the archive. */
  readonly sha256: string
  /** The licence that the package declares. */
  readonly licence: string
  /** The operator's request, such as `>=3.1`; empty for any version, null for a dependency. */
  readonly requested: string | null
  /** The names of the packages that it requires, sorted. */
  readonly requires: readonly string[]
}

/** The packages of each language, by normalized name. */
export type PackageLock = Readonly<Record<Language, Readonly<Record<string, LockedPackage>>>>

export const EMPTY_LOCK: PackageLock = { python: {}, node: {} }

const SAFE_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/i
const SAFE_FILE = /^[\w.+!@~-]+$/

export function isPackageName(name: string): boolean {
  return name.length <= PACKAGE_NAME_MAX_CHARS && SAFE_NAME.test(name) && !name.includes('..')
}

const Locked = z.strictObject({
  version: z.string().min(1).max(100),
  file: z.string().max(300).regex(SAFE_FILE, 'is not a file name'),
  sha256: z.string().refine(isSha256, 'must be a sha-256'),
  licence: z.string().max(200),
  requested: z.string().max(300).nullable(),
  requires: z.array(z.string().refine(isPackageName, 'is not a package name')).max(PACKAGES_MAX),
})
const Packages = z
  .record(z.string().refine(isPackageName, 'is not a package name'), Locked)
  .refine(
    (packages) => Object.keys(packages).length <= PACKAGES_MAX,
    `has more than ${PACKAGES_MAX} packages`,
  )
const LockFile = z.strictObject({ version: z.literal(1), python: Packages, node: Packages })

export function parsePackageLock(text: string): PackageResult<PackageLock> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return problem(
      'lock_invalid',
      `${PACKAGE_LOCK} is not valid JSON. Fix it (an unresolved merge?) or restore it from version control.`,
    )
  }
  const parsed = LockFile.safeParse(json)
  if (parsed.success) return ok({ python: parsed.data.python, node: parsed.data.node })
  const [issue] = parsed.error.issues
  const location = issue?.path.join('.') ?? ''
  return problem('lock_invalid', `${PACKAGE_LOCK}: ${location}: ${issue?.message ?? 'not version 1'}.`)
}

function packageLockText(lock: PackageLock): string {
  const sorted = (language: Language): Record<string, LockedPackage> =>
    Object.fromEntries(
      Object.entries(lock[language])
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, { version, file, sha256, licence, requested, requires }]) => [
          name,
          { version, file, sha256, licence, requested, requires },
        ]),
    )
  return `${JSON.stringify({ version: 1, python: sorted('python'), node: sorted('node') }, null, 2)}\n`
}

/** The lock of a checkout; empty if there is none. */
export async function readPackageLock(root: string): Promise<PackageResult<PackageLock>> {
  try {
    return parsePackageLock(await readFile(join(root, PACKAGE_LOCK), 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ok(EMPTY_LOCK)
    throw error
  }
}

/** Replaces the lock atomically, unless it already has this content. Deletes an empty lock. */
export async function writePackageLock(root: string, lock: PackageLock): Promise<void> {
  const file = join(root, PACKAGE_LOCK)
  if (LANGUAGES.every((language) => Object.keys(lock[language]).length === 0))
    return rm(file, { force: true })
  const text = packageLockText(lock)
  if ((await readFile(file, 'utf8').catch(() => null)) === text) return
  const temporaryFile = `${file}.${randomToken(8)}`
  try {
    await writeFile(temporaryFile, text)
    await rename(temporaryFile, file)
  } finally {
    await rm(temporaryFile, { force: true })
  }
}
