// Splits skills into commits that the server accepts.

import { COMMIT_FILES_MAX, COMMIT_SKILLS_MAX } from '../../src/api/routes/limits.ts'
import { COMMIT_BYTES_MAX } from '../../src/skills/publish/limits.ts'
import type { Sendable } from './gather.ts'

/** Splits the items in order, and fills each commit as far as possible. A single skill always fits. */
export function splitIntoCommits<T>(
  items: readonly T[],
  skillOf: (item: T) => Sendable,
): readonly (readonly T[])[] {
  const commits: T[][] = []
  let commit: T[] = []
  let [fileCount, bytes] = [0, 0]
  for (const item of items) {
    const skill = skillOf(item)
    const size = skill.files.reduce((sum, { blob }) => sum + blob.size, 0)
    const isFull =
      commit.length >= COMMIT_SKILLS_MAX ||
      fileCount + skill.files.length > COMMIT_FILES_MAX ||
      bytes + size > COMMIT_BYTES_MAX
    if (isFull && commit.length > 0) {
      commits.push(commit)
      commit = []
      fileCount = bytes = 0
    }
    commit.push(item)
    fileCount += skill.files.length
    bytes += size
  }
  if (commit.length > 0) commits.push(commit)
  return commits
}
