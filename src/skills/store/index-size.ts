// Computes the size of an index, and the error for an index that is too large. Pure. Caches the sizes of
// entries.

import { utf8 } from '../../lib/bytes.ts'
import { INDEX_BYTES_MAX, INDEX_SKILLS_MAX } from './limits.ts'
import type { IndexEntry, SkillIndex, ToolEntry } from '../skill.ts'
import { entryText } from './index-json.ts'
import { toolText } from './index-tools.ts'
import { entriesInIndex } from './tool-details.ts'

export interface IndexSize {
  readonly skills: number
  /** Bytes of its JSON, accurate to a few bytes for each skill. */
  readonly bytes: number
}

export const INDEX_SIZE_MAX: IndexSize = { skills: INDEX_SKILLS_MAX, bytes: INDEX_BYTES_MAX }

// The bytes of each entry. Entries are immutable, and most of them are also in the next index.
const sizes = new WeakMap<IndexEntry | ToolEntry, number>()

function sizeOf<T extends IndexEntry | ToolEntry>(entry: T, text: (entry: T) => string): number {
  const cachedBytes = sizes.get(entry)
  if (cachedBytes !== undefined) return cachedBytes
  const bytes = utf8(text(entry)).byteLength + 1 // Includes a comma.
  sizes.set(entry, bytes)
  return bytes
}

/**
 * The JSON of an entry with its flags set to `false`, the longer literal, so that switching never enlarges an index.
 */
const skillText = (entry: IndexEntry): string =>
  entryText({ ...entry, enabled: false, shareable: false, shadows: false })
const switchedOffTool = (entry: ToolEntry): string => toolText({ ...entry, enabled: false })

export function indexSize({ skills, tools = [] }: SkillIndex): IndexSize {
  let bytes = 0
  for (const entry of skills) bytes += sizeOf(entry, skillText)
  for (const entry of entriesInIndex(tools)) bytes += sizeOf(entry, switchedOffTool)
  return { skills: skills.length, bytes }
}

/**
 * The limit that an index would exceed, as the end of a sentence; null if it exceeds none. An index that is
 * not larger than `before` passes, so that an index that is too large can shrink step by step.
 */
export function indexProblem(
  size: IndexSize,
  before: () => IndexSize = () => ({ skills: 0, bytes: 0 }),
  max: IndexSize = INDEX_SIZE_MAX,
): string | null {
  if (size.skills <= max.skills && size.bytes <= max.bytes) return null
  const sizeBefore = before()
  if (size.skills > max.skills && size.skills > sizeBefore.skills)
    return `would have ${size.skills} skills; the limit is ${max.skills}, including the built-in skills.`
  if (size.bytes > max.bytes && size.bytes > sizeBefore.bytes)
    return `would have ${size.bytes} bytes; the limit is ${max.bytes}, including the built-in skills and all tools.`
  return null
}
