// Words of a catalog that are spelled almost like one it has not: a slip of the finger, or the same word of another language.

import { SEARCH_NEAR_MAX } from '../../limits.ts'
import type { Engine } from './engine.ts'

/** What the spellings of one word in several languages have in common: dokument, documento; analysis, análisis. */
function skeleton(word: string): string {
  return word
    .replace(/ph/g, 'f')
    .replace(/th/g, 't')
    .replace(/[kq]/g, 'c')
    .replace(/z/g, 's')
    .replace(/y/g, 'i')
    .replace(/(.)\1/g, '$1')
}

/** True when one letter put in, left out, changed or swapped makes `a` into `b`. */
function oneSlip(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  const restA = a.slice(start)
  const restB = b.slice(start)
  if (restA.length === restB.length) {
    if (restA.slice(1) === restB.slice(1)) return true
    return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2)
  }
  return restA.length > restB.length ? restA.slice(1) === restB : restA === restB.slice(1)
}

const MIN = 5

interface Skeletons {
  readonly term: string
  readonly bones: string
}

const built = new WeakMap<Engine, readonly Skeletons[]>()

function skeletons(engine: Engine): readonly Skeletons[] {
  let list = built.get(engine)
  if (!list) {
    list = engine
      .vocabulary()
      .filter((term) => term.length >= MIN - 1 && /^[a-z]+$/.test(term))
      .map((term) => ({ term, bones: skeleton(term) }))
      .toSorted((a, b) => (a.bones < b.bones ? -1 : a.bones > b.bones ? 1 : 0))
    built.set(engine, list)
  }
  return list
}

function shared(a: string, b: string): number {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at++
  return at
}

/** At most SEARCH_NEAR_MAX terms of the catalog, nearest first; none for short words. */
export function nearTerms(engine: Engine, word: string, foreign: boolean): readonly string[] {
  if (word.length < MIN || !/^[a-z]+$/.test(word)) return []
  const bones = skeleton(word)
  const list = skeletons(engine)
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle]?.bones ?? '') < bones) low = middle + 1
    else high = middle
  }
  const found: { term: string; score: number }[] = []
  const least = Math.max(MIN, Math.ceil(bones.length * 0.6))
  // Sorted by their bones, those with the longest common beginning stand around this place.
  for (const step of [-1, 1])
    for (let at = step < 0 ? low - 1 : low; at >= 0 && at < list.length; at += step) {
      const one = list[at]
      if (!one) break
      const common = shared(bones, one.bones)
      if (common < (foreign ? Math.min(least, MIN) : least)) break
      if (common >= least && one.bones.length - common <= 3)
        found.push({ term: one.term, score: common - (one.bones.length - common) })
    }
  if (found.length === 0 && !foreign)
    for (const { term } of list)
      if (
        term[0] === word[0] &&
        (oneSlip(word, term) || oneSlip(word.replace(/(?:ing|ed|es|s|e|y)$/, ''), term))
      )
        found.push({ term, score: term.length })
  return found
    .toSorted((a, b) => b.score - a.score || (a.term < b.term ? -1 : 1))
    .slice(0, SEARCH_NEAR_MAX)
    .map(({ term }) => term)
}
