// Decides whether a skill may overwrite existing files, by comparing three digests: lock, disk and incoming.
// Pure.

export interface SkillState {
  /** The skill's entry in the lock, or null if it has none. */
  readonly lock: { readonly digest: string; readonly source: string } | null
  /** The skill's folder on disk, or null if there is none. Its `digest` is null if it contains no skill. */
  readonly disk: { readonly digest: string | null } | null
  readonly incoming: { readonly digest: string; readonly source: string }
  readonly update: boolean
  readonly force: boolean
}

/** `write` the files, `keep` them because they are equal already, or `refuse` to change anything. */
export type ItemVerdict =
  | { readonly action: 'write'; readonly label: 'new' | 'restored' | 'updated' | 'overwritten' }
  | { readonly action: 'keep'; readonly label: 'same' }
  | { readonly action: 'refuse'; readonly reason: string }

export function decideVerdict({ lock, disk, incoming, update, force }: SkillState): ItemVerdict {
  // Refused even if the bytes are equal, because the lock records which source's later changes are trusted.
  if (lock && lock.source !== incoming.source && !force)
    return {
      action: 'refuse',
      reason: `was added from ${lock.source}, not from ${incoming.source}; pass --force to change its source`,
    }
  if (disk?.digest === incoming.digest) return { action: 'keep', label: 'same' }
  const isEdited = disk !== null && disk.digest !== lock?.digest
  if (isEdited) {
    if (force) return { action: 'write', label: 'overwritten' }
    const why = lock
      ? 'was edited here since it was added; pass --force to overwrite the edits'
      : 'already exists and was not added by this command; pass --force to overwrite it'
    return { action: 'refuse', reason: why }
  }
  if (lock && lock.digest !== incoming.digest) {
    if (update || force) return { action: 'write', label: 'updated' }
    const why = 'changed at its source since it was added; review the change, then pass --update'
    return { action: 'refuse', reason: why }
  }
  return { action: 'write', label: lock ? 'restored' : 'new' }
}
