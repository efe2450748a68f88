// Orders skills for suggestions: the most used first, then those whose authors wrote the most examples. Pure.

import type { IndexEntry } from '../skill.ts'

/** `used` lists names, the most used first; unknown names are ignored. The sort is stable. */
export function byUse<T extends Pick<IndexEntry, 'name' | 'card'>>(
  skills: readonly T[],
  used: readonly string[],
): readonly T[] {
  const ranks = new Map(used.map((name, rank) => [name, rank]))
  const rankOf = ({ name }: T): number => ranks.get(name) ?? used.length
  const examplesOf = ({ card }: T): number => card?.examples.length ?? 0
  return skills.toSorted((a, b) => rankOf(a) - rankOf(b) || examplesOf(b) - examplesOf(a))
}
