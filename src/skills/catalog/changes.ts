// Whose skills a change touches, and how: names for whoever asked for it. Decides nothing.

import { CHANGED_NAMES_LISTED } from '../../limits.ts'
import { sharedSkills } from '../view/visibility.ts'
import type { Changes } from './api.ts'
import type { Changed } from './core.ts'
import { entryIn } from './merge.ts'
import type { Overlay } from './merge.ts'
import type { SkillChange } from './plans.ts'

type Kind = Exclude<keyof Changes, 'shared' | 'unshared'>

/** Each name is told once of its kind, as many as are listed of each; none where nothing changes. */
export function changesOf({ change, build, before, overlay }: Omit<Changed, 'live'>): Changes {
  const touched = change?.skills ?? []
  const names = (of: (one: SkillChange) => boolean): readonly string[] =>
    touched
      .filter(of)
      .map((one) => one.skill)
      .toSorted()
      .slice(0, CHANGED_NAMES_LISTED)
  const kind = (wanted: Kind): readonly string[] => names((one) => kindOf(one) === wanted)
  // Asked of those skills alone: what an index says of the others is the same before and after.
  const outside = (at: Overlay): ReadonlySet<string> => {
    const skills = touched.flatMap(({ skill }) => entryIn(build, at, skill) ?? [])
    return new Set(sharedSkills({ format: 1, skills }).map((entry) => entry.name))
  }
  const [was, is] = [outside(before), outside(overlay)]
  return {
    added: kind('added'),
    changed: kind('changed'),
    removed: kind('removed'),
    switched: kind('switched'),
    shared: names(({ skill }) => is.has(skill) && !was.has(skill)),
    unshared: names(({ skill }) => was.has(skill) && !is.has(skill)),
  }
}

function kindOf({ before, after }: SkillChange): Kind {
  if (after === null) return 'removed'
  if (before === null) return 'added'
  return before === after ? 'switched' : 'changed'
}
