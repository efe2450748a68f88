// Reads and writes the canonical JSON of an index. Equal indexes have equal bytes, so the SHA-256 can be the
// address.

import { isSha256 } from '../../lib/bytes.ts'
import type { IndexEntry, SkillIndex } from '../skill.ts'
import { readEntry } from './index-shape.ts'
import { toolsOf, toolsText } from './index-tools.ts'

/** A shard of a large index: its address, the first name in it and the number of its entries. */
export interface IndexShard {
  readonly sha256: string
  readonly first: string
  readonly count: number
}

/** The root of an index in shards: the shards in order, and the tools. */
export interface IndexRoot {
  readonly shards: readonly IndexShard[]
  readonly tools?: SkillIndex['tools'] | undefined
}

/** The content of one stored object of an index: entries, or the list of its shards. */
export type IndexObject = SkillIndex | IndexRoot

/** Entries sorted by name (UTF-16 code units), which is the order of every index. */
export function byName(skills: readonly IndexEntry[]): readonly IndexEntry[] {
  return skills.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/** The JSON of one entry, with keys in a fixed order and no spaces. Throws for an invalid entry, which is a bug. */
export function entryText(entry: IndexEntry): string {
  const stored = readEntry(entry)
  if (!stored) throw new Error(`the index entry of "${entry.name}" has a field of the wrong shape`)
  return JSON.stringify(stored)
}

/** The JSON of an index from the JSON of its entries, which must be sorted by name. */
export function textOfEntries(entries: readonly string[], tools?: SkillIndex['tools']): string {
  return `{"format":1,"skills":[${entries.join(',')}]${toolsText(tools)}}`
}

/** The JSON of an index: entries sorted by name, keys in a fixed order, no spaces. Names must be distinct. */
export function indexText(index: SkillIndex): string {
  return textOfEntries(byName(index.skills).map(entryText), index.tools)
}

export function rootText({ shards, tools }: IndexRoot): string {
  const listed = JSON.stringify(shards.map(({ sha256, first, count }) => ({ sha256, first, count })))
  return `{"format":2,"shards":${listed}${toolsText(tools)}}`
}

/** Parses an object of an index; null if its shape or format is wrong, or its names are unsorted or repeated. */
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
  for (const item of listed) {
    const entry = readEntry(item)
    // No name is empty, so the first one is greater than ''.
    if (!entry || entry.name <= last) return null
    last = entry.name
    skills.push(entry)
  }
  return { format: 1, skills }
}

function listOfShards(listed: unknown): { readonly shards: readonly IndexShard[] } | null {
  if (!Array.isArray(listed) || listed.length === 0) return null
  const shards: IndexShard[] = []
  for (const item of listed as readonly Partial<Record<keyof IndexShard, unknown>>[]) {
    const { sha256, first, count } = item ?? {} // Each field is checked below.
    if (typeof sha256 !== 'string' || !isSha256(sha256)) return null
    if (typeof first !== 'string' || typeof count !== 'number') return null
    shards.push({ sha256, first, count })
  }
  return { shards }
}

/** Joins all shards into one index; null if a shard does not match the root or the names are out of order. */
export function joinShards(
  { shards, tools }: IndexRoot,
  parts: readonly (IndexObject | null)[],
): SkillIndex | null {
  if (parts.length !== shards.length) return null
  const skills: IndexEntry[] = []
  for (const [position, shard] of shards.entries()) {
    const read = parts[position]
    const part = read && 'skills' in read ? read.skills : []
    if (part.length !== shard.count || part[0]?.name !== shard.first) return null
    if ((skills.at(-1)?.name ?? '') >= shard.first) return null
    for (const entry of part) skills.push(entry)
  }
  return tools ? { format: 1, skills, tools } : { format: 1, skills }
}
