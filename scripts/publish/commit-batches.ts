// Splits skills into commits that the server accepts.

import { COMMIT_FILES_MAX, COMMIT_SKILLS_MAX } from '../../src/api/routes/limits.ts'
import { COMMIT_BYTES_MAX } from '../../src/skills/publish/limits.ts'
import type { Sendable } from './gather.ts'

/** Splits the items in order, and fills each commit as far as possible. A single skill always fits. */
export function parted<T>(items: readonly T[], skillOf: (item: T) => Sendable): readonly (readonly T[])[] {
  const parts: T[][] = []
  let part: T[] = []
  let [files, bytes] = [0, 0]
  for (const item of items) {
    const skill = skillOf(item)
    const size = skill.files.reduce((sum, { blob }) => sum + blob.size, 0)
    const isFull =
      part.length >= COMMIT_SKILLS_MAX ||
      files + skill.files.length > COMMIT_FILES_MAX ||
      bytes + size > COMMIT_BYTES_MAX
    if (isFull && part.length > 0) {
      parts.push(part)
      part = []
      files = bytes = 0
    }
    part.push(item)
    files += skill.files.length
    bytes += size
  }
  if (part.length > 0) parts.push(part)
  return parts
}
