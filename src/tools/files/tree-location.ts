// Resolves a path that the model wrote to a location in a skill or in the thread's files. Reads only lists of paths. The
// tool itself checks whether the file exists and may be used.

import { DATA_FOLDERS, fullPath, pathIn, DATA_FOLDERS_HINT } from '../../files/path.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { quoted } from '../../skills/format/finding.ts'
import { rootOf } from '../../skills/skill.ts'
import type { ToolContext } from '../record/builtin.ts'
import { suggestFiles } from './similar-files.ts'
import { findSkillTarget } from './relative-path.ts'
import type { SkillTarget } from './skill-path.ts'

export type TreeLocation =
  /** `/` or `/mnt`, the parents of both trees. */
  | { readonly kind: 'root' }
  | { readonly kind: 'skills'; readonly target: SkillTarget }
  /**
   * `path` is canonical and relative to /mnt/user-data, and empty for that folder. It may be a file or a folder, or not
   * exist.
   */
  | { readonly kind: 'data'; readonly path: string }

/** The parts of the tool context in which paths are resolved. */
export type TreeAccess = Pick<ToolContext, 'skills' | 'files'>

const SKILLS_HINT = 'Files of skills are under /mnt/skills/public and /mnt/skills/custom.'

/**
 * Resolves a path that is absolute (with or without the leading slash), relative to /mnt/user-data (`outputs/a.md`), or
 * relative to an active skill. The error is a message for the model.
 */
export async function findInTree(path: string, access: TreeAccess): Promise<Result<TreeLocation, string>> {
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  const [first, second, ...innerNames] = names
  if (first === undefined || (first === 'mnt' && second === undefined)) return ok({ kind: 'root' })
  if (first === 'mnt' && second === 'user-data') return dataLocation(innerNames.join('/'))
  if (first === 'mnt' && second === 'skills')
    return skillLocation(/^\/?mnt\/skills/.test(path) ? path : `/${names.join('/')}`, access)
  if (path.startsWith('/'))
    return err(
      `${quoted(path)} is not a path that you can use. ${SKILLS_HINT} ${DATA_FOLDERS_HINT}${suggestDataPath(names)}`,
    )
  if (first === 'user-data') return dataLocation(names.slice(1).join('/'))
  if (isFolder(first) && !names.includes('..')) return resolveDataFolder(path, names.join('/'), access)
  const skill = await skillLocation(path, access)
  // The error for a disabled skill is complete as it is, and a path with ".." is a link in a skill.
  if (skill.ok || names.includes('..') || access.skills.off(first) !== null) return skill
  return err(`${skill.error} ${DATA_FOLDERS_HINT}${suggestFiles(path, access.files)}`)
}

function isFolder(name: string): boolean {
  return DATA_FOLDERS.some((folder) => folder === name)
}

function dataLocation(path: string): Result<TreeLocation, string> {
  const location = pathIn(path)
  return location.ok ? ok({ kind: 'data', path: location.value }) : location
}

async function skillLocation(path: string, { skills }: TreeAccess): Promise<Result<TreeLocation, string>> {
  const location = await findSkillTarget(path, skills)
  return location.ok ? ok({ kind: 'skills', target: location.value }) : location
}

/** Resolves a path such as `outputs/a.md`. An active skill may contain the same path, which makes it ambiguous. */
async function resolveDataFolder(
  writtenPath: string,
  path: string,
  access: TreeAccess,
): Promise<Result<TreeLocation, string>> {
  const data = dataLocation(path)
  if (!data.ok || access.skills.active().length === 0) return data
  const skill = await skillLocation(writtenPath, access)
  if (!skill.ok || skill.value.kind !== 'skills' || skill.value.target.kind !== 'skill') return data
  if (!existsInData(path, access)) return skill
  const { target: location } = skill.value
  return err(
    `${quoted(writtenPath)} is ambiguous. Call again with one of these paths: ${fullPath(path)}, ${rootOf(location.skill)}/${location.path}.`,
  )
}

function existsInData(path: string, { files }: TreeAccess): boolean {
  return files.list().some((row) => row.path === path || row.path.startsWith(`${path}/`)) || isFolder(path)
}

/** Suggests a path under /mnt/user-data for a path such as `/outputs/a.md`; empty for any other path. */
function suggestDataPath(names: readonly string[]): string {
  const [first = ''] = names
  if (first !== 'user-data' && !isFolder(first)) return ''
  const path = pathIn(names.slice(first === 'user-data' ? 1 : 0).join('/'))
  return path.ok ? ` Did you mean ${fullPath(path.value)}?` : ''
}
