// An index by meaning in memory, from any function that makes vectors of texts: what Vectorize is when deployed.

import { DIGEST_PREFIX, type SemanticIndex } from '../../src/skills/search/semantic.ts'
import type { IndexEntry } from '../../src/skills/skill.ts'

/** A text as a vector of length 1. */
export type Embed = (text: string) => Promise<Float64Array>

/** The text that stands for a skill: what it is called and the beginning of what it is for. Characters. */
const TEXT_MAX_CHARS = 300

export function textOf(entry: IndexEntry): string {
  return `${entry.name.replaceAll('-', ' ')}: ${entry.description}`.slice(0, TEXT_MAX_CHARS)
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}

/** Of length 1; zeros stay zeros. */
export function unit(vector: Float64Array): Float64Array {
  const length = Math.sqrt(dot(vector, vector)) || 1
  return vector.map((value) => value / length)
}

export function memoryIndex(embed: Embed): SemanticIndex {
  const stored = new Map<string, Float64Array>()
  return {
    async nearest(text, limit) {
      const asked = await embed(text)
      return Array.from(stored, ([id, vector]) => ({ id, near: dot(asked, vector) }))
        .toSorted((a, b) => b.near - a.near)
        .slice(0, limit)
        .map(({ id }) => id)
    },
    async upsert(entries) {
      for (const entry of entries)
        stored.set(entry.digest.slice(0, DIGEST_PREFIX), await embed(textOf(entry)))
    },
  }
}
