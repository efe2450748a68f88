// Writes skills into a folder: all of them or none. Follows no link out of that folder.

import { lstat, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { manifestOfFiles } from '../../src/skills/package/digest.ts'
import type { FileMap } from '../../src/skills/package/skill-folder.ts'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import { listPackage } from '../skill-folders/list-package.ts'
import { readPackage } from '../skill-folders/read-package.ts'

export interface Placing {
  /** Name of the skill's folder. */
  readonly folder: string
  readonly files: FileMap
}

interface Placed {
  /** Runs while everything can still be undone; if it rejects, everything is. */
  readonly settled?: () => Promise<void>
  readonly move?: (from: string, to: string) => Promise<void>
}

/**
 * Writes everything to a staging folder first and then renames it; if a rename fails, the earlier ones are undone.
 * A replaced folder that cannot be moved back stays in the staging folder and is named. Resolves with the folder of
 * the replaced files if it cannot be deleted, else null. Rejects with the disk's error.
 */
export async function installSkills(
  target: string,
  skills: readonly Placing[],
  { settled = async () => {}, move = rename }: Placed = {},
): Promise<string | null> {
  if (skills.length === 0) return settled().then(() => null)
  await mkdir(target, { recursive: true })
  // In the same folder, so that renaming never crosses a disk; builds ignore folders that begin with a dot.
  const staging = await mkdtemp(join(target, '.adding-'))
  const moved: { readonly from: string; readonly to: string }[] = []
  const away = async (from: string, to: string): Promise<void> => {
    await move(from, to)
    moved.unshift({ from, to })
  }
  try {
    for (const { folder, files } of skills)
      for (const [path, bytes] of files) {
        const file = join(staging, 'new', folder, path)
        await mkdir(dirname(file), { recursive: true })
        await writeFile(file, bytes)
      }
    await mkdir(join(staging, 'old'), { recursive: true })
    for (const { folder } of skills) {
      const destination = join(target, folder)
      if (await exists(destination)) await away(destination, join(staging, 'old', folder))
      await away(join(staging, 'new', folder), destination)
    }
    await settled()
  } catch (error) {
    const stuck: string[] = []
    for (const { from, to } of moved)
      await move(to, from).catch(() => {
        // Added skills can be added again; the user's own files cannot be restored.
        if (dirname(to) === join(staging, 'old')) stuck.push(`${from} is now ${to}`)
      })
    if (stuck.length === 0) await rm(staging, { recursive: true, force: true }).catch(() => {})
    else throw new Error(lost(error, stuck), { cause: error })
    throw error
  }
  return rm(staging, { recursive: true, force: true }).then(
    () => null,
    () => staging,
  )
}

function lost(error: unknown, stuck: readonly string[]): string {
  const why = error instanceof Error ? error.message : String(error)
  return [
    `${why}\nIt could not all be moved back. Nothing of yours is deleted; move it yourself:`,
    ...stuck,
  ].join('\n')
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

/** The skill's current folder: null if missing, `digest: null` if it is no skill. */
export async function standing(
  target: string,
  folder: string,
): Promise<{ readonly digest: string | null } | null> {
  const path = join(target, folder)
  const there = await lstat(path).catch(() => null)
  if (!there) return null
  if (!there.isDirectory()) return { digest: null }
  const listing = await listPackage({ path, folder, skillFile: SKILL_FILE }, 'lenient')
  const { contents } = readPackage(listing.files, 'lenient')
  return { digest: contents.size === 0 ? null : (await manifestOfFiles(contents)).digest }
}
