// Finds the visible changes between two catalogs, and formats skills for a notice about them.

import { escapedLine } from '../../lib/framework-tags.ts'
import type { IndexEntry, SkillIndex } from '../skill.ts'
import { visibleSkills, type Audience } from './visibility.ts'

export interface IndexChanges {
  readonly added: readonly IndexEntry[]
  readonly removed: readonly string[]
  /** The changed skills, as they are in the new catalog. */
  readonly changed: readonly IndexEntry[]
}

/** The changes that this audience sees between two catalogs. Switching a skill on or off adds or removes it. */
export function changesBetween(before: SkillIndex, after: SkillIndex, audience: Audience): IndexChanges {
  const entriesBefore = new Map(visibleSkills(before, audience).map((entry) => [entry.name, entry]))
  const entriesAfter = visibleSkills(after, audience)
  const names = new Set(entriesAfter.map((entry) => entry.name))
  return {
    added: entriesAfter.filter((entry) => !entriesBefore.has(entry.name)),
    removed: Array.from(entriesBefore.keys()).filter((name) => !names.has(name)),
    changed: entriesAfter.filter((entry) => {
      const entryBefore = entriesBefore.get(entry.name)
      return (
        entryBefore !== undefined &&
        (entryBefore.digest !== entry.digest || entryBefore.category !== entry.category)
      )
    }),
  }
}

/** A skill's name and description for a notice, escaped, each on one line. */
export function shownInNotice(entry: IndexEntry): { readonly name: string; readonly description: string } {
  return { name: escapedLine(entry.name), description: escapedLine(entry.description) }
}
