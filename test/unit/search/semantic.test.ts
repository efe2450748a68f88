// Guards the search by meaning: it only adds to the search by words, shows nothing invisible, and its failures stay its own.

import { describe, expect, it } from 'vitest'
import type { Ai, Vectorize, VectorizeIndex } from '@cloudflare/workers-types'
import {
  cloudflareIndex,
  type EmbeddingModel,
  type SemanticBindings,
  type VectorStore,
} from '../../../src/skills/search/cloudflare.ts'
import { rankByMeaning, semanticUpsert, type SemanticIndex } from '../../../src/skills/search/semantic.ts'
import type { IndexEntry } from '../../../src/skills/skill.ts'
import { entry } from '../skills-store/entries.ts'

function digest(letter: string): string {
  return letter.repeat(64)
}

const SLIDES = entry('slides', { description: 'Make presentations.', digest: digest('a') })
const TAXES = entry('taxes', { description: 'File a return.', digest: digest('b') })
const TRIPS = entry('trips', { description: 'Plan a journey.', digest: digest('c'), category: 'custom' })
const ALL = [SLIDES, TAXES, TRIPS]

/** Texts that begin with the same two letters are near each other, others are not. */
function vectorOf(text: string): number[] {
  const vector = Array.from({ length: 1_024 }, () => 0)
  const [first = 0, second = 0] = Array.from(text.toLowerCase(), (letter) => letter.charCodeAt(0))
  vector[(first * 31 + second) % 1_024] = 1
  return vector
}

interface World extends Required<SemanticBindings> {
  readonly embedded: string[][]
  readonly stored: Map<string, { values: number[]; namespace: string | undefined }>
}

/** Both bindings, as far as they are used: the model's `{shape, data}`, the store's matches by cosine in one namespace. */
function world(): World {
  const embedded: string[][] = []
  const stored: World['stored'] = new Map()
  return {
    embedded,
    stored,
    AI: {
      async run(_model, { text }) {
        embedded.push(text)
        return { shape: [text.length, 1_024], data: text.map(vectorOf), pooling: 'cls' }
      },
    },
    VECTORS: {
      async query(vector, { topK, namespace }) {
        const matches = Array.from(stored)
          .filter(([, one]) => one.namespace === namespace)
          .map(([id, { values }]) => ({
            id,
            score: values.reduce((sum, x, at) => sum + x * (vector[at] ?? 0), 0),
          }))
          .toSorted((a, b) => b.score - a.score)
          .slice(0, topK)
        return { matches, count: matches.length }
      },
      async upsert(vectors) {
        for (const { id, values, namespace } of vectors) stored.set(id, { values, namespace })
        return { mutationId: 'm' }
      },
    },
  }
}

async function names(
  skills: readonly IndexEntry[],
  query: string,
  semantic: SemanticIndex | null,
): Promise<string[]> {
  return (await rankByMeaning(skills, query, semantic)).map((hit) => hit.entry.name)
}

function thatFinds(...digests: string[]): SemanticIndex {
  return { nearest: async () => digests.map((one) => one.slice(0, 20)), upsert: async () => {} }
}

describe('the platform’s own bindings', () => {
  it('fit the shapes that are asked of them', () => {
    const store = (one: Vectorize | VectorizeIndex): VectorStore => one
    const model = (one: Ai): EmbeddingModel => one
    expect([store, model]).toHaveLength(2)
  })

  it('that are missing, one or both, make no index', () => {
    const { AI, VECTORS } = world()
    expect(cloudflareIndex({}, 'team')).toBeNull()
    expect(cloudflareIndex({ AI }, 'team')).toBeNull()
    expect(cloudflareIndex({ VECTORS }, 'team')).toBeNull()
    expect(cloudflareIndex({ AI, VECTORS }, 'team')).not.toBeNull()
  })
})

