// Resolves a path as the model writes it to a location in the tree: in a skill or in the thread's files. Reads only
// lists of paths; the tool checks whether the file exists and may be used.

import { DATA_FOLDERS, fullPath, pathIn, DATA_FOLDERS_HINT } from '../../files/path.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { quoted } from '../../skills/format/finding.ts'
import { rootOf } from '../../skills/skill.ts'
import type { ToolContext } from '../record/builtin.ts'
import { nearFiles } from './near.ts'
import { findLocation } from './relative-path.ts'
import type { SkillTarget } from './skill-path.ts'

export type TreeLocation =
  /** Above both: `/` or `/mnt`. */
  | { readonly at: 'root' }
  | { readonly at: 'skills'; readonly target: SkillTarget }
  /**
   * `path` relative to /mnt/user-data, in canonical form; empty: the whole tree. It may name a file, a folder, or
   * nothing.
   */
  | { readonly at: 'data'; readonly path: string }

/** The parts of the context that paths are resolved in. */
export type TreeAccess = Pick<ToolContext, 'skills' | 'files'>

const SKILLS = 'Files of skills are under /mnt/skills/public and /mnt/skills/custom.'

/**
 * The location of a path: absolute, without its leading slash, from one of the thread's folders (`outputs/a.md`), or
 * relative to an active skill. Failure: a text for the model.
 */
export async function findInTree(path: string, access: TreeAccess): Promise<Result<TreeLocation, string>> {
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  const [first, second, ...rest] = names
  if (first === undefined || (first === 'mnt' && second === undefined)) return ok({ at: 'root' })
  if (first === 'mnt' && second === 'user-data') return inData(rest.join('/'))
  if (first === 'mnt' && second === 'skills')
    return inSkills(/^\/?mnt\/skills/.test(path) ? path : `/${names.join('/')}`, access)
  if (path.startsWith('/'))
    return err(`${quoted(path)} is not in this tree. ${SKILLS} ${DATA_FOLDERS_HINT}${meant(names)}`)
  if (first === 'user-data') return inData(names.slice(1).join('/'))
  if (isFolder(first) && !names.includes('..')) return fromFolder(path, names.join('/'), access)
  const skill = await inSkills(path, access)
  // A disabled skill has the same error everywhere, and a path with ".." is a skill's link.
  if (skill.ok || names.includes('..') || access.skills.off(first) !== null) return skill
  return err(`${skill.error} ${DATA_FOLDERS_HINT}${nearFiles(path, access.files)}`)
}

function isFolder(name: string): boolean {
  return DATA_FOLDERS.some((folder) => folder === name)
}

function inData(path: string): Result<TreeLocation, string> {
  const location = pathIn(path)
  return location.ok ? ok({ at: 'data', path: location.value }) : location
}

async function inSkills(path: string, { skills }: TreeAccess): Promise<Result<TreeLocation, string>> {
  const location = await findLocation(path, skills)
  return location.ok ? ok({ at: 'skills', target: location.value }) : location
}

/** A skill may have a folder with such a name, too. */
async function fromFolder(
  writtenPath: string,
  path: string,
  access: TreeAccess,
): Promise<Result<TreeLocation, string>> {
  const data = inData(path)
  if (!data.ok || access.skills.active().length === 0) return data
  const skill = await inSkills(writtenPath, access)
  if (!skill.ok || skill.value.at !== 'skills' || skill.value.target.at !== 'skill') return data
  if (!isThere(path, access)) return skill
  const { target: location } = skill.value
  return err(
    `${quoted(writtenPath)} may be one of several. Call again with one: ${fullPath(path)}, ${rootOf(location.skill)}/${location.path}.`,
  )
}

function isThere(path: string, { files }: TreeAccess): boolean {
  return files.list().some((row) => row.path === path || row.path.startsWith(`${path}/`)) || isFolder(path)
}

/** `/outputs/a.md` */
function meant(names: readonly string[]): string {
  const [first = ''] = names
  if (first !== 'user-data' && !isFolder(first)) return ''
  const path = pathIn(names.slice(first === 'user-data' ? 1 : 0).join('/'))
  return path.ok ? ` Did you mean ${fullPath(path.value)}?` : ''
}
