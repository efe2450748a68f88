// Splits an index into the objects to be stored: a single one, or a root and its shards if one would be too large.

import { sha256Hex, utf8 } from '../../lib/bytes.ts'
import { INDEX_SHARD_MAX_BYTES } from './limits.ts'
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
import { DETAILS_BEGINNING, storedTools } from './tool-details.ts'

export interface IndexObjects {
  /** The address of the index: the SHA-256 of the last object. */
  readonly address: string
  /**
   * The objects in the order in which they must be written: shards and definitions of tools come before the root, so
   * that a reader who finds the root finds them, too.
   */
  readonly objects: readonly { readonly sha256: string; readonly bytes: Uint8Array<ArrayBuffer> }[]
}

/** The bytes of JSON around the entries of one object. */
const FRAME_BYTES = textOfEntries([]).length

/**
 * The objects of an index. An index of up to `shardBytes` is a single object. A larger one is a root (format 2) that
 * lists shards, each of which is an index of consecutive names.
 */
export async function indexObjects(
  index: SkillIndex,
  shardBytes = INDEX_SHARD_MAX_BYTES,
): Promise<IndexObjects> {
  const objects: { sha256: string; bytes: Uint8Array<ArrayBuffer> }[] = []
  const shards: IndexShard[] = []
  const add = async (text: string): Promise<string> => {
    const bytes = utf8(text)
    const sha256 = await sha256Hex(bytes)
    objects.push({ sha256, bytes })
    return sha256
  }
  const { tools, objects: definitions } = await storedTools(index.tools ?? [])
  for (const text of definitions.values()) await add(text)
  const parts = split(index, shardBytes)
  // Only the last object contains the tools.
  const singleObjectTools = parts.length === 1 ? tools : undefined
  for (const { first, texts } of parts)
    shards.push({ sha256: await add(textOfEntries(texts, singleObjectTools)), first, count: texts.length })
  const [onlyShard] = shards
  const address = onlyShard && shards.length === 1 ? onlyShard.sha256 : await add(rootText({ shards, tools }))
  return { address, objects }
}

interface Part {
  readonly first: string
  readonly texts: string[]
}

/** Splits the entries into shards, each as full as possible. Returns at least one, which may be empty. */
function split(index: SkillIndex, shardBytes: number): readonly Part[] {
  const skills = byName(index.skills)
  const parts: Part[] = [{ first: skills[0]?.name ?? '', texts: [] }]
  let bytes = FRAME_BYTES
  for (const entry of skills) {
    const text = entryText(entry)
    const size = utf8(text).byteLength + 1 // Includes a comma.
    if (bytes + size > shardBytes && parts.at(-1)?.texts.length) {
      parts.push({ first: entry.name, texts: [] })
      bytes = FRAME_BYTES
    }
    parts.at(-1)?.texts.push(text)
    bytes += size
  }
  return parts
}

/**
 * The index from the JSON of its objects, in order, without the definitions in separate objects; null if they do not
 * form an index.
 */
export function indexOfObjects(texts: readonly string[]): SkillIndex | null {
  const parsed = texts.filter((text) => !text.startsWith(DETAILS_BEGINNING)).map(parseIndexObject)
  const last = parsed.at(-1)
  if (!last || 'skills' in last) return parsed.length === 1 ? (last ?? null) : null
  return joinShards(last, parsed.slice(0, -1))
}