describe('skills put in by their meaning', () => {
  it('are found by it, built-in ones and the workspace’s own', async () => {
    const env = world()
    const index = cloudflareIndex(env, 'team')
    expect(await semanticUpsert(index, ALL)).toBe(true)
    expect(await names(ALL, 'tangled numbers', index)).toEqual(['taxes', 'slides', 'trips'])
    expect((await index?.nearest('trips', 2))?.[0]).toBe('c'.repeat(20))
  })

  it('of one workspace are not asked for in another', async () => {
    const env = world()
    await semanticUpsert(cloudflareIndex(env, 'team'), [TRIPS])
    expect(await cloudflareIndex(env, 'other')?.nearest('trips', 5)).toEqual([])
  })

  it('of equal bytes in two workspaces stand side by side, under ids that the store takes', async () => {
    const env = world()
    for (const workspace of ['w'.repeat(40), 'x'.repeat(40)])
      await semanticUpsert(cloudflareIndex(env, workspace), [TRIPS])
    expect(env.stored.size).toBe(2)
    for (const id of env.stored.keys()) expect(id.length).toBeLessThanOrEqual(64)
  })

  it('go to the model in batches, and again without doubling', async () => {
    const env = world()
    const many = Array.from({ length: 120 }, (_, at) =>
      entry(`s-${at}`, { digest: at.toString(16).padStart(20, '0').padEnd(64, 'e') }),
    )
    const index = cloudflareIndex(env, 'team')
    await semanticUpsert(index, many)
    await semanticUpsert(index, many)
    expect(env.embedded.map((batch) => batch.length)).toEqual([50, 50, 20, 50, 50, 20])
    expect(env.stored.size).toBe(120)
  })
})

describe('the two answers together', () => {
  it('put first what both found, and say that its meaning spoke for it', async () => {
    const skills = [entry('journal', { description: 'Write about a journey.', digest: digest('d') }), ...ALL]
    const hits = await rankByMeaning(skills, 'journey', thatFinds(digest('c'), digest('b')))
    expect(hits.map((hit) => hit.entry.name)).toEqual(['trips', 'journal', 'taxes'])
    expect(hits[0]?.why.map((one) => one.field)).toEqual(['description', 'meaning'])
  })

  it('find what no word finds', async () => {
    expect(await names(ALL, 'xyzzy', null)).toEqual([])
    expect(await names(ALL, 'xyzzy', thatFinds(digest('b')))).toEqual(['taxes'])
  })

  it('keep the first by words and the first by meaning, though dozens of lower ones are in both', async () => {
    const skills = Array.from({ length: 40 }, (_, at) =>
      entry(`s-${String(at).padStart(2, '0')}`, {
        description: 'sail',
        digest: at.toString(16).padStart(20, '0').padEnd(64, 'e'),
      }),
    )
    const lower = skills.slice(20).map((one) => one.digest)
    const found = await names([...skills, SLIDES], 'sail', thatFinds(SLIDES.digest, ...lower))
    expect(found).toEqual(expect.arrayContaining(['s-00', 's-01', 'slides']))
  })

  it('never show a skill that is not visible', async () => {
    expect(await names([SLIDES], 'xyzzy', thatFinds(digest('b'), digest('c'), digest('a')))).toEqual([
      'slides',
    ])
  })

  it('keep to a demanded part of the name, and leave names that were asked for alone', async () => {
    const all = thatFinds(digest('a'), digest('b'), digest('c'))
    expect(await names(ALL, '+tri xyzzy', all)).toEqual(['trips'])
    expect(await names(ALL, 'select:taxes', all)).toEqual(['taxes'])
    expect(await names(ALL, '', all)).toEqual([])
  })
})

describe('a search by meaning that fails', () => {
  const words = ['slides']
  it.each<[string, SemanticIndex]>([
    [
      'throws',
      { nearest: () => Promise.reject(new Error('down')), upsert: () => Promise.reject(new Error('down')) },
    ],
    ['never answers', { nearest: () => new Promise(() => {}), upsert: async () => {} }],
    ['knows nothing', { nearest: async () => [], upsert: async () => {} }],
  ])('because it %s leaves the answer by words', async (_, index) => {
    expect(await names(ALL, 'presentations', index)).toEqual(words)
  })

  it.each<[string, EmbeddingModel]>([
    ['no data', { run: async () => ({}) }],
    ['another size', { run: async () => ({ data: [[1, 2, 3]] }) }],
    ['what is no number', { run: async () => ({ data: [Array.from({ length: 1_024 }, () => 'x')] }) }],
    ['an error', { run: () => Promise.reject(new Error('quota')) }],
  ])('because the model gives %s leaves the answer by words, and nothing is stored', async (_, AI) => {
    const { VECTORS, stored } = world()
    const index = cloudflareIndex({ AI, VECTORS }, 'team')
    expect(await names(ALL, 'presentations', index)).toEqual(words)
    expect(await semanticUpsert(index, ALL)).toBe(false)
    expect(stored.size).toBe(0)
  })
})
