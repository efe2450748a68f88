// Whose skills a change touches, and how: names for whoever asked for it. Decides nothing.

import { CHANGED_NAMES_LISTED } from '../../limits.ts'
import type { Changes } from './api.ts'
import type { Change, SkillChange } from './plans.ts'

/** Null: nothing changes. Each name is told once, as many as are listed of each kind. */
export function changesOf(change: Change | null): Changes {
  const names = (kind: keyof Changes): readonly string[] =>
    (change?.skills ?? [])
      .filter((one) => kindOf(one) === kind)
      .map((one) => one.skill)
      .toSorted()
      .slice(0, CHANGED_NAMES_LISTED)
  return {
    added: names('added'),
    changed: names('changed'),
    removed: names('removed'),
    switched: names('switched'),
  }
}

function kindOf({ before, after }: SkillChange): keyof Changes {
  if (after === null) return 'removed'
  if (before === null) return 'added'
  return before === after ? 'switched' : 'changed'
}
