// Resolves a relative path as skills write them, only if it is unambiguous. Otherwise the error lists the full paths
// that it could mean.

import { err, ok, type Result } from '../../lib/result.ts'
import { LS_MAX_ENTRIES } from './limits.ts'
import { quoted } from '../../skills/format/finding.ts'
import { resolveInside } from '../../skills/format/path.ts'
import { rootOf, type IndexEntry } from '../../skills/skill.ts'
import type { SkillAccess } from '../../skills/view/access.ts'
import { climbedOut, skillTargetOf, siblingOf, type SkillTarget } from './skill-path.ts'

/** The target of a path, absolute or relative to an active skill. Failure: a text for the model. */
export async function findLocation(path: string, skills: SkillAccess): Promise<Result<SkillTarget, string>> {
  if (path.startsWith('/')) return skillTargetOf(path, skills)
  const segments = path.split('/')
  if (segments[0] === 'mnt' && segments[1] === 'skills') return skillTargetOf(`/${path}`, skills)
  const climbed = climbedOut(segments)
  // A link to a neighbouring skill names that skill, wherever the link is.
  const sibling = climbed === null ? null : siblingOf(climbed, skills)
  if (sibling) return sibling
  // `../scripts/a.py` may come from a file in a subfolder: then it stays inside of its skill.
  const inside = resolveInside((climbed ?? segments).join('/').replace(/\/+$/, ''))
  return inside.ok ? written(path, inside.value, skills) : err(`${inside.error} ${FULL}`)
}

const FULL = 'Give the full path: the folder of the SKILL.md that names it, followed by the path.'

async function written(
  writtenPath: string,
  path: string,
  skills: SkillAccess,
): Promise<Result<SkillTarget, string>> {
  const active = skills.active()
  const has: IndexEntry[] = []
  let torn: string | null = null
  for (const skill of active) {
    const files = await skills.files(skill.name)
    if (!files.ok) torn ??= files.error
    else if (files.value.files.some((file) => holds(file.path, path))) has.push(skill)
  }
  const [only, second] = has
  if (only && !second && torn === null) return ok({ at: 'skill', skill: only, path })
  if (has.length > 0)
    return err(`${quoted(writtenPath)} may be one of several. Call again with one: ${full(has, path)}.`)
  if (torn !== null) return err(torn)
  const [name = '', ...rest] = path.split('/')
  const named = skills.find(name)
  if (named)
    return err(`${quoted(writtenPath)} is not a full path. Call again with ${full([named], rest.join('/'))}.`)
  const off = skills.off(name)
  if (off !== null) return err(off)
  if (active.length === 0) return err(`${quoted(writtenPath)} is not a full path. ${FULL}`)
  const roots = active.slice(0, LS_MAX_ENTRIES).map(rootOf).join(', ')
  return err(`No skill that you use has a file ${quoted(writtenPath)}. List a folder with ls: ${roots}.`)
}

/** The file, a folder above it, or a part of the file (`a.md#part`). */
function holds(file: string, path: string): boolean {
  return file === path || file.startsWith(`${path}/`) || file === path.replace(/#[^/#]*$/, '')
}

function full(skills: readonly IndexEntry[], path: string): string {
  return skills.map((skill) => (path === '' ? rootOf(skill) : `${rootOf(skill)}/${path}`)).join(', ')
}
