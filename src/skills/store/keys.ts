// All keys of skill bytes in the stores. Only content addresses: nothing that a caller names becomes a key.

import { isSha256 } from '../../lib/bytes.ts'

/** The owner of the bytes: the build, or a workspace. Blobs of one workspace are never read for another. */
export type Scope = 'build' | { readonly workspace: string }

function address(sha256: string): string {
  if (!isSha256(sha256)) throw new Error('not a sha-256: refusing to build a key from it')
  return sha256
}

function prefix(scope: Scope): string {
  return scope === 'build' ? 'build' : `ws/${scope.workspace}`
}

/** KV: the JSON of an index. */
export function indexKey(sha256: string): string {
  return `index/${address(sha256)}`
}

/** KV: the text of a SKILL.md. */
export function bodyKey(scope: Scope, sha256: string): string {
  return `${prefix(scope)}/body/${address(sha256)}`
}

/** R2: the bytes of any file, manifest, index or archive. */
export function blobKey(scope: Scope, sha256: string): string {
  return `${prefix(scope)}/blob/${address(sha256)}`
}
