// Describes to the caller what a change did, or would do. Makes no decisions.

import { CHANGED_NAMES_LISTED_MAX } from '../../limits/skills.ts'
import { isShared } from '../view/visibility.ts'
import type { Changed, Changes } from './api.ts'
import type { ChangeOutcome } from './core.ts'
import { entryIn } from './merge.ts'
import type { Overlay } from './merge.ts'
import type { SkillEdit } from './plan.ts'
import type { ToolChanges } from './tools-api.ts'

/** `named` are the names of the skills in the request, and `tools` its tools after the change. */
export function changedBy(
  outcome: ChangeOutcome,
  named: readonly string[],
  tools: Changed['tools'],
): Changed {
  const { live, change, build, overlay } = outcome
  const changedSkills = new Set(change?.edits.map((edit) => edit.skill))
  const entries = named.map((name) => entryIn(build, overlay, name))
  return {
    ...live,
    skill: entries.length === 1 ? (entries[0] ?? null) : null,
    states: entries.flatMap((entry) => {
      if (!entry) return []
      const { enabled, shareable, shadows, updated_at } = entry
      return [{ created: changedSkills.has(entry.name), enabled, shareable, shadows, updated_at }]
    }),
    changes: changesOf(outcome),
    tools,
    toolChanges: toolChangesOf(outcome),
  }
}

/** The names of changed skills by kind of change, sorted, up to CHANGED_NAMES_LISTED_MAX of each. */
function changesOf({ change, build, before, overlay }: ChangeOutcome): Changes {
  const changes: Record<keyof Changes, string[]> = {
    added: [],
    changed: [],
    removed: [],
    switched: [],
    shared: [],
    unshared: [],
  }
  const isSharedIn = (overlayThen: Overlay, skill: string): boolean => {
    const entry = entryIn(build, overlayThen, skill)
    return entry !== null && isShared(entry)
  }
  for (const edit of (change?.edits ?? []).toSorted((a, b) => (a.skill < b.skill ? -1 : 1))) {
    const { skill } = edit
    const [wasShared, isSharedNow] = [isSharedIn(before, skill), isSharedIn(overlay, skill)]
    changes[kindOf(edit)].push(skill)
    if (wasShared !== isSharedNow) changes[isSharedNow ? 'shared' : 'unshared'].push(skill)
  }
  for (const names of Object.values(changes)) names.splice(CHANGED_NAMES_LISTED_MAX)
  return changes
}

function toolChangesOf({ change }: ChangeOutcome): ToolChanges {
  const changes: Record<keyof ToolChanges, string[]> = { added: [], changed: [], removed: [], switched: [] }
  for (const edit of (change?.tools ?? []).toSorted((a, b) => (a.tool < b.tool ? -1 : 1)))
    changes[kindOf(edit)].push(edit.tool)
  return changes
}

function kindOf({ before, after }: Pick<SkillEdit, 'before' | 'after'>): keyof ToolChanges {
  if (after === null) return 'removed'
  if (before === null) return 'added'
  return before === after ? 'switched' : 'changed'
}
