// Puts skills into a folder: all of them whole, or nothing. Follows no link out of that folder.

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
  /** Done while everything can still be moved back; when it rejects, it is. */
  readonly settled?: () => Promise<void>
  readonly move?: (from: string, to: string) => Promise<void>
}

/**
 * Everything is written beside its place first and moved in by renaming; when one move fails, those before it are moved
 * back. What was in a place and cannot go back there is left where it lies, and named. Resolves with the folder of what was
 * replaced where that cannot be deleted, else null. Rejects with the disk's own error.
 */
export async function installSkills(
  target: string,
  skills: readonly Placing[],
  { settled = async () => {}, move = rename }: Placed = {},
): Promise<string | null> {
  if (skills.length === 0) return settled().then(() => null)
  await mkdir(target, { recursive: true })
  // In the same folder, so that renaming never crosses a disk; the dot hides it from builds.
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
      const place = join(target, folder)
      if (await exists(place)) await away(place, join(staging, 'old', folder))
      await away(join(staging, 'new', folder), place)
    }
    await settled()
  } catch (error) {
    const stuck: string[] = []
    for (const { from, to } of moved)
      await move(to, from).catch(() => {
        // What was brought can be brought again; what was here cannot.
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

/** What lies in a skill's place: null for nothing, `digest: null` for what is no skill. */
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
