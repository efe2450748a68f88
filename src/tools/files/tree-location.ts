// The one way from a path, as the model writes it, to a place of the tree: a skill's files or the thread's. Reads nothing
// but lists of paths; whether something is there, and may be done, is for the tool to say.

import { DATA_FOLDERS, fullPath, pathIn, UNDER } from '../../files/path.ts'
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
  | { readonly at: 'skills'; readonly place: SkillTarget }
  /** `path` relative to /mnt/user-data, in its one form; empty: all of it. A file, a folder, or nothing may be there. */
  | { readonly at: 'data'; readonly path: string }

/** What is looked at. */
export type TreeAccess = Pick<ToolContext, 'skills' | 'files'>

const SKILLS = 'Files of skills lie under /mnt/skills/public and /mnt/skills/custom.'

/**
 * Where a path points: absolute, without its leading slash, from one of the thread's folders (`outputs/a.md`), or as a
 * skill that is followed writes it. Fails in words for the model.
 */
export async function findInTree(path: string, access: TreeAccess): Promise<Result<TreeLocation, string>> {
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  const [first, second, ...rest] = names
  if (first === undefined || (first === 'mnt' && second === undefined)) return ok({ at: 'root' })
  if (first === 'mnt' && second === 'user-data') return inData(rest.join('/'))
  if (first === 'mnt' && second === 'skills')
    return inSkills(/^\/?mnt\/skills/.test(path) ? path : `/${names.join('/')}`, access)
  if (path.startsWith('/'))
    return err(`${quoted(path)} is nowhere in this tree. ${SKILLS} ${UNDER}${meant(names)}`)
  if (first === 'user-data') return inData(names.slice(1).join('/'))
  if (isFolder(first) && !names.includes('..')) return fromFolder(path, names.join('/'), access)
  const skill = await inSkills(path, access)
  // A skill that is off is said to be in the same words everywhere, and a climb is a link of a skill.
  if (skill.ok || names.includes('..') || access.skills.off(first) !== null) return skill
  return err(`${skill.error} ${UNDER}${nearFiles(path, access.files)}`)
}

function isFolder(name: string): boolean {
  return DATA_FOLDERS.some((folder) => folder === name)
}

function inData(path: string): Result<TreeLocation, string> {
  const place = pathIn(path)
  return place.ok ? ok({ at: 'data', path: place.value }) : place
}

async function inSkills(path: string, { skills }: TreeAccess): Promise<Result<TreeLocation, string>> {
  const place = await findLocation(path, skills)
  return place.ok ? ok({ at: 'skills', place: place.value }) : place
}

/** A skill may have a folder of such a name, too. */
async function fromFolder(
  asked: string,
  path: string,
  access: TreeAccess,
): Promise<Result<TreeLocation, string>> {
  const data = inData(path)
  if (!data.ok || access.skills.active().length === 0) return data
  const skill = await inSkills(asked, access)
  if (!skill.ok || skill.value.at !== 'skills' || skill.value.place.at !== 'skill') return data
  if (!isThere(path, access)) return skill
  const { place } = skill.value
  return err(
    `${quoted(asked)} may be one of several. Call again with one: ${fullPath(path)}, ${rootOf(place.skill)}/${place.path}.`,
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
