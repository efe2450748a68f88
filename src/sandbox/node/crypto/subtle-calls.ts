// Guest calls for WebCrypto, implemented with the platform's. Keys stay on the host; bytes within options are base64.

import { Buffer } from 'node:buffer'

import { bytesOf } from '../call/call.ts'
import { NODE_RSA_MAX_BITS, NODE_RSA_NEW_MAX_BITS } from '../call/limits.ts'
import { failed, Handles } from '../call/handles.ts'
import { pbkdf2 } from './pbkdf2.ts'
import { pauseAfter } from '../call/pieces.ts'

import type { CallResult, HostCall } from '../call/call.ts'
import type { NodeRun } from '../call/node-run.ts'

const OPERATIONS = new Set([
  'encrypt',
  'decrypt',
  'sign',
  'verify',
  'importKey',
  'exportKey',
  'generateKey',
  'deriveBits',
  'deriveKey',
  'wrapKey',
  'unwrapKey',
])
/** Maximum bytes for one call, which takes up to 20 ms. */
const DATA_MAX_BYTES = 16_777_216
const CALL_STEPS = 500_000

interface HeldKey {
  readonly key: CryptoKey
  /** The password of a PBKDF2 key, which the platform does not export. */
  readonly password: Uint8Array | null
}
interface Algorithm {
  readonly name?: string
  readonly iterations?: number
  readonly salt?: Uint8Array
  readonly hash?: string | { readonly name: string }
  readonly modulusLength?: number
}

export function subtleCalls(run: NodeRun): Record<string, HostCall> {
  const keys = new Handles<HeldKey>()
  const added = (key: CryptoKey, password: Uint8Array | null = null): unknown => {
    const handle = keys.add({ key, password })
    if (typeof handle !== 'number') throw new Error('too many keys')
    const { algorithm, extractable, type, usages } = key
    return { handle, algorithm: shown(algorithm), extractable, type, usages }
  }
  /** Decodes an argument of the guest: replaces key numbers by keys, and base64 by bytes. */
  const revived = (_key: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if ('$key' in value) return keys.get(Number(value.$key)).key
    return '$bytes' in value ? new Uint8Array(Buffer.from(String(value.$bytes), 'base64')) : value
  }
  const derived = async (algorithm: Algorithm, handle: number, bits: number): Promise<Uint8Array> => {
    const { password } = keys.get(handle)
    const hash = typeof algorithm.hash === 'string' ? algorithm.hash : (algorithm.hash?.name ?? '')
    const made = await pbkdf2(
      {
        password: password ?? new Uint8Array(0),
        salt: algorithm.salt ?? new Uint8Array(0),
        rounds: Number(algorithm.iterations),
        length: bits / 8,
        digest: hash,
      },
      async (steps) => pauseAfter(run, steps),
    )
    if (made) return made
    throw new DOMException('Unrecognized algorithm name', 'NotSupportedError')
  }
  const answered = (made: unknown): CallResult => {
    if (made instanceof ArrayBuffer) return new Uint8Array(made)
    if (made instanceof Uint8Array || typeof made === 'string') return made
    if (typeof made === 'boolean') return made ? 1 : 0
    return JSON.stringify(made)
  }
  const call = async (operation: string, args: readonly unknown[], handle: number): Promise<unknown> => {
    const [first] = args
    // The cast is safe: the platform checks the fields that it uses.
    const algorithm = (typeof first === 'string' ? { name: first } : (first ?? {})) as Algorithm
    const isNew = operation === 'generateKey'
    const maxBits = isNew ? NODE_RSA_NEW_MAX_BITS : NODE_RSA_MAX_BITS
    if (Number(algorithm.modulusLength) > maxBits)
      throw new DOMException(
        `${isNew ? 'new ' : ''}RSA keys may have up to ${maxBits} bits here`,
        'OperationError',
      )
    if (algorithm.name?.toUpperCase() === 'PBKDF2' && operation === 'deriveBits')
      return derived(algorithm, handle, Number(args[2]))
    // The cast is safe: the platform validates arguments of its methods.
    const method = (
      crypto.subtle as unknown as Record<string, (...all: readonly unknown[]) => Promise<unknown>>
    )[operation]
    return method?.apply(crypto.subtle, [...args])
  }
  return {
    subtle: async (operation, json, data, more) => {
      const name = String(operation)
      if (!OPERATIONS.has(name)) return failed('NotSupportedError', `subtle.${name} is not available`)
      const given = [data, more].map((value) => bytesOf(value))
      if (given.some(({ length }) => length > DATA_MAX_BYTES))
        return failed('OperationError', `WebCrypto takes up to ${DATA_MAX_BYTES} bytes at once here`)
      await pauseAfter(run, CALL_STEPS + given.reduce((sum, { length }) => sum + length / 4, 0))
      try {
        // The cast is safe: the guest code sends an array.
        const text = String(json)
        const args = JSON.parse(text, (key, value: unknown) =>
          value === '$data' ? given[0] : value === '$more' ? given[1] : revived(key, value),
        ) as unknown[]
        const handle = Number(/\{"\$key":(\d+)\}/.exec(text)?.[1])
        const made = await run.meter.within(call(name, args, handle))
        if (made instanceof CryptoKey) {
          const isPassword = name === 'importKey' && made.algorithm.name === 'PBKDF2'
          return answered(added(made, isPassword ? (given[0]?.slice() ?? null) : null))
        }
        if (typeof made === 'object' && made !== null && 'privateKey' in made && 'publicKey' in made)
          // The cast is safe: this is a pair of keys.
          return answered({
            privateKey: added(made.privateKey as CryptoKey),
            publicKey: added(made.publicKey as CryptoKey),
          })
        return answered(made)
      } catch (error) {
        return error instanceof Error
          ? failed(error.name, error.message)
          : failed('OperationError', 'The operation failed for an operation-specific reason')
      }
    },
  }
}

/** Converts the algorithm of a key to JSON. */
function shown(algorithm: object): unknown {
  return JSON.parse(
    JSON.stringify(algorithm, (_key, value: unknown) =>
      value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString('base64') } : value,
    ),
  )
}
