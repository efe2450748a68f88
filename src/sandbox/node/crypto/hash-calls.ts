// Guest calls for digests, with and without a key.

import { bytesOf } from '../call/call.ts'
import { failed, Handles } from '../call/handles.ts'
import { hasherOf, keyedHasherOf, LIBRARY_PIECES, type Hasher } from './hashers.ts'
import { inPieces } from '../../wasm/work.ts'
import { derivedLength, tooLong } from './lengths.ts'

import type { CallResult, HostCall } from '../call/call.ts'
import type { NodeRun } from '../call/node-run.ts'

export function hashCalls(run: NodeRun): Record<string, HostCall> {
  const hashers = new Handles<Hasher>()
  const added = (hasher: Hasher | null): CallResult =>
    hasher ? hashers.add(hasher) : failed('ERR_OSSL_EVP_UNSUPPORTED', 'Digest method not supported')
  const update = (hasher: Hasher, data: Uint8Array): undefined | Promise<undefined> =>
    inPieces(run.meter, data, (piece) => hasher.update(piece), hasher.pieces)
  const digest = (hasher: Hasher): Uint8Array | Promise<Uint8Array> => {
    const { extendable, pieces } = hasher
    if (!extendable) return new Uint8Array(hasher.digest())
    const made = new Uint8Array(extendable.length)
    const pause = inPieces(run.meter, made, (piece) => extendable.next(piece), pieces)
    return pause ? pause.then(() => made) : made
  }
  return {
    hashNew: (name, given) => {
      const length = given === undefined ? undefined : derivedLength(given)
      return length === null ? tooLong(given) : added(hasherOf(String(name), length))
    },
    hmacNew: async (name, key) => {
      const bytes = bytesOf(key)
      const hasher = bytes.length > LIBRARY_PIECES.bytes ? hasherOf(String(name), undefined) : null
      // HMAC uses the digest of a long key.
      if (hasher) await update(hasher, bytes)
      return added(keyedHasherOf(String(name), hasher?.digest() ?? bytes))
    },
    hashUpdate: (handle, data) => update(hashers.get(handle), bytesOf(data)),
    hashCopy: (handle) => added(hashers.get(handle).copy?.() ?? null),
    hashDigest: (handle) => digest(hashers.take(handle)),
    /** Computes a digest of `data` in one call, the most common use. */
    hash: async (name, data, given) => {
      const length = given === undefined ? undefined : derivedLength(given)
      if (length === null) return tooLong(given)
      const hasher = hasherOf(String(name), length)
      if (!hasher) return added(null)
      await update(hasher, bytesOf(data))
      return digest(hasher)
    },
  }
}
