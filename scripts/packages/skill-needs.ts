// What the skills in folders say they need, compared with the lock.

import { packageNeeds, mayNamePackages, type PackageNeed } from '../../src/sandbox/packages/needs.ts'
import { findPackages } from '../skill-folders/find-packages.ts'
import { readFolder } from '../check-skills/unchecked.ts'

import type { PackageLock } from './lock.ts'

export interface SkillNeed extends PackageNeed {
  /** The path of the skill's folder. */
  readonly skill: string
  readonly isLocked: boolean
}

/** The needs of all skills below these folders. */
export async function needsOfSkills(
  folders: readonly string[],
  lock: PackageLock,
): Promise<readonly SkillNeed[]> {
  const needs: SkillNeed[] = []
  for (const folder of folders)
    for (const skill of (await findPackages(folder)).packages) {
      const { files } = await readFolder(skill)
      const texts = [...files]
        .filter(([path]) => mayNamePackages(path))
        .map(([path, bytes]) => [path, new TextDecoder().decode(bytes)] as const)
      for (const need of packageNeeds(texts))
        needs.push({ ...need, skill: skill.path, isLocked: Object.hasOwn(lock[need.language], need.name) })
    }
  return needs
}
