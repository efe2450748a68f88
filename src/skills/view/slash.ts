// Finds the skills that a person calls in a message and checks whether that is allowed. Its messages are for people;
// the model never reads them.

import { err, ok, type Result } from '../../lib/result.ts'
import { didYouMean } from '../../lib/suggest.ts'
import { CALLED_SKILLS_MAX } from '../../limits/skills.ts'
import { quoted } from '../format/finding.ts'
import { RESERVED_NAMES } from '../format/reserved-names.ts'
import type { IndexEntry, SkillIndex } from '../skill.ts'
import { skillNamed, switchedOff, visibleSkill, visibleSkills } from './visibility.ts'

/** A skill that a message calls. `path` is the field that an error names. */
export interface SkillCall {
  readonly name: string
  readonly via: 'slash' | 'request'
  readonly path: string
}

const COMMAND = /\/([a-z0-9]+(?:-[a-z0-9]+)*)(?:\s+|$)/y

/**
 * The commands at the very start of a text, and the text after them. A path (`/etc/hosts is …`) is not a command. Stops
 * after CALLED_SKILLS_MAX + 1 names, which is enough to refuse too many.
 */
export function slashCommands(text: string): { readonly names: readonly string[]; readonly rest: string } {
  const names = new Set<string>()
  let end = 0
  while (names.size <= CALLED_SKILLS_MAX) {
    COMMAND.lastIndex = end
    const name = COMMAND.exec(text)?.[1]
    if (name === undefined || RESERVED_NAMES.has(name)) break
    names.add(name)
    end = COMMAND.lastIndex
  }
  return { names: [...names], rest: text.slice(end) }
}

/** The skill that a person calls in a thread with this allow-list, or why it cannot be called. */
export function calledSkill(
  index: SkillIndex,
  allow: readonly string[] | null,
  name: string,
): Result<IndexEntry, string> {
  const audience = { allow, invoked: [name] }
  const entry = visibleSkill(index, audience, name)
  if (entry?.user_invocable) return ok(entry)
  const what = quoted(name)
  if (entry)
    return err(
      `Skill ${what} cannot be called by name: the agent loads it when it needs it. Describe the task instead.`,
    )
  if (switchedOff(index, audience, name))
    return err(`Skill ${what} is switched off. Ask someone who may edit skills to switch it on.`)
  if (skillNamed(index, name))
    return err(
      `Skill ${what} is not available in this thread, because the thread's list of skills does not contain it. Start a new thread to use it.`,
    )
  return err(
    `There is no skill ${what}.${didYouMean(
      name,
      callableSkills(index, allow).map((skill) => skill.name),
    )}`,
  )
}

/** The skills that a person may call by name, in index order, including those hidden from the model. */
export function callableSkills(index: SkillIndex, allow: readonly string[] | null): readonly IndexEntry[] {
  const hidden = index.skills.filter((entry) => !entry.model_invocable).map((entry) => entry.name)
  const audience = { allow, invoked: hidden }
  return visibleSkills(index, audience).filter((entry) => entry.user_invocable)
}
