// The canonical JSON text of an index: equal content gives equal bytes, so its SHA-256 is its address.

import { isSha256 } from '../../lib/bytes.ts'
import type { IndexEntry, SkillIndex } from '../skill.ts'
import { readEntry } from './index-shape.ts'
import { toolsOf, toolsText } from './index-tools.ts'

/** A part of a large index: its address, its first name and its number of entries. */
export interface IndexShard {
  readonly sha256: string
  readonly first: string
  readonly count: number
}

/** An index in shards: the shards in order, and its tools. */
export interface IndexRoot {
  readonly shards: readonly IndexShard[]
  readonly tools?: SkillIndex['tools'] | undefined
}

/** The content of one object of an index: all of its entries, or the list of its shards in order. */
export type IndexObject = SkillIndex | IndexRoot

/** Entries by name (code units), the order of every index. */
export function byName(skills: readonly IndexEntry[]): readonly IndexEntry[] {
  return skills.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/** The JSON of one entry: keys in a fixed order, no spaces. Throws for an invalid entry, which is a bug. */
export function entryText(entry: IndexEntry): string {
  const kept = readEntry(entry)
  if (!kept) throw new Error(`the index entry of "${entry.name}" has a field of the wrong shape`)
  return JSON.stringify(kept)
}

/** The index of entries with these texts, already sorted by name. */
export function textOfEntries(entries: readonly string[], tools?: SkillIndex['tools']): string {
  return `{"format":1,"skills":[${entries.join(',')}]${toolsText(tools)}}`
}

/** The JSON text of an index: sorted by name (code units), keys in a fixed order, no spaces. Names are distinct. */
export function indexText(index: SkillIndex): string {
  return textOfEntries(byName(index.skills).map(entryText), index.tools)
}

export function rootText({ shards, tools }: IndexRoot): string {
  const listed = JSON.stringify(shards.map(({ sha256, first, count }) => ({ sha256, first, count })))
  return `{"format":2,"shards":${listed}${toolsText(tools)}}`
}

/** Null for a text that is not an object of an index: wrong shape, unknown format, unsorted or repeated names. */
export function parseIndexObject(text: string): IndexObject | null {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof json !== 'object' || json === null || !('format' in json)) return null
  const tools = toolsOf(json)
  if (!tools) return null
  const read =
    json.format === 1 && 'skills' in json
      ? wholeIndex(json.skills)
      : json.format === 2 && 'shards' in json
        ? listOfShards(json.shards)
        : null
  return read && { ...read, ...tools }
}

function wholeIndex(listed: unknown): SkillIndex | null {
  if (!Array.isArray(listed)) return null
  const skills: IndexEntry[] = []
  let last = ''
  for (const one of listed) {
    const entry = readEntry(one)
    // No name is empty, so the first one is greater.
    if (!entry || entry.name <= last) return null
    last = entry.name
    skills.push(entry)
  }
  return { format: 1, skills }
}

function listOfShards(listed: unknown): { readonly shards: readonly IndexShard[] } | null {
  if (!Array.isArray(listed) || listed.length === 0) return null
  const shards: IndexShard[] = []
  for (const one of listed as readonly Partial<Record<keyof IndexShard, unknown>>[]) {
    const { sha256, first, count } = one ?? {} // each field is checked right here
    if (typeof sha256 !== 'string' || !isSha256(sha256)) return null
    if (typeof first !== 'string' || typeof count !== 'number') return null
    shards.push({ sha256, first, count })
  }
  return { shards }
}

/** The index of all shards; null when one does not match the root, or their names are out of order. */
export function joinShards(
  { shards, tools }: IndexRoot,
  parts: readonly (IndexObject | null)[],
): SkillIndex | null {
  if (parts.length !== shards.length) return null
  const skills: IndexEntry[] = []
  for (const [at, shard] of shards.entries()) {
    const read = parts[at]
    const part = read && 'skills' in read ? read.skills : []
    if (part.length !== shard.count || part[0]?.name !== shard.first) return null
    if ((skills.at(-1)?.name ?? '') >= shard.first) return null
    for (const entry of part) skills.push(entry)
  }
  return tools ? { format: 1, skills, tools } : { format: 1, skills }
}
