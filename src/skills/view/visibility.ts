// The one function that decides whether the model may know of a skill. Prefix, notices, load, read and ls all ask it.

import type { IndexEntry, SkillIndex } from '../skill.ts'

export interface Audience {
  /** Names this thread may see; null: every skill. */
  readonly allow: readonly string[] | null
}

export function visible(
  entry: Pick<IndexEntry, 'name' | 'enabled' | 'model_invocable'>,
  audience: Audience,
): boolean {
  return (
    entry.enabled && entry.model_invocable && (audience.allow === null || audience.allow.includes(entry.name))
  )
}

/** What this audience may know of an index, in the index's order. */
export function visibleSkills(index: SkillIndex, audience: Audience): readonly IndexEntry[] {
  return index.skills.filter((entry) => visible(entry, audience))
}
