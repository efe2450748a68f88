// Resolves paths below /mnt/skills. A path is only looked up in a manifest; it is never used as a storage key.

import { err, ok, type Result } from '../../lib/result.ts'
import type { SkillAccess } from '../../skills/view/access.ts'
import { quoted } from '../../skills/format/finding.ts'
import { resolveInside } from '../../skills/format/path.ts'
import { locationOf, type IndexEntry } from '../../skills/skill.ts'

export type SkillTarget =
  | { readonly kind: 'tree' }
  | { readonly kind: 'category'; readonly category: 'public' | 'custom' }
  | { readonly kind: 'skill'; readonly skill: IndexEntry; readonly path: string }

const ROOT = '/mnt/skills'

/** Resolves an absolute path. The error is a message for the model. In the result, `path` is empty for a skill's root. */
export function resolveSkillPath(path: string, skills: SkillAccess): Result<SkillTarget, string> {
  const clean = path.replace(/\/+$/, '')
  if (clean !== ROOT && !clean.startsWith(`${ROOT}/`))
    return err(`You cannot read ${path}. Files of skills are under ${ROOT}/public and ${ROOT}/custom.`)
  const [category, name, ...innerNames] = clean.slice(ROOT.length + 1).split('/')
  if (!category) return ok({ kind: 'tree' })
  if (category !== 'public' && category !== 'custom')
    return err(`There is no folder ${ROOT}/${category}. Skills are under ${ROOT}/public and ${ROOT}/custom.`)
  if (!name) return ok({ kind: 'category', category })
  const skill = skills.find(name)
  if (skill?.category !== category) return err(skills.off(name) ?? missingSkillMessage(category, name, skill))
  if (innerNames.length === 0) return ok({ kind: 'skill', skill, path: '' })
  const remainingSegments = segmentsAfterLeaving(innerNames)
  if (remainingSegments !== null) return resolveLink(path, skill, remainingSegments, skills)
  const inside = resolveInside(innerNames.join('/'))
  return inside.ok ? ok({ kind: 'skill', skill, path: inside.value }) : err(inside.error)
}

function missingSkillMessage(category: string, name: string, skill: IndexEntry | undefined): string {
  const where = skill ? `It is at ${locationOf(skill)}.` : 'Use the location from the list of skills.'
  return `There is no skill at ${ROOT}/${category}/${name}. ${where}`
}

/** The remaining segments of a path that leaves a skill's folder with ".."; null if the path stays inside. */
export function segmentsAfterLeaving(segments: readonly string[]): readonly string[] | null {
  const remaining: string[] = []
  let hasLeft = false
  for (const segment of segments) {
    if (segment === '..') hasLeft = remaining.pop() === undefined || hasLeft
    else if (segment !== '.' && segment !== '') remaining.push(segment)
  }
  return hasLeft ? remaining : null
}

function skillNameIndex(remainingSegments: readonly string[]): number {
  return remainingSegments.findIndex((segment) => segment !== 'public' && segment !== 'custom')
}

/**
 * Resolves a link to another skill (`../other/SKILL.md`), as used in repositories of skills; null if it does
 * not name a skill. Because a repository may use other folders, the category is ignored and one additional
 * folder is accepted before the name. `remainingSegments` is the result of `segmentsAfterLeaving`.
 */
export function resolveSiblingLink(
  remainingSegments: readonly string[],
  skills: SkillAccess,
): Result<SkillTarget, string> | null {
  const start = skillNameIndex(remainingSegments)
  const names = start === -1 ? [] : remainingSegments.slice(start, start + 2)
  for (const [index, name] of names.entries()) {
    const skill = skills.find(name)
    if (!skill) continue
    const innerNames = remainingSegments.slice(start + index + 1)
    if (innerNames.length === 0) return ok({ kind: 'skill', skill, path: '' })
    const inside = resolveInside(innerNames.join('/'))
    return inside.ok ? ok({ kind: 'skill', skill, path: inside.value }) : err(inside.error)
  }
  for (const name of names) {
    const unavailable = skills.off(name)
    if (unavailable !== null) return err(unavailable)
  }
  return null
}

function resolveLink(
  path: string,
  from: IndexEntry,
  remainingSegments: readonly string[],
  skills: SkillAccess,
): Result<SkillTarget, string> {
  const target = resolveSiblingLink(remainingSegments, skills)
  if (target) return target
  const skillName = remainingSegments[skillNameIndex(remainingSegments)] ?? remainingSegments[0]
  if (skillName === undefined)
    return err(
      `${quoted(path)} leaves the skill "${from.name}" without naming another skill. List the skills with ls ${ROOT}.`,
    )
  return err(
    `${quoted(path)} leads from the skill "${from.name}" to ${quoted(skillName)}, but no skill of that name is available to you. Continue without it.`,
  )
}
