// Guest calls for ciphers. The guest code has already checked names and lengths.

import { createCipheriv, createDecipheriv, type CipherGCM, type DecipherGCM } from 'node:crypto'

import { bytesOf } from '../call/call.ts'
import { failedBy, Handles } from '../call/handles.ts'
import { inPieces, PLATFORM_PIECES } from '../../wasm/work.ts'

import type { CallResult, HostCall } from '../call/call.ts'
import type { NodeRun } from '../call/node-run.ts'

const FAILED = 'ERR_CRYPTO_INVALID_STATE'

export function cipherCalls(run: NodeRun): Record<string, HostCall> {
  const ciphers = new Handles<CipherGCM | DecipherGCM>()
  const guarded =
    (call: HostCall): HostCall =>
    (...args) => {
      try {
        return call(...args)
      } catch (error) {
        return failedBy(error, FAILED)
      }
    }
  const calls: Record<string, HostCall> = {
    cipherNew: (encrypts, name, key, iv, tagBytes) => {
      const options = typeof tagBytes === 'number' ? { authTagLength: tagBytes } : {}
      const [keyBytes, ivBytes] = [bytesOf(key), iv === null ? null : bytesOf(iv)]
      const make = encrypts === 1 ? createCipheriv : createDecipheriv
      // The casts are safe: methods for tags are called only on ciphers that have them.
      return ciphers.add(make(String(name), keyBytes, ivBytes, options as object) as CipherGCM | DecipherGCM)
    },
    cipherUpdate: (handle, data) => {
      const cipher = ciphers.get(handle)
      const pieces: Uint8Array[] = []
      const done = inPieces(run.meter, bytesOf(data), (piece) => void pieces.push(cipher.update(piece)))
      return done ? done.then(() => joined(pieces)) : joined(pieces)
    },
    cipherFinal: (handle) => new Uint8Array(ciphers.get(handle).final()),
    cipherAad: (handle, data) => {
      const bytes = bytesOf(data)
      ciphers.get(handle).setAAD(bytes)
      return run.meter.spend(Math.ceil(bytes.length * PLATFORM_PIECES.stepsPerByte))?.then(() => undefined)
    },
    cipherSetTag: (handle, tag) => {
      const cipher = ciphers.get(handle)
      if ('setAuthTag' in cipher) cipher.setAuthTag(bytesOf(tag))
      return undefined
    },
    cipherTag: (handle) => {
      const cipher = ciphers.get(handle)
      return 'getAuthTag' in cipher ? new Uint8Array(cipher.getAuthTag()) : undefined
    },
    cipherPadding: (handle, pads) => {
      ciphers.get(handle).setAutoPadding(pads === 1)
      return undefined
    },
    cipherEnd: (handle) => {
      ciphers.drop(handle)
      return undefined
    },
  }
  return Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, guarded(call)]))
}

function joined(pieces: readonly Uint8Array[]): CallResult {
  const [first] = pieces
  if (first && pieces.length === 1) return new Uint8Array(first)
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
