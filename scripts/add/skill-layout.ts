// Finds the skills in a repository from the paths of its files. Reads no SKILL.md.

import { SCAN_MAX_DEPTH } from '../skill-folders/limits.ts'
import { quoted, SKILL_FILE } from '../../src/skills/format/finding.ts'
import { FLAT_FOLDER, isFlatName } from '../skill-folders/flat-skill.ts'

const IGNORED_FOLDERS = new Set(['node_modules', '.git', '__pycache__', '__MACOSX'])

/** Whether the path is a single-file skill, by the same rules as in skills:build. */
export function isFlatSkill(path: string): boolean {
  const [folder, name = ''] = path.split('/').slice(-2)
  return folder === FLAT_FOLDER && isFlatName(name)
}

/**
 * The folders of skills, and the single-file skills, at or below `start` ('' is the root), to a limited
 * depth, sorted by depth and path. If `start` has a SKILL.md, it is the only skill. A skill inside another is
 * part of that one.
 */
export function skillFolders(paths: readonly string[], start: string): readonly string[] {
  const prefix = start === '' ? '' : `${start}/`
  const folders = new Set<string>()
  for (const path of paths) {
    if (path === start && isFlatSkill(path)) return [start]
    if (path === `${prefix}${SKILL_FILE}`) return [start]
    if (!path.startsWith(prefix)) continue
    const relativePath = path.slice(prefix.length)
    if (relativePath.endsWith(`/${SKILL_FILE}`)) folders.add(parentOf(relativePath))
    else if (isFlatSkill(path)) folders.add(relativePath)
  }
  return Array.from(folders, (folder) => ({ folder, names: folder.split('/') }))
    .filter(({ names }) => names.length <= SCAN_MAX_DEPTH && !names.some((name) => IGNORED_FOLDERS.has(name)))
    .filter(({ folder }) => !isWithin(folder, folders))
    .toSorted((a, b) => a.names.length - b.names.length || (a.folder < b.folder ? -1 : 1))
    .map(({ folder }) => prefix + folder)
}

/**
 * Reports the folders at or below `start` that look like skills but that `skillFolders` ignored: one sentence
 * for each reason.
 */
export function reportSkipped(
  paths: readonly string[],
  start: string,
  skillPaths: readonly string[],
): readonly string[] {
  const prefix = start === '' ? '' : `${start}/`
  const usedFolders = new Set(skillPaths)
  const skippedByReason: Record<keyof typeof REASON_TEXTS, string[]> = {
    inside: [],
    never: [],
    deep: [],
    named: [],
  }
  for (const path of paths) {
    if (!path.startsWith(prefix) || !/(?:^|\/)skill\.md$/i.test(path)) continue
    const folder = parentOf(path)
    if (usedFolders.has(folder)) continue
    const names = folder.slice(prefix.length).split('/')
    if (names.some((name) => IGNORED_FOLDERS.has(name))) skippedByReason.never.push(folder)
    else if (isWithin(folder, usedFolders)) skippedByReason.inside.push(folder)
    else if (!path.endsWith(SKILL_FILE)) skippedByReason.named.push(folder)
    else skippedByReason.deep.push(folder)
  }
  return REASONS.flatMap((reason) => {
    const [first = ''] = skippedByReason[reason]
    const { length } = skippedByReason[reason]
    if (length === 0) return []
    const where = `${quoted(first)}${length > 1 ? ` and ${(length - 1).toLocaleString('en-US')} more` : ''}`
    return `Skipped ${where} ${REASON_TEXTS[reason]}`
  })
}

const REASON_TEXTS = {
  inside: `because files in a skill's folder belong to that skill. Specify the folder to add it.`,
  deep: `because it is more than ${SCAN_MAX_DEPTH} folders deep. Specify a folder closer to it.`,
  named: `because the file is not called ${SKILL_FILE}.`,
  never: 'because it is in a folder of installed packages or caches.',
} as const
const REASONS = ['deep', 'named', 'inside', 'never'] as const

function isWithin(folder: string, folders: ReadonlySet<string>): boolean {
  if (folders.has('')) return true
  for (let ancestor = parentOf(folder); ancestor !== ''; ancestor = parentOf(ancestor))
    if (folders.has(ancestor)) return true
  return false
}

function parentOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
}
