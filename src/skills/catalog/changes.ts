// Describes what a change did, or would do, for the caller. Decides nothing.

import { CHANGED_NAMES_LISTED } from '../../limits/skills.ts'
import { isShared } from '../view/visibility.ts'
import type { Changed, Changes } from './api.ts'
import type { Done } from './core.ts'
import { entryIn } from './merge.ts'
import type { Overlay } from './merge.ts'
import { toolIn } from './merge-tools.ts'
import type { SkillEdit } from './plan.ts'
import type { ToolChanges } from './tools-api.ts'

/** `named`: the skills of the request; `tools`: its tools. */
export function changedBy(done: Done, named: readonly string[], tools: readonly string[]): Changed {
  const { live, change, build, overlay } = done
  const made = new Set(change?.edits.map((edit) => edit.skill))
  const entries = named.map((name) => entryIn(build, overlay, name))
  return {
    ...live,
    skill: entries.length === 1 ? (entries[0] ?? null) : null,
    states: entries.flatMap((entry) => {
      if (!entry) return []
      const { enabled, shareable, shadows, updated_at } = entry
      return [{ created: made.has(entry.name), enabled, shareable, shadows, updated_at }]
    }),
    changes: changesOf(done),
    tools: tools.map((name) => toolIn(build, overlay, name)),
    toolChanges: toolChangesOf(done),
  }
}

/** Each name once for each kind, sorted, up to the limit of a list. */
function changesOf({ change, build, before, overlay }: Done): Changes {
  const changes: Record<keyof Changes, string[]> = {
    added: [],
    changed: [],
    removed: [],
    switched: [],
    shared: [],
    unshared: [],
  }
  const isOpen = (at: Overlay, skill: string): boolean => {
    const entry = entryIn(build, at, skill)
    return entry !== null && isShared(entry)
  }
  for (const edit of (change?.edits ?? []).toSorted((a, b) => (a.skill < b.skill ? -1 : 1))) {
    const { skill } = edit
    const [was, is] = [isOpen(before, skill), isOpen(overlay, skill)]
    changes[kindOf(edit)].push(skill)
    if (was !== is) changes[is ? 'shared' : 'unshared'].push(skill)
  }
  for (const names of Object.values(changes)) names.splice(CHANGED_NAMES_LISTED)
  return changes
}

function toolChangesOf({ change }: Done): ToolChanges {
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
