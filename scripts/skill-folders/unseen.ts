// Counts the skills in folders that the search for skills does not enter, so that users learn why skills are missing.

import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import type { Finding } from '../../src/skills/skill.ts'
import { SCAN_MAX_DEPTH, UNSEEN_MAX_FOLDERS } from './limits.ts'
import { counted } from '../../src/lib/counted.ts'
import { FLAT_FOLDER, isFlatName } from './flat-skill.ts'

export interface Unseen {
  /** The path of the folder, starting with the directory that was searched. */
  readonly path: string
  readonly why: 'hidden' | 'deep'
  readonly skills: number
  /** Whether there may be more skills, because the folder is too large to be searched completely. */
  readonly more: boolean
}

const NEVER = new Set(['.git', '.hg', '.svn', 'node_modules', '__pycache__'])

/** The folder with the number of its skills; null if it contains none. */
export async function unseenIn(path: string, why: Unseen['why']): Promise<Unseen | null> {
  if (NEVER.has(basename(path))) return null
  const queue = [path]
  let skills = 0
  for (let at = 0; at < queue.length && at < UNSEEN_MAX_FOLDERS; at++) {
    const here = queue[at] ?? ''
    const entries: readonly Dirent[] = await readdir(here, { withFileTypes: true }).catch(() => [])
    const files = entries.filter((entry) => entry.isFile())
    if (files.some(({ name }) => name === SKILL_FILE || name === 'skill.md')) {
      skills += 1
      continue
    }
    if (basename(here) === FLAT_FOLDER) skills += files.filter(({ name }) => isFlatName(name)).length
    for (const entry of entries)
      if (entry.isDirectory() && !NEVER.has(entry.name)) queue.push(join(here, entry.name))
  }
  return skills === 0 ? null : { path, why, skills, more: queue.length > UNSEEN_MAX_FOLDERS }
}

export function unseenFinding(unseen: Unseen): Finding {
  const description =
    unseen.why === 'hidden' ? 'this hidden folder' : `this folder, more than ${SCAN_MAX_DEPTH} folders deep`
  return {
    rule: unseen.why === 'hidden' ? 'folder-hidden' : 'folder-deep',
    severity: 'note',
    file: unseen.path,
    line: null,
    message: `There ${unseen.skills === 1 ? 'is' : 'are'} ${amount(unseen)} in ${description}, which was not searched.`,
    fix: 'To use these skills, name the folder itself.',
  }
}

/** A message about all of these folders; null if there are none. `shown` formats a path. */
export function unseenLine(all: readonly Unseen[], shown: (path: string) => string): string | null {
  const [first] = all
  if (!first) return null
  const skills = all.reduce((sum, one) => sum + one.skills, 0)
  const others = all.length > 1 ? ` and ${counted(all.length - 1, 'other folder')}` : ''
  const how = all.every(({ why }) => why === 'hidden') ? 'hidden' : 'hidden or too deep'
  const number = amount({ skills, more: all.some(({ more }) => more) })
  return `${number} not included, in ${shown(first.path)}${others} (${how}). To include them, name the folder itself.`
}

function amount({ skills, more }: Pick<Unseen, 'skills' | 'more'>): string {
  return `${counted(skills, 'skill')}${more ? ' or more' : ''}`
}
