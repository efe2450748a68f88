// Meaning by Workers AI and Vectorize, as far as this Worker is bound to them. The bindings come in by their shape:
// nothing here imports the platform.

import { EMBED_BATCH, EMBED_TEXT_MAX_CHARS } from '../../limits.ts'
import type { IndexEntry } from '../skill.ts'
import { DIGEST_PREFIX, type SemanticIndex } from './semantic.ts'
import { GROUPS } from './words.ts'

/** Multilingual, 1,024 numbers a text. The Vectorize index is made with 1,024 dimensions and the metric cosine. */
const MODEL = '@cf/baai/bge-m3'
const DIMENSIONS = 1_024

/** What is used of the binding `Ai`. */
export interface EmbeddingModel {
  run(model: typeof MODEL, input: { text: string[] }): Promise<unknown>
}

/** What is used of the binding `Vectorize`. */
export interface VectorStore {
  query(
    vector: number[],
    options: { topK: number; namespace: string },
  ): Promise<{ matches: { id: string; score: number }[] }>
  upsert(vectors: { id: string; values: number[]; namespace: string }[]): Promise<unknown>
}

export interface SemanticBindings {
  readonly AI?: EmbeddingModel
  readonly VECTORS?: VectorStore
}

// An id has at most 64 bytes and is unique in the whole index, so its owner stands in it: two workspaces may publish the
// same bytes. A workspace's name has at most 40 characters.
const BUILD = 'build'

function ownerOf(entry: IndexEntry, workspace: string): string {
  return entry.category === 'public' ? BUILD : workspaceOwner(workspace)
}

function workspaceOwner(workspace: string): string {
  return `ws.${workspace}`
}

/** The text that stands for a skill. */
function textOf(entry: IndexEntry): string {
  const words = entry.words.replaceAll(GROUPS, ' ')
  return `${entry.name.replaceAll('-', ' ')}: ${entry.description} ${entry.tags.join(', ')} ${words}`.slice(
    0,
    EMBED_TEXT_MAX_CHARS,
  )
}

function isVector(value: unknown): value is number[] {
  return (
    Array.isArray(value) && value.length === DIMENSIONS && value.every((number) => Number.isFinite(number))
  )
}

/** Throws when the answer is not one vector for each text. */
async function embed(model: EmbeddingModel, texts: readonly string[]): Promise<number[][]> {
  const answer = await model.run(MODEL, { text: [...texts] })
  const data: unknown = typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : null
  const vectors = Array.isArray(data) ? data.filter(isVector) : []
  if (vectors.length !== texts.length)
    throw new Error(
      `${MODEL} gave ${vectors.length} vectors of ${DIMENSIONS} numbers for ${texts.length} texts`,
    )
  return vectors
}

/** The skills of one workspace and those built in; null where the Worker lacks a binding. */
export function cloudflareIndex(env: SemanticBindings, workspace: string): SemanticIndex | null {
  const { AI: model, VECTORS: store } = env
  if (!model || !store) return null
  return {
    async nearest(text, limit) {
      const [vector] = await embed(model, [text.slice(0, EMBED_TEXT_MAX_CHARS)])
      if (!vector) return []
      const owners = [BUILD, workspaceOwner(workspace)]
      const answers = await Promise.all(
        owners.map((namespace) => store.query(vector, { topK: limit, namespace })),
      )
      return answers
        .flatMap(({ matches }) => matches)
        .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
        .slice(0, limit)
        .map(({ id }) => id.slice(id.indexOf(':') + 1))
    },
    async upsert(entries) {
      for (let at = 0; at < entries.length; at += EMBED_BATCH) {
        const batch = entries.slice(at, at + EMBED_BATCH)
        const vectors = await embed(model, batch.map(textOf))
        await store.upsert(
          batch.map((entry, i) => {
            const namespace = ownerOf(entry, workspace)
            const id = `${namespace}:${entry.digest.slice(0, DIGEST_PREFIX)}`
            return { id, values: vectors[i] ?? [], namespace }
          }),
        )
      }
    },
  }
}
