// Puts skills into a folder: all of them whole, or nothing. Follows no link out of that folder.

import { lstat, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { manifestOfFiles } from '../../src/skills/package/digest.ts'
import type { FileMap } from '../../src/skills/package/skill-folder.ts'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import { listPackage } from '../build/list-package.ts'
import { readPackage } from '../build/read-package.ts'

export interface Placing {
  /** Name of the skill's folder. */
  readonly folder: string
  readonly files: FileMap
}

/**
 * Everything is written beside its place first and moved in by renaming; when one move fails, those before it are moved
 * back. Rejects with the disk's own error.
 */
export async function placeSkills(target: string, skills: readonly Placing[]): Promise<void> {
  if (skills.length === 0) return
  await mkdir(target, { recursive: true })
  // In the same folder, so that renaming never crosses a disk; the dot hides it from builds.
  const staging = await mkdtemp(join(target, '.adding-'))
  const undo: (() => Promise<void>)[] = []
  try {
    for (const { folder, files } of skills)
      for (const [path, bytes] of files) {
        const file = join(staging, 'new', folder, path)
        await mkdir(dirname(file), { recursive: true })
        await writeFile(file, bytes)
      }
    await mkdir(join(staging, 'old'), { recursive: true })
    for (const { folder } of skills) {
      const [place, old] = [join(target, folder), join(staging, 'old', folder)]
      if (await exists(place)) {
        await rename(place, old)
        undo.unshift(() => rename(old, place))
      }
      await rename(join(staging, 'new', folder), place)
      undo.unshift(() => rm(place, { recursive: true, force: true }))
    }
  } catch (error) {
    for (const step of undo) await step()
    throw error
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
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
