// Guest calls for WebCrypto, implemented with the platform's. Keys stay on the host; bytes within options are base64.

import { Buffer } from 'node:buffer'

import { bytesOf } from '../call/call.ts'
import { NODE_PLATFORM_INPUT_MAX_BYTES, NODE_RSA_MAX_BITS, NODE_RSA_NEW_MAX_BITS } from '../call/limits.ts'
import { failed, Handles } from '../call/handles.ts'
import { Killed } from '../../wasm/stop.ts'
import { pbkdf2 } from './pbkdf2.ts'
import { integer } from '../../wasm/guest-numbers.ts'
import { derivedLength } from './lengths.ts'
import { PLATFORM_PIECES } from '../../wasm/work.ts'

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
  'wrapKey',
  'unwrapKey',
])
/** Maximum length of the options as JSON. HKDF reads its `info` up to 255 times. */
const OPTIONS_MAX_CHARS = 131_072
/** Maximum size of a generated secret key. */
const KEY_MAX_BITS = 65_536
const ROUNDS_MAX = 2 ** 31 - 1
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
  readonly length?: number
}

export function subtleCalls(run: NodeRun): Record<string, HostCall> {
  const keys = new Handles<HeldKey>()
  const added = (key: CryptoKey, password: Uint8Array | null = null): unknown => {
    if (Number(Reflect.get(key.algorithm, 'modulusLength') ?? 0) > NODE_RSA_MAX_BITS)
      throw new DOMException(`RSA keys may have up to ${NODE_RSA_MAX_BITS} bits here`, 'OperationError')
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
    const [rounds, length] = [integer(algorithm.iterations, 1, ROUNDS_MAX), derivedLength(bits / 8)]
    if (rounds === null || length === null)
      throw new DOMException(
        'iterations and length must be positive and not too large here',
        'OperationError',
      )
    const made = await pbkdf2(
      {
        password: password ?? new Uint8Array(0),
        salt: algorithm.salt ?? new Uint8Array(0),
        rounds,
        length,
        digest: hash,
      },
      run.meter,
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
    if (isNew && integer(algorithm.length ?? 0, 0, KEY_MAX_BITS) === null)
      throw new DOMException(`keys may have up to ${KEY_MAX_BITS} bits here`, 'OperationError')
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
      const text = String(json)
      if (given.some(({ length }) => length > NODE_PLATFORM_INPUT_MAX_BYTES))
        return failed(
          'OperationError',
          `WebCrypto takes up to ${NODE_PLATFORM_INPUT_MAX_BYTES} bytes at once here`,
        )
      if (text.length > OPTIONS_MAX_CHARS)
        return failed(
          'OperationError',
          `WebCrypto takes options of up to ${OPTIONS_MAX_CHARS} characters as JSON here`,
        )
      const bytes = given.reduce((sum, { length }) => sum + length, 0)
      await run.meter.spend(CALL_STEPS + Math.ceil(bytes * PLATFORM_PIECES.stepsPerByte))
      try {
        // The cast is safe: the guest code sends an array.
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
        if (error instanceof Killed) throw error
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
