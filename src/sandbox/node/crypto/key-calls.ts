// Guest calls for keys, signatures, and encryption with RSA. Keys stay on the host.

import { Buffer } from 'node:buffer'
import {
  constants,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  generateKeyPairSync,
  privateDecrypt,
  privateEncrypt,
  publicDecrypt,
  publicEncrypt,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto'

import { bytesOf } from '../call/call.ts'
import { NODE_KEY_ROUNDS_MAX, NODE_RSA_MAX_BITS, NODE_RSA_NEW_MAX_BITS } from '../call/limits.ts'
import { failed, failedBy, Handles } from '../call/handles.ts'
import { integer } from '../../wasm/guest-numbers.ts'
import { PLATFORM_PIECES } from '../../wasm/work.ts'
import { roundsOf } from './encrypted-key.ts'

import type { CallResult, HostCall } from '../call/call.ts'
import type { NodeRun } from '../call/node-run.ts'
import type { Value } from '../call/values.ts'

/** Steps charged for an operation with a private key, which takes about 2 ms. */
const KEY_STEPS = 1_000_000
const STEPS_PER_ROUND = 512
/** Types of new keys. Finding parameters for other types would take minutes. */
const PAIR_TYPES = new Set(['rsa', 'rsa-pss', 'ec', 'ed25519', 'x25519'])
const RSA = { publicEncrypt, privateDecrypt, privateEncrypt, publicDecrypt } as const
/** Node's default. The platform's default depends on other options. */
const OAEP = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' }
/** OpenSSL's error for input that it cannot read. */
const UNREADABLE = ['ERR_OSSL_UNSUPPORTED', 'error:1E08010C:DECODER routines::unsupported'] as const

/** Options from the guest, which the library validates. */
type Options = Record<string, unknown>

export function keyCalls(run: NodeRun): Record<string, HostCall> {
  const keys = new Handles<KeyObject>()
  const added = (key: KeyObject): CallResult => {
    const { type, asymmetricKeyType, asymmetricKeyDetails, symmetricKeySize } = key
    const { modulusLength = 0, publicExponent, ...rest } = asymmetricKeyDetails ?? {}
    if (modulusLength > NODE_RSA_MAX_BITS)
      return failed('ERR_OUT_OF_RANGE', `RSA keys may have up to ${NODE_RSA_MAX_BITS} bits here`)
    const handle = keys.add(key)
    if (typeof handle !== 'number') return handle
    const details = {
      ...(modulusLength > 0 ? { modulusLength } : {}),
      ...(publicExponent === undefined ? {} : { publicExponent: String(publicExponent) }),
      ...rest,
    }
    return JSON.stringify({ handle, type, asymmetricKeyType, details, symmetricKeySize })
  }
  /** Wraps an expensive operation, and reports its errors to the guest. */
  const guarded =
    (code: string, call: (...args: readonly Value[]) => CallResult): HostCall =>
    async (...args) => {
      const bytes = args.reduce<number>((sum, arg) => sum + (arg instanceof Uint8Array ? arg.length : 0), 0)
      await run.meter.spend(KEY_STEPS + Math.ceil(bytes * PLATFORM_PIECES.stepsPerByte))
      try {
        return call(...args)
      } catch (error) {
        return failedBy(error, code)
      }
    }
  return {
    keyNew: async (kind, options, data) => {
      const given = optionsOf(options)
      const rounds = 'passphrase' in given ? roundsOf(bytesOf(data), given['format'] !== 'der') : 0
      if (rounds === Infinity) return failed(...UNREADABLE)
      if (rounds > NODE_KEY_ROUNDS_MAX)
        return failed(
          'ERR_OUT_OF_RANGE',
          `encrypted keys may have up to ${NODE_KEY_ROUNDS_MAX} rounds here, not ${rounds}: encrypt it again with fewer`,
        )
      await run.meter.spend(KEY_STEPS + rounds * STEPS_PER_ROUND)
      try {
        return added(readKey(String(kind), given, data))
      } catch (error) {
        return kind === 'secret' ? failedBy(error, UNREADABLE[0]) : failed(...UNREADABLE)
      }
    },
    keyPublic: guarded('ERR_INVALID_ARG_VALUE', (handle) => added(createPublicKey(keys.get(handle)))),
    keyExport: guarded('ERR_INVALID_ARG_VALUE', (handle, options) => {
      // The cast is safe: the library validates the options.
      const made: unknown = keys.get(handle).export(optionsOf(options) as never)
      if (typeof made === 'string') return made
      return made instanceof Uint8Array ? new Uint8Array(made) : JSON.stringify(made)
    }),
    keyPair: guarded('ERR_INVALID_ARG_VALUE', (type, options) => {
      const { modulusLength, ...rest } = optionsOf(options)
      const isRsa = String(type).startsWith('rsa')
      if (!PAIR_TYPES.has(String(type)))
        return failed('ERR_INVALID_ARG_VALUE', `Keys of type '${String(type)}' are not available here`)
      if (isRsa && integer(modulusLength, 0, NODE_RSA_NEW_MAX_BITS) === null)
        return failed(
          'ERR_OUT_OF_RANGE',
          `new RSA keys may have up to ${NODE_RSA_NEW_MAX_BITS} bits here. Use 'ed25519' or 'ec', or a key from a file`,
        )
      // The casts are safe: the library validates type and options.
      const pair = generateKeyPairSync(
        String(type) as 'ec',
        { ...rest, ...(isRsa ? { modulusLength } : {}) } as never,
      )
      // The casts are safe: without encodings both are key objects.
      const [publicKey, privateKey] = [pair.publicKey, pair.privateKey].map((key) =>
        added(key as unknown as KeyObject),
      )
      if (typeof publicKey !== 'string') return publicKey
      return typeof privateKey === 'string' ? `[${publicKey},${privateKey}]` : privateKey
    }),
    sign: guarded('ERR_CRYPTO_SIGN', (digest, data, handle, options) => {
      const key = withOptions(keys.get(handle), optionsOf(options))
      return new Uint8Array(sign(typeof digest === 'string' ? digest : null, bytesOf(data), key))
    }),
    verify: guarded('ERR_CRYPTO_SIGN', (digest, data, handle, options, signature) => {
      const key = withOptions(keys.get(handle), optionsOf(options))
      return verify(typeof digest === 'string' ? digest : null, bytesOf(data), key, bytesOf(signature))
        ? 1
        : 0
    }),
    rsa: guarded('ERR_OSSL_RSA', (operation, handle, options, data) => {
      const call = RSA[String(operation) as keyof typeof RSA]
      const { oaepLabel, ...rest } = optionsOf(options)
      const label = typeof oaepLabel === 'string' ? { oaepLabel: Buffer.from(oaepLabel, 'hex') } : {}
      const usual = operation === 'publicEncrypt' || operation === 'privateDecrypt' ? OAEP : {}
      return new Uint8Array(
        call(withOptions(keys.get(handle), { ...usual, ...rest, ...label }), bytesOf(data)),
      )
    }),
    keyAgree: guarded(
      'ERR_CRYPTO_INCOMPATIBLE_KEY',
      (own, other) =>
        new Uint8Array(diffieHellman({ privateKey: keys.get(own), publicKey: keys.get(other) })),
    ),
  }
}

/** A key with options. The platform accepts options together with bytes, but not with a key object. */
function withOptions(key: KeyObject, options: Options): KeyObject {
  const type = key.type === 'private' ? 'pkcs8' : 'spki'
  // The cast is safe: where a key is accepted, so is this.
  return Object.keys(options).length === 0
    ? key
    : ({
        ...options,
        key: key.export({ type, format: 'der' } as never),
        format: 'der',
        type,
      } as unknown as KeyObject)
}

function optionsOf(options: Value | undefined): Options {
  // The cast is safe: the guest code sends this, and the library validates it.
  return JSON.parse(typeof options === 'string' ? options : '{}') as Options
}

function readKey(kind: string, { jwk, ...options }: Options, data: Value | undefined): KeyObject {
  if (kind === 'secret') return createSecretKey(bytesOf(data))
  const given =
    jwk === undefined ? { ...options, key: Buffer.from(bytesOf(data)) } : { key: jwk, format: 'jwk' }
  // The casts are safe: the library validates the options.
  return kind === 'private' ? createPrivateKey(given as never) : createPublicKey(given as never)
}
