// Where skills lie in a repository, from the paths of its files alone. Reads no SKILL.md.

import { ADD_SEARCH_DEPTH } from '../limits.ts'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import { FLAT_FOLDER, isFlatName } from '../build/flat-skill.ts'

// Folders whose children are skills, by the habits of the agents that read them. '' is the root itself.
const HOMES = [
  '',
  'skills',
  'skills/.curated',
  'skills/.experimental',
  'skills/.system',
  ...[
    '.agents',
    '.agent',
    '.claude',
    '.codex',
    '.cursor',
    '.gemini',
    '.github',
    '.opencode',
    '.continue',
  ].map((agent) => `${agent}/skills`),
  ...['.goose', '.junie', '.kiro', '.qwen', '.roo', '.windsurf', '.factory', '.trae', '.augment'].map(
    (agent) => `${agent}/skills`,
  ),
  FLAT_FOLDER,
]
const NEVER = new Set(['node_modules', '.git', '__pycache__', '__MACOSX'])

export const MARKETPLACE_FILE = '.claude-plugin/marketplace.json'
export const PLUGIN_FILE = '.claude-plugin/plugin.json'

/** Whether the path is a file that is a whole skill, as skills:build sees it. A README explains the folder. */
export function isFlatSkill(path: string): boolean {
  const [folder, name = ''] = path.split('/').slice(-2)
  return folder === FLAT_FOLDER && isFlatName(name)
}

/**
 * The folders of skills, and the files that are skills by themselves, at or below `start` ('' is the root), the likeliest home first, then by path. A SKILL.md at `start` ends the search; else the
 * known homes and what plugins declare; where those hold nothing, all folders to a bounded depth. A skill inside
 * another is that one's own file.
 * @param declared folders that a plugin's manifest names, relative to `start`
 */
export function skillFolders(
  paths: readonly string[],
  start: string,
  declared: readonly string[] = [],
): readonly string[] {
  const prefix = start === '' ? '' : `${start}/`
  const folders: string[] = []
  for (const path of paths) {
    if (path === start && isFlatSkill(path)) return [start]
    if (!path.startsWith(prefix)) continue
    const isMain = path.endsWith(`/${SKILL_FILE}`) || path === SKILL_FILE
    if (!isMain && !isFlatSkill(path)) continue
    const folder = isMain
      ? path.slice(prefix.length, -SKILL_FILE.length).replace(/\/$/, '')
      : path.slice(prefix.length)
    if (!folder.split('/').some((segment) => NEVER.has(segment))) folders.push(folder)
  }
  if (folders.includes('')) return [start]
  // Maps, because a hostile repository has many of both.
  const homes = new Map([...HOMES, ...declared].map((home, at) => [home, at] as const).toReversed())
  const named = new Set(declared)
  const rank = (folder: string): number => {
    const home = homes.get(parentOf(folder)) ?? -1
    return home === -1 && named.has(folder) ? HOMES.length + declared.length : home
  }
  const known = folders.filter((folder) => rank(folder) !== -1)
  const shallow = folders.filter((folder) => folder.split('/').length <= ADD_SEARCH_DEPTH)
  return outermost(known.length > 0 ? known : shallow)
    .toSorted((a, b) => rank(a) - rank(b))
    .map((folder) => prefix + folder)
}

function parentOf(folder: string): string {
  return folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : ''
}

function outermost(folders: readonly string[]): readonly string[] {
  const all = new Set(folders)
  const isInside = (folder: string): boolean => {
    for (let up = parentOf(folder); up !== ''; up = parentOf(up)) if (all.has(up)) return true
    return false
  }
  return Array.from(all)
    .filter((folder) => !isInside(folder))
    .toSorted()
}

/** Folders that a marketplace's or a plugin's manifest says hold skills; what it says wrongly is left out. */
export function declaredFolders(manifest: string): readonly string[] {
  let json: unknown
  try {
    json = JSON.parse(manifest)
  } catch {
    return []
  }
  const found: string[] = []
  const base = folderOf(at(at(json, 'metadata'), 'pluginRoot')) ?? ''
  const plugins = at(json, 'plugins')
  for (const plugin of Array.isArray(plugins) ? plugins : []) {
    const root = folderOf(at(plugin, 'source'))
    // A source that is no text lies in another repository.
    if (root !== null) found.push(...ofPlugin(join(base, root), at(plugin, 'skills')))
  }
  return [...found, ...ofPlugin('', at(json, 'skills'))]
}

function ofPlugin(root: string, skills: unknown): readonly string[] {
  const named = (Array.isArray(skills) ? skills : [skills]).map(folderOf)
  return [join(root, 'skills'), ...named.flatMap((folder) => (folder === null ? [] : [join(root, folder)]))]
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

function join(a: string, b: string): string {
  return a === '' || b === '' ? a + b : `${a}/${b}`
}

/** A relative folder without dots; null for anything else. */
function folderOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.startsWith('/') || /[\\:\0]/.test(value)) return null
  const segments = value.split('/').filter((segment) => segment !== '' && segment !== '.')
  return segments.includes('..') ? null : segments.join('/')
}
