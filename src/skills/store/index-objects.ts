// Splits an index into the objects that the stores hold: one object, or a root and its shards when one would be too
// large. Reads nothing.

import { sha256Hex, utf8 } from '../../lib/bytes.ts'
import { INDEX_SHARD_BYTES } from './limits.ts'
import type { SkillIndex } from '../skill.ts'
import {
  byName,
  entryText,
  joinShards,
  parseIndexObject,
  rootText,
  textOfEntries,
  type IndexShard,
} from './index-json.ts'

export interface IndexObjects {
  /** SHA-256 of the last object, by which the index is found. */
  readonly address: string
  /** In write order: shards first, so that a reader that finds the root finds all of them. */
  readonly objects: readonly { readonly sha256: string; readonly bytes: Uint8Array<ArrayBuffer> }[]
}

/** The JSON around the entries of one object. */
const FRAME_BYTES = textOfEntries([]).length

/**
 * The objects of an index; equal content gives equal bytes. Up to `shardBytes` of UTF-8 it is one object, the text of
 * index-json.ts. A larger one is a root (format 2) that lists shards, each an index of consecutive names.
 */
export async function indexObjects(index: SkillIndex, shardBytes = INDEX_SHARD_BYTES): Promise<IndexObjects> {
  const objects: { sha256: string; bytes: Uint8Array<ArrayBuffer> }[] = []
  const shards: IndexShard[] = []
  const add = async (text: string): Promise<string> => {
    const bytes = utf8(text)
    const sha256 = await sha256Hex(bytes)
    objects.push({ sha256, bytes })
    return sha256
  }
  const { tools } = index
  const parts = split(index, shardBytes)
  // Only the last object has the tools.
  const ofAll = parts.length === 1 ? tools : undefined
  for (const { first, texts } of parts)
    shards.push({ sha256: await add(textOfEntries(texts, ofAll)), first, count: texts.length })
  const [only] = shards
  const address = only && shards.length === 1 ? only.sha256 : await add(rootText({ shards, tools }))
  return { address, objects }
}

interface Part {
  readonly first: string
  readonly texts: string[]
}

/** Consecutive entries, each part as full as possible. At least one part, and one entry in each. */
function split(index: SkillIndex, shardBytes: number): readonly Part[] {
  const skills = byName(index.skills)
  const parts: Part[] = [{ first: skills[0]?.name ?? '', texts: [] }]
  let bytes = FRAME_BYTES
  for (const entry of skills) {
    const text = entryText(entry)
    const size = utf8(text).byteLength + 1 // and a comma
    if (bytes + size > shardBytes && parts.at(-1)?.texts.length) {
      parts.push({ first: entry.name, texts: [] })
      bytes = FRAME_BYTES
    }
    parts.at(-1)?.texts.push(text)
    bytes += size
  }
  return parts
}

/** The index from the texts of its objects, in order; null when they do not form one. */
export function indexOfObjects(texts: readonly string[]): SkillIndex | null {
  const parsed = texts.map(parseIndexObject)
  const last = parsed.at(-1)
  if (!last || 'skills' in last) return parsed.length === 1 ? (last ?? null) : null
  return joinShards(last, parsed.slice(0, -1))
}
