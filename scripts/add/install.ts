// Writes skills into a folder, either all of them or none. Follows no link out of that folder.

import { lstat, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { manifestOfFiles } from '../../src/skills/package/digest.ts'
import type { FileMap } from '../../src/skills/package/skill-folder.ts'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import { listPackage } from '../skill-folders/list-package.ts'
import { readPackage } from '../skill-folders/read-package.ts'

/**
 * The name of a staging folder begins with this and continues with the process's ID, so that recover.ts leaves alone
 * what is still in use.
 */
export const STAGING_PREFIX = '.adding-'
/** Where a staging folder holds the new folders, and those that they replace. */
export const NEW_FOLDERS = 'new'
export const OLD_FOLDERS = 'old'

export interface SkillToInstall {
  /** Name of the skill's folder. */
  readonly folder: string
  readonly files: FileMap
}

interface InstallHooks {
  /** Runs while the installation can still be undone; if it rejects, the installation is undone. */
  readonly beforeCommit?: () => Promise<void>
  /** Replaces `rename`, for tests. */
  readonly move?: (from: string, to: string) => Promise<void>
}

/**
 * Writes all skills to a staging folder and then renames their folders; if a rename fails, the earlier ones
 * are undone. If a replaced folder cannot be moved back, it is left in the staging folder, and the error
 * names it. Resolves with the folder that holds the replaced files if they cannot be deleted, otherwise with
 * null.
 */
export async function installSkills(
  target: string,
  skills: readonly SkillToInstall[],
  { beforeCommit = async () => {}, move = rename }: InstallHooks = {},
): Promise<string | null> {
  if (skills.length === 0) return beforeCommit().then(() => null)
  await mkdir(target, { recursive: true })
  // Inside the target, so that renaming never crosses a disk. Builds ignore folders that begin with a dot.
  const staging = await mkdtemp(join(target, `${STAGING_PREFIX}${process.pid}-`))
  const moves: { readonly from: string; readonly to: string }[] = []
  const moveAndRecord = async (from: string, to: string): Promise<void> => {
    await move(from, to)
    moves.unshift({ from, to })
  }
  try {
    for (const { folder, files } of skills)
      for (const [path, bytes] of files) {
        const file = join(staging, NEW_FOLDERS, folder, path)
        await mkdir(dirname(file), { recursive: true })
        await writeFile(file, bytes)
      }
    await mkdir(join(staging, OLD_FOLDERS), { recursive: true })
    for (const { folder } of skills) {
      const destination = join(target, folder)
      if (await exists(destination)) await moveAndRecord(destination, join(staging, OLD_FOLDERS, folder))
      await moveAndRecord(join(staging, NEW_FOLDERS, folder), destination)
    }
    await beforeCommit()
  } catch (error) {
    const stuckPaths: string[] = []
    for (const { from, to } of moves)
      await move(to, from).catch(() => {
        // Report only the user's own files, because the new skills can be added again.
        if (dirname(to) === join(staging, OLD_FOLDERS)) stuckPaths.push(`${from} is now ${to}`)
      })
    if (stuckPaths.length === 0) await rm(staging, { recursive: true, force: true }).catch(() => {})
    else throw new Error(stuckMessage(error, stuckPaths), { cause: error })
    throw error
  }
  return rm(staging, { recursive: true, force: true }).then(
    () => null,
    () => staging,
  )
}

function stuckMessage(error: unknown, stuckPaths: readonly string[]): string {
  const reason = error instanceof Error ? error.message : String(error)
  return [
    `${reason}\nSome of your files could not be moved back. None were deleted; move them back yourself:`,
    ...stuckPaths,
  ].join('\n')
}

export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

/** What is installed in this folder: null if it is missing; its digest is null if it contains no skill. */
export async function installedSkill(
  target: string,
  folder: string,
): Promise<{ readonly digest: string | null } | null> {
  const path = join(target, folder)
  const stats = await lstat(path).catch(() => null)
  if (!stats) return null
  if (!stats.isDirectory()) return { digest: null }
  const listing = await listPackage({ path, folder, skillFile: SKILL_FILE }, 'lenient')
  const { contents } = readPackage(listing.files, 'lenient')
  return { digest: contents.size === 0 ? null : (await manifestOfFiles(contents)).digest }
}
