// The size of an index, and the error for one that is too large. Pure; known entries cost a look-up.

import { utf8 } from '../../lib/bytes.ts'
import { INDEX_BYTES_MAX, INDEX_SKILLS_MAX } from './limits.ts'
import type { IndexEntry, SkillIndex, ToolEntry } from '../skill.ts'
import { entryText } from './index-json.ts'
import { toolText } from './index-tools.ts'

export interface IndexSize {
  readonly skills: number
  /** Of its JSON, accurate to a few bytes for each skill. */
  readonly bytes: number
}

export const INDEX_SIZE_MAX: IndexSize = { skills: INDEX_SKILLS_MAX, bytes: INDEX_BYTES_MAX }

// Entries are immutable, and most are the same objects in the next index.
const known = new WeakMap<IndexEntry | ToolEntry, number>()

function weighed<T extends IndexEntry | ToolEntry>(entry: T, text: (entry: T) => string): number {
  const found = known.get(entry)
  if (found !== undefined) return found
  const bytes = utf8(text(entry)).byteLength + 1 // and a comma
  known.set(entry, bytes)
  return bytes
}

/** Each switch counts as `false`, the longer literal, so that switching never enlarges an index. */
const skillText = (entry: IndexEntry): string =>
  entryText({ ...entry, enabled: false, shareable: false, shadows: false })
const switchedOffTool = (entry: ToolEntry): string => toolText({ ...entry, enabled: false })

export function indexSize({ skills, tools = [] }: SkillIndex): IndexSize {
  let bytes = 0
  for (const entry of skills) bytes += weighed(entry, skillText)
  for (const entry of tools) bytes += weighed(entry, switchedOffTool)
  return { skills: skills.length, bytes }
}

/**
 * Which limit it exceeds; null if there is none. An index that did not grow since `before` passes, so that it can shrink step by
 * step.
 */
export function indexProblem(
  size: IndexSize,
  before: () => IndexSize = () => ({ skills: 0, bytes: 0 }),
  max: IndexSize = INDEX_SIZE_MAX,
): string | null {
  if (size.skills <= max.skills && size.bytes <= max.bytes) return null
  const was = before()
  if (size.skills > max.skills && size.skills > was.skills)
    return `would have ${size.skills} skills; a workspace may have ${max.skills}, those of the build included.`
  if (size.bytes > max.bytes && size.bytes > was.bytes)
    return `would have ${size.bytes} bytes; a workspace may have ${max.bytes}, the build's skills and all tools included.`
  return null
}
