// Counts the skills in folders that the search for skills does not enter, so that users learn why skills are missing.

import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import type { Finding } from '../../src/skills/skill.ts'
import { SCAN_MAX_DEPTH, UNSEARCHED_FOLDERS_MAX } from './limits.ts'
import { counted } from '../../src/lib/counted.ts'
import { FLAT_FOLDER, isFlatName } from './flat-skill.ts'

export interface UnsearchedFolder {
  /** The path of the folder, starting with the directory that was searched. */
  readonly path: string
  readonly why: 'hidden' | 'deep'
  readonly skills: number
  /** True if the folder is too large to be searched completely, so that it may contain more skills. */
  readonly hasMore: boolean
}

const NEVER_SEARCHED = new Set(['.git', '.hg', '.svn', 'node_modules', '__pycache__'])

/** The folder with the number of its skills; null if it contains none. */
export async function findUnsearched(
  path: string,
  why: UnsearchedFolder['why'],
): Promise<UnsearchedFolder | null> {
  if (NEVER_SEARCHED.has(basename(path))) return null
  const queue = [path]
  let skills = 0
  for (let index = 0; index < queue.length && index < UNSEARCHED_FOLDERS_MAX; index++) {
    const current = queue[index] ?? ''
    const entries: readonly Dirent[] = await readdir(current, { withFileTypes: true }).catch(() => [])
    const files = entries.filter((entry) => entry.isFile())
    if (files.some(({ name }) => name === SKILL_FILE || name === 'skill.md')) {
      skills += 1
      continue
    }
    if (basename(current) === FLAT_FOLDER) skills += files.filter(({ name }) => isFlatName(name)).length
    for (const entry of entries)
      if (entry.isDirectory() && !NEVER_SEARCHED.has(entry.name)) queue.push(join(current, entry.name))
  }
  return skills === 0 ? null : { path, why, skills, hasMore: queue.length > UNSEARCHED_FOLDERS_MAX }
}

export function unsearchedFinding(unsearched: UnsearchedFolder): Finding {
  const description =
    unsearched.why === 'hidden'
      ? 'this hidden folder'
      : `this folder, more than ${SCAN_MAX_DEPTH} folders deep`
  return {
    rule: unsearched.why === 'hidden' ? 'folder-hidden' : 'folder-deep',
    severity: 'note',
    file: unsearched.path,
    line: null,
    message: `There ${unsearched.skills === 1 ? 'is' : 'are'} ${skillCount(unsearched)} in ${description}, which was not searched.`,
    fix: 'To use these skills, name the folder itself.',
  }
}

/** A message about all of these folders; null if there are none. `formatPath` formats a path. */
export function unsearchedMessage(
  all: readonly UnsearchedFolder[],
  formatPath: (path: string) => string,
): string | null {
  const [first] = all
  if (!first) return null
  const skills = all.reduce((sum, folder) => sum + folder.skills, 0)
  const others = all.length > 1 ? ` and ${counted(all.length - 1, 'other folder')}` : ''
  const reasons = all.every(({ why }) => why === 'hidden') ? 'hidden' : 'hidden or too deep'
  const number = skillCount({ skills, hasMore: all.some(({ hasMore }) => hasMore) })
  return `${number} not included, in ${formatPath(first.path)}${others} (${reasons}). To include them, name the folder itself.`
}

function skillCount({ skills, hasMore }: Pick<UnsearchedFolder, 'skills' | 'hasMore'>): string {
  return `${counted(skills, 'skill')}${hasMore ? ' or more' : ''}`
}
