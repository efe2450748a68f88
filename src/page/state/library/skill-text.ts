// What the page says about a skill: its title and what it does, in one line for people. Pure.

import type { SkillInfo } from '../../../skills/view/skill-info.ts'

type Described = Pick<SkillInfo, 'name' | 'description' | 'card'>

/** The author's title, or else the name. */
export function skillTitle({ name, card }: Described): string {
  return card?.title ?? name
}

/** The author's summary, or else the first sentence of the description, which is written for the model. */
export function skillSummary({ description, card }: Described): string {
  return card?.summary ?? description.split(/(?<=[.!?])\s/, 1)[0] ?? ''
}
