// Suggests names that are similar to a name that does not exist. Uses only the candidates, which callers must
// filter by visibility.

import { SUGGESTIONS_MAX } from '../limits/skills.ts'

/** Levenshtein distance in UTF-16 units, for short texts (skill names, paths). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

function normalize(text: string): string {
  return text.toLowerCase().replace(/[\s_]+/g, '-')
}

/**
 * The distance of two names, or Infinity if their lengths differ by more than `maxDistance`. This saves time,
 * because there may be 10,000 names.
 */
function distanceBetweenNames(wanted: string, candidate: string, maxDistance: number): number {
  if (candidate.includes(wanted) || (candidate.length > 2 && wanted.includes(candidate))) return 0
  const boundedDistance = (a: string, b: string): number =>
    Math.abs(a.length - b.length) > maxDistance ? Number.POSITIVE_INFINITY : distance(a, b)
  const fullDistance = boundedDistance(wanted, candidate)
  if (!wanted.includes('/') && !candidate.includes('/')) return fullDistance
  const candidateLastSegment = candidate.split('/').at(-1) ?? candidate
  return Math.min(
    fullDistance,
    boundedDistance(wanted.split('/').at(-1) ?? wanted, candidateLastSegment) + 0.5,
  )
}

/**
 * Returns at most three names, nearest first, whose distance is at most a third of the wanted name's length
 * (at least 2).
 */
export function findCloseNames(wanted: string, candidates: readonly string[]): readonly string[] {
  // Longer text is not a name, and the distance table grows with it.
  const target = normalize(wanted).slice(0, 256)
  if (target === '') return []
  const maxDistance = Math.max(2, Math.floor(target.length / 3))
  return candidates
    .map((name) => ({ name, score: distanceBetweenNames(target, normalize(name), maxDistance) }))
    .filter((candidate) => candidate.score <= maxDistance)
    .toSorted((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1))
    .slice(0, SUGGESTIONS_MAX)
    .map((candidate) => candidate.name)
}

/** Returns ` Did you mean a, b?`, or an empty string. To be appended to a sentence. */
export function didYouMean(wanted: string, candidates: readonly string[]): string {
  const names = findCloseNames(wanted, candidates)
  return names.length > 0 ? ` Did you mean ${names.join(', ')}?` : ''
}
