// The keys of skill bytes in the stores. They contain only scopes and hashes, never a name that a caller chose.

import { isSha256 } from '../../lib/bytes.ts'

/** Whose bytes they are: the build's or a workspace's. Blobs of one workspace are never read for another. */
export type Scope = 'build' | { readonly workspace: string }

function address(sha256: string): string {
  if (!isSha256(sha256)) throw new Error('a key was requested for a value that is not a SHA-256')
  return sha256
}

function prefix(scope: Scope): string {
  return scope === 'build' ? 'build' : `ws/${scope.workspace}`
}

/** The KV key of an index's JSON. */
export function indexKey(sha256: string): string {
  return `index/${address(sha256)}`
}

/** The KV key of the text of a SKILL.md. */
export function bodyKey(scope: Scope, sha256: string): string {
  return `${prefix(scope)}/body/${address(sha256)}`
}

/** The R2 key of the bytes of a file, manifest, index or archive. */
export function blobKey(scope: Scope, sha256: string): string {
  return `${prefix(scope)}/blob/${address(sha256)}`
}
