// Decides whether a skill may overwrite existing files. Pure: three digests in, a verdict out.

export interface Situation {
  /** The lock's entry; null if the skill is not in it. */
  readonly lock: { readonly digest: string; readonly source: string } | null
  /** Its folder on disk; null: none. `digest` null: the folder is no skill. */
  readonly disk: { readonly digest: string | null } | null
  readonly incoming: { readonly digest: string; readonly source: string }
  readonly update: boolean
  readonly force: boolean
}

/** `write`: write it. `keep`: the same bytes exist. `refuse`: change nothing, with the reason. */
export type ItemVerdict =
  | { readonly action: 'write'; readonly word: 'new' | 'restored' | 'updated' | 'overwritten' }
  | { readonly action: 'keep'; readonly word: 'same' }
  | { readonly action: 'refuse'; readonly why: string }

export function verdictOn({ lock, disk, incoming, update, force }: Situation): ItemVerdict {
  // Even for equal bytes: the lock records whose later changes are trusted.
  if (lock && lock.source !== incoming.source && !force)
    return {
      action: 'refuse',
      why: `was brought from ${lock.source}, not from ${incoming.source}; --force takes it from there from now on`,
    }
  if (disk?.digest === incoming.digest) return { action: 'keep', word: 'same' }
  const isEdited = disk !== null && disk.digest !== lock?.digest
  if (isEdited) {
    if (force) return { action: 'write', word: 'overwritten' }
    const why = lock
      ? 'was edited here since it was brought; --force overwrites the edits'
      : 'is there already and was not brought by this command; --force overwrites it'
    return { action: 'refuse', why }
  }
  if (lock && lock.digest !== incoming.digest) {
    if (update || force) return { action: 'write', word: 'updated' }
    const why = 'changed at its source since it was brought; look at it, then take it with --update'
    return { action: 'refuse', why }
  }
  return { action: 'write', word: lock ? 'restored' : 'new' }
}
