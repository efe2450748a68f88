// Where skills lie in a repository, from the paths of its files alone. Reads no SKILL.md.

import { SCAN_MAX_DEPTH } from '../limits.ts'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import { FLAT_FOLDER, isFlatName } from '../build/flat-skill.ts'

const NEVER = new Set(['node_modules', '.git', '__pycache__', '__MACOSX'])

/** Whether the path is a file that is a whole skill, as skills:build sees it. A README explains the folder. */
export function isFlatSkill(path: string): boolean {
  const [folder, name = ''] = path.split('/').slice(-2)
  return folder === FLAT_FOLDER && isFlatName(name)
}

/**
 * The folders of skills, and the files that are skills by themselves, at or below `start` ('' is the root) to a bounded
 * depth: what lies nearest first, then by path. A SKILL.md at `start` ends the search; a skill inside another is that one's
 * own file.
 */
export function skillFolders(paths: readonly string[], start: string): readonly string[] {
  const prefix = start === '' ? '' : `${start}/`
  const folders = new Set<string>()
  for (const path of paths) {
    if (path === start && isFlatSkill(path)) return [start]
    if (path === `${prefix}${SKILL_FILE}`) return [start]
    if (!path.startsWith(prefix)) continue
    const below = path.slice(prefix.length)
    if (below.endsWith(`/${SKILL_FILE}`)) folders.add(parentOf(below))
    else if (isFlatSkill(path)) folders.add(below)
  }
  const isInside = (folder: string): boolean => {
    for (let up = parentOf(folder); up !== ''; up = parentOf(up)) if (folders.has(up)) return true
    return false
  }
  return Array.from(folders, (folder) => ({ folder, names: folder.split('/') }))
    .filter(({ names }) => names.length <= SCAN_MAX_DEPTH && !names.some((name) => NEVER.has(name)))
    .filter(({ folder }) => !isInside(folder))
    .toSorted((a, b) => a.names.length - b.names.length || (a.folder < b.folder ? -1 : 1))
    .map(({ folder }) => prefix + folder)
}

function parentOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
}
