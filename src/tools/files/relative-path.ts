// Resolves relative paths as they appear in skills, if they are unambiguous. Otherwise the error lists the full paths
// that may be meant.

import { err, ok, type Result } from '../../lib/result.ts'
import { LS_ENTRIES_MAX } from './limits.ts'
import { quoted } from '../../skills/format/finding.ts'
import { resolveInside } from '../../skills/format/path.ts'
import { rootOf, type IndexEntry } from '../../skills/skill.ts'
import type { SkillAccess } from '../../skills/view/access.ts'
import { segmentsAfterLeaving, resolveSkillPath, resolveSiblingLink, type SkillTarget } from './skill-path.ts'

/** Resolves a path that is absolute or relative to an active skill. The error is a message for the model. */
export async function findSkillTarget(
  path: string,
  skills: SkillAccess,
): Promise<Result<SkillTarget, string>> {
  if (path.startsWith('/')) return resolveSkillPath(path, skills)
  const segments = path.split('/')
  if (segments[0] === 'mnt' && segments[1] === 'skills') return resolveSkillPath(`/${path}`, skills)
  const remainingSegments = segmentsAfterLeaving(segments)
  // A link such as `../other/SKILL.md` names the other skill, so it does not matter which skill contains the link.
  const sibling = remainingSegments === null ? null : resolveSiblingLink(remainingSegments, skills)
  if (sibling) return sibling
  // `../scripts/a.py` may be a link in a subfolder of a skill, which then stays inside that skill.
  const inside = resolveInside((remainingSegments ?? segments).join('/').replace(/\/+$/, ''))
  return inside.ok ? findInActiveSkills(path, inside.value, skills) : err(`${inside.error} ${FULL_PATH_HINT}`)
}

const FULL_PATH_HINT =
  'Give the full path: the folder of the SKILL.md that mentions the file, followed by the path.'

async function findInActiveSkills(
  writtenPath: string,
  path: string,
  skills: SkillAccess,
): Promise<Result<SkillTarget, string>> {
  const active = skills.active()
  const matchingSkills: IndexEntry[] = []
  let readError: string | null = null
  for (const skill of active) {
    const files = await skills.files(skill.name)
    if (!files.ok) readError ??= files.error
    else if (files.value.files.some((file) => isPathWithin(file.path, path))) matchingSkills.push(skill)
  }
  const [only, second] = matchingSkills
  if (only && !second && readError === null) return ok({ kind: 'skill', skill: only, path })
  if (matchingSkills.length > 0)
    return err(
      `${quoted(writtenPath)} is ambiguous. Call again with one of these paths: ${fullPathsOf(matchingSkills, path)}.`,
    )
  if (readError !== null) return err(readError)
  const [name = '', ...innerNames] = path.split('/')
  const namedSkill = skills.find(name)
  if (namedSkill)
    return err(
      `${quoted(writtenPath)} is not a full path. Call again with ${fullPathsOf([namedSkill], innerNames.join('/'))}.`,
    )
  const unavailable = skills.off(name)
  if (unavailable !== null) return err(unavailable)
  if (active.length === 0) return err(`${quoted(writtenPath)} is not a full path. ${FULL_PATH_HINT}`)
  const roots = active.slice(0, LS_ENTRIES_MAX).map(rootOf).join(', ')
  return err(
    `No skill that you loaded has a file ${quoted(writtenPath)}. List one of these folders with ls: ${roots}.`,
  )
}

/** Whether the path means the file itself, a folder above it, or a part of the file (`a.md#part`). */
function isPathWithin(file: string, path: string): boolean {
  return file === path || file.startsWith(`${path}/`) || file === path.replace(/#[^/#]*$/, '')
}

function fullPathsOf(skills: readonly IndexEntry[], path: string): string {
  return skills.map((skill) => (path === '' ? rootOf(skill) : `${rootOf(skill)}/${path}`)).join(', ')
}
