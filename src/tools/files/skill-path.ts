// Paths of skills in the tree that the model sees. A path is looked up in a manifest, and never becomes a storage key.

import { err, ok, type Result } from '../../lib/result.ts'
import type { SkillAccess } from '../../skills/view/access.ts'
import { quoted } from '../../skills/format/finding.ts'
import { resolveInside } from '../../skills/format/path.ts'
import { locationOf, type IndexEntry } from '../../skills/skill.ts'

export type SkillTarget =
  | { readonly at: 'tree' }
  | { readonly at: 'category'; readonly category: 'public' | 'custom' }
  | { readonly at: 'skill'; readonly skill: IndexEntry; readonly path: string }

const ROOT = '/mnt/skills'

/** The target of an absolute path. Failure: a text for the model. `path` is empty for a skill's root. */
export function skillTargetOf(path: string, skills: SkillAccess): Result<SkillTarget, string> {
  const clean = path.replace(/\/+$/, '')
  if (clean !== ROOT && !clean.startsWith(`${ROOT}/`))
    return err(
      `${path} is not a file you can read. Files of skills are under ${ROOT}/public and ${ROOT}/custom.`,
    )
  const [category, name, ...rest] = clean.slice(ROOT.length + 1).split('/')
  if (!category) return ok({ at: 'tree' })
  if (category !== 'public' && category !== 'custom')
    return err(`There is no ${ROOT}/${category}. Skills are under ${ROOT}/public and ${ROOT}/custom.`)
  if (!name) return ok({ at: 'category', category })
  const skill = skills.find(name)
  if (skill?.category !== category) return err(skills.off(name) ?? nowhere(category, name, skill))
  if (rest.length === 0) return ok({ at: 'skill', skill, path: '' })
  const climbed = climbedOut(rest)
  if (climbed !== null) return sibling(path, skill, climbed, skills)
  const inside = resolveInside(rest.join('/'))
  return inside.ok ? ok({ at: 'skill', skill, path: inside.value }) : err(inside.error)
}

function nowhere(category: string, name: string, skill: IndexEntry | undefined): string {
  const where = skill ? `It is at ${locationOf(skill)}.` : 'Use the location from the list of skills.'
  return `There is no skill at ${ROOT}/${category}/${name}. ${where}`
}

/** The path after its last ".." out of a skill's folder, normalized; null if it stays inside. */
export function climbedOut(segments: readonly string[]): readonly string[] | null {
  const kept: string[] = []
  let left = false
  for (const segment of segments) {
    if (segment === '..') left = kept.pop() === undefined || left
    else if (segment !== '.' && segment !== '') kept.push(segment)
  }
  return left ? kept : null
}

function firstName(after: readonly string[]): number {
  return after.findIndex((segment) => segment !== 'public' && segment !== 'custom')
}

/**
 * Resolves a link to another skill (`../other/SKILL.md`), as in repositories with many skills; null if it names none.
 * The folders there may differ from those here: the category is ignored, and one extra folder in front is accepted.
 * `after`: what follows the last "..".
 */
export function siblingOf(after: readonly string[], skills: SkillAccess): Result<SkillTarget, string> | null {
  const start = firstName(after)
  const names = start === -1 ? [] : after.slice(start, start + 2)
  for (const [at, name] of names.entries()) {
    const skill = skills.find(name)
    if (!skill) continue
    const rest = after.slice(start + at + 1)
    if (rest.length === 0) return ok({ at: 'skill', skill, path: '' })
    const inside = resolveInside(rest.join('/'))
    return inside.ok ? ok({ at: 'skill', skill, path: inside.value }) : err(inside.error)
  }
  for (const name of names) {
    const off = skills.off(name)
    if (off !== null) return err(off)
  }
  return null
}

function sibling(
  path: string,
  from: IndexEntry,
  after: readonly string[],
  skills: SkillAccess,
): Result<SkillTarget, string> {
  const found = siblingOf(after, skills)
  if (found) return found
  const wanted = after[firstName(after)] ?? after[0]
  if (wanted === undefined)
    return err(`${quoted(path)} leaves the skill "${from.name}" and names no other. List ${ROOT} with ls.`)
  return err(
    `${quoted(path)} leaves the skill "${from.name}" for ${quoted(wanted)}, and there is no skill with that name that you can use. Continue without it.`,
  )
}
