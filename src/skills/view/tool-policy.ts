// Which tools the skills that are being followed leave to the model. Pure; it narrows what there is and never grants.

import { escapeXml } from '../../lib/framework-tags.ts'
import { mappedTools, type KnownTools } from '../format/tool-names.ts'
import type { IndexEntry } from '../skill.ts'

type Declares = Pick<IndexEntry, 'name' | 'allowed_tools' | 'disallowed_tools'>

/** A tool that the active skills keep from the model: which of them do, and what is left. */
export interface Barred {
  readonly skills: readonly string[]
  /** Offered tools that the active skills name, besides those that are always allowed; null: this one is ruled out. */
  readonly left: readonly string[] | null
}

/**
 * Null where `tool` may be called. Of the active skills those count that declare `allowed-tools` with at least one name
 * that is a tool here, or an empty list; their names are united. A list of foreign names alone says nothing about our
 * tools and locks nobody out. `disallowed-tools` always counts.
 * `offered`: the tools of the thread, so that one made from settings can be named by its own name.
 */
export function barred(
  tool: string,
  active: readonly Declares[],
  offered: readonly string[],
  known: KnownTools,
): Barred | null {
  if (known.always.has(tool)) return null
  const ours = (names: readonly string[]): readonly string[] => [
    ...mappedTools(names, known).known,
    ...names.filter((name) => offered.includes(name)),
  ]
  const against = active.filter((skill) => ours(skill.disallowed_tools).includes(tool))
  if (against.length > 0) return { skills: against.map((skill) => skill.name), left: null }
  const declaring = active
    .map((skill) => ({ name: skill.name, declared: skill.allowed_tools }))
    .flatMap(({ name, declared }) => (declared === null ? [] : [{ name, declared, mapped: ours(declared) }]))
    .filter(({ declared, mapped }) => declared.length === 0 || mapped.length > 0)
  if (declaring.length === 0) return null
  const named = new Set(declaring.flatMap(({ mapped }) => mapped))
  if (named.has(tool)) return null
  const left = offered.filter((name) => named.has(name) && !known.always.has(name))
  return { skills: declaring.map(({ name }) => name), left }
}

/** For the model: the call was not made, and what would do instead. */
export function barredText(tool: string, { skills, left }: Barred): string {
  const one = skills.length === 1
  const which = `${one ? 'Skill' : 'Skills'} ${skills.map((name) => `"${escapeXml(name)}"`).join(', ')}`
  const what =
    left === null
      ? `${which} ${one ? 'rules' : 'rule'} this tool out until this answer ends.`
      : `${which} ${one ? 'leaves' : 'leave'} ${left.length === 0 ? 'no tool that acts' : `these tools: ${left.join(', ')}`}, besides reading and asking.`
  return `Error: Tool '${tool}' is not allowed by the active skill policy. ${what} Go on with what is left, or say what you could not do.`
}

/** The same where the policy only warns. */
export function barredNote({ skills }: Barred): string {
  return `\n\n[The active skill policy (${skills.map(escapeXml).join(', ')}) does not allow this tool. It ran because this workspace only warns.]`
}
