// Guest calls for digests, with and without a key.

import { bytesOf } from '../call/call.ts'
import { failed, Handles } from '../call/handles.ts'
import { hasherOf, keyedHasherOf, type Hasher } from './hashers.ts'
import { inPieces } from '../call/pieces.ts'

import type { CallResult, HostCall } from '../call/call.ts'
import type { NodeRun } from '../call/node-run.ts'

export function hashCalls(run: NodeRun): Record<string, HostCall> {
  const hashers = new Handles<Hasher>()
  const added = (hasher: Hasher | null): CallResult =>
    hasher ? hashers.add(hasher) : failed('ERR_OSSL_EVP_UNSUPPORTED', 'Digest method not supported')
  return {
    hashNew: (name, length) => added(hasherOf(String(name), typeof length === 'number' ? length : undefined)),
    hmacNew: (name, key) => added(keyedHasherOf(String(name), bytesOf(key))),
    hashUpdate: (handle, data) => {
      const hasher = hashers.get(handle)
      return inPieces(run, bytesOf(data), (piece) => hasher.update(piece))
    },
    hashCopy: (handle) => added(hashers.get(handle).copy?.() ?? null),
    hashDigest: (handle) => new Uint8Array(hashers.take(handle).digest()),
    /** Computes a digest of `data` in one call, the most common use. */
    hash: async (name, data, length) => {
      const hasher = hasherOf(String(name), typeof length === 'number' ? length : undefined)
      if (!hasher) return added(null)
      await inPieces(run, bytesOf(data), (piece) => hasher.update(piece))
      return new Uint8Array(hasher.digest())
    },
  }
}
