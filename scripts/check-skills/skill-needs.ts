// What the skills in folders say they need, compared with the lock.

import { mayNamePackages, packageNeeds } from '../../src/skills/check/package-needs.ts'
import { findPackages } from '../skill-folders/find-packages.ts'
import { readFolder } from './unchecked.ts'

import type { PackageLock } from '../packages/lock.ts'
import type { SkillNeed } from '../packages/verbs.ts'

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
