// What a change came to, or would, for whoever asked for it. Decides nothing.

import { CHANGED_NAMES_LISTED } from '../../limits.ts'
import { sharedSkills } from '../view/visibility.ts'
import type { Changed, Changes } from './api.ts'
import type { Done } from './core.ts'
import { entryIn } from './merge.ts'
import type { Overlay } from './merge.ts'
import type { SkillEdit } from './plan.ts'

/** `named`: the skills that were asked to be changed. */
export function changedBy({ live, change, build, before, overlay }: Done, named: readonly string[]): Changed {
  const edits = change?.edits ?? []
  const made = new Set(edits.map((edit) => edit.skill))
  const entries = named.map((name) => entryIn(build, overlay, name))
  return {
    ...live,
    skill: entries.length === 1 ? (entries[0] ?? null) : null,
    states: entries.flatMap((entry) => {
      if (!entry) return []
      const { enabled, shareable, shadows, updated_at } = entry
      return [{ created: made.has(entry.name), enabled, shareable, shadows, updated_at }]
    }),
    changes: changesOf(edits, { build, before, overlay }),
  }
}

type Kind = Exclude<keyof Changes, 'shared' | 'unshared'>

/** Each name is told once of its kind, as many as are listed of each. */
function changesOf(
  edits: readonly SkillEdit[],
  { build, before, overlay }: Pick<Done, 'build' | 'before' | 'overlay'>,
): Changes {
  const names = (of: (edit: SkillEdit) => boolean): readonly string[] =>
    edits
      .filter(of)
      .map((edit) => edit.skill)
      .toSorted()
      .slice(0, CHANGED_NAMES_LISTED)
  const kind = (wanted: Kind): readonly string[] => names((edit) => kindOf(edit) === wanted)
  // Asked of those skills alone: what an index says of the others is the same before and after.
  const outside = (at: Overlay): ReadonlySet<string> => {
    const skills = edits.flatMap(({ skill }) => entryIn(build, at, skill) ?? [])
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

function kindOf({ before, after }: SkillEdit): Kind {
  if (after === null) return 'removed'
  if (before === null) return 'added'
  return before === after ? 'switched' : 'changed'
}
