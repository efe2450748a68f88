// Compares the files of two versions by hash. Reads no content.

import type { ManifestFile } from '../skill.ts'

export interface FileDiff {
  readonly path: string
  readonly change: 'added' | 'removed' | 'changed' | 'same'
  /** SHA-256 of the content before and after, or null if the file does not exist. */
  readonly before: string | null
  readonly after: string | null
}

function changeOf(before: string | null, after: string | null): FileDiff['change'] {
  if (before === null) return 'added'
  if (after === null) return 'removed'
  return before === after ? 'same' : 'changed'
}

/** How each file of either version changed, sorted by path. */
export function diffFiles(
  before: readonly ManifestFile[],
  after: readonly ManifestFile[],
): readonly FileDiff[] {
  const hashesBefore = new Map(before.map((file) => [file.path, file.sha256]))
  const hashesAfter = new Map(after.map((file) => [file.path, file.sha256]))
  return Array.from(new Set([...hashesBefore.keys(), ...hashesAfter.keys()]))
    .toSorted()
    .map((path) => {
      const hashBefore = hashesBefore.get(path) ?? null
      const hashAfter = hashesAfter.get(path) ?? null
      return { path, change: changeOf(hashBefore, hashAfter), before: hashBefore, after: hashAfter }
    })
}
