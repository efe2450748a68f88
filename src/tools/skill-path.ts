// Paths of the tree that the model sees. Paths are data: they are looked up in a manifest, never made into a key.

import { err, ok, type Result } from '../lib/result.ts'
import type { SkillAccess } from '../skills/view/access.ts'
import { resolveInside } from '../skills/format/path.ts'
import type { IndexEntry } from '../skills/skill.ts'

export type SkillPlace =
  | { readonly at: 'tree' }
  | { readonly at: 'category'; readonly category: 'public' | 'custom' }
  | { readonly at: 'skill'; readonly skill: IndexEntry; readonly path: string }

const ROOT = '/mnt/skills'

/** Where an absolute path points, in words for the model when it points nowhere. `path` is empty for a skill's root. */
export function placeOf(path: string, skills: SkillAccess): Result<SkillPlace, string> {
  const clean = path.replace(/\/+$/, '')
  if (clean !== ROOT && !clean.startsWith(`${ROOT}/`))
    return err(
      `${path} is not a file you can read. Files of skills lie under ${ROOT}/public and ${ROOT}/custom.`,
    )
  const [category, name, ...rest] = clean.slice(ROOT.length + 1).split('/')
  if (!category) return ok({ at: 'tree' })
  if (category !== 'public' && category !== 'custom')
    return err(`There is no ${ROOT}/${category}. Skills lie under ${ROOT}/public and ${ROOT}/custom.`)
  if (!name) return ok({ at: 'category', category })
  const skill = skills.list().find((entry) => entry.name === name && entry.category === category)
  if (!skill)
    return err(
      `There is no skill at ${ROOT}/${category}/${name}. Use the location that the list of skills gives.`,
    )
  if (rest.length === 0) return ok({ at: 'skill', skill, path: '' })
  const inside = resolveInside(rest.join('/'))
  return inside.ok ? ok({ at: 'skill', skill, path: inside.value }) : err(inside.error)
}
