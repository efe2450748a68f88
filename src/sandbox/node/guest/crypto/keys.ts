// KeyObject, and functions that read, generate and export keys. Asymmetric keys stay on the host; secret keys are
// bytes here.

import { Buffer } from '../base/buffer.ts'
import { coded, unavailable } from '../base/errors.ts'
import { handed } from '../base/host.ts'
import { invalidType, requireFunction, requireInteger, requireString } from '../library/validate.ts'
import { ANY_KEY, bytesFrom, called, later } from './bytes.ts'

/** The host's description of a key. */
interface HostKey {
  readonly handle: number
  readonly type: 'secret' | 'public' | 'private'
  readonly asymmetricKeyType?: string
  readonly details?: Readonly<Record<string, unknown>>
}
interface ExportOptions {
  readonly format?: string
  readonly type?: string
  readonly cipher?: string
  readonly passphrase?: unknown
}

export class KeyObject {
  readonly type: string

  constructor(type: string) {
    this.type = type
    Object.defineProperty(this, 'type', { value: type, enumerable: false })
  }

  static from(): never {
    throw unavailable(
      'KeyObject.from is not available: use createSecretKey, createPublicKey or createPrivateKey',
    )
  }

  get [Symbol.toStringTag](): string {
    return 'KeyObject'
  }
}

class SecretKeyObject extends KeyObject {
  readonly #bytes: Buffer

  constructor(bytes: Uint8Array) {
    super('secret')
    this.#bytes = Buffer.from(bytes)
  }

  get symmetricKeySize(): number {
    return this.#bytes.length
  }

  export(options?: ExportOptions): Buffer | object {
    return options?.format === 'jwk'
      ? { kty: 'oct', k: this.#bytes.toString('base64url') }
      : Buffer.from(this.#bytes)
  }

  equals(other: KeyObject): boolean {
    return other instanceof SecretKeyObject && this.#bytes.equals(other.#bytes)
  }
}

class AsymmetricKeyObject extends KeyObject {
  readonly #key: HostKey

  constructor(key: HostKey) {
    super(key.type)
    this.#key = key
  }

  static handleOf(key: AsymmetricKeyObject): number {
    return key.#key.handle
  }

  get asymmetricKeyType(): string {
    return this.#key.asymmetricKeyType ?? ''
  }

  get asymmetricKeyDetails(): object {
    const { publicExponent, ...details } = this.#key.details ?? {}
    return publicExponent === undefined
      ? details
      : { ...details, publicExponent: BigInt(String(publicExponent)) }
  }

  export(options?: ExportOptions): Buffer | string | object {
    if (typeof options !== 'object' || options === null)
      throw invalidType('options', 'of type object', options)
    const { passphrase, ...rest } = options
    const secret =
      passphrase === undefined
        ? {}
        : { passphrase: Buffer.from(bytesFrom(passphrase, 'options.passphrase')).toString() }
    const made = called('keyExport', this.#key.handle, JSON.stringify({ ...rest, ...secret }))
    if (made instanceof ArrayBuffer) return Buffer.from(made)
    return options.format === 'jwk' ? jwkOf(String(made), false) : String(made)
  }

  equals(other: KeyObject): boolean {
    if (!(other instanceof AsymmetricKeyObject) || other.type !== this.type) return false
    const options = { format: 'jwk' }
    return JSON.stringify(this.export(options)) === JSON.stringify(other.export(options))
  }
}

const JWK = ['kty', 'n', 'e', 'x', 'y', 'crv', 'd', 'p', 'q', 'dp', 'dq', 'qi']
const JWK_OKP = ['crv', 'd', 'x', 'kty']
const JWK_MARKED = [
  'key_ops',
  'ext',
  'alg',
  'kty',
  'k',
  'n',
  'e',
  'x',
  'y',
  'crv',
  'd',
  'p',
  'q',
  'dp',
  'dq',
  'qi',
]
const JWK_OKP_MARKED = ['key_ops', 'ext', 'alg', 'crv', 'd', 'x', 'kty']

/** A JWK with its fields in Node's order, and with those of WebCrypto if `isMarked`. */
export function jwkOf(text: string, isMarked: boolean): object {
  // The cast is safe: the host created this JSON.
  const given = JSON.parse(text) as Record<string, unknown>
  const isOkp = given['kty'] === 'OKP'
  const names = isMarked ? (isOkp ? JWK_OKP_MARKED : JWK_MARKED) : isOkp ? JWK_OKP : JWK
  return Object.fromEntries(names.filter((name) => name in given).map((name) => [name, given[name]]))
}

export class PublicKeyObject extends AsymmetricKeyObject {}
export class PrivateKeyObject extends AsymmetricKeyObject {}

function keyFrom(text: unknown): AsymmetricKeyObject {
  // The cast is safe: the host created this JSON.
  const key = (typeof text === 'string' ? JSON.parse(text) : text) as HostKey
  return key.type === 'private' ? new PrivateKeyObject(key) : new PublicKeyObject(key)
}

/** The bytes of a secret key; null for anything else. */
export function secretOf(key: unknown): Uint8Array | null {
  if (key instanceof SecretKeyObject) return key.export() as Buffer
  return null
}

export function createSecretKey(key: unknown, encoding?: string): KeyObject {
  return new SecretKeyObject(bytesFrom(key, 'key', encoding))
}

interface KeyInput {
  readonly key?: unknown
  readonly format?: string
  readonly type?: string
  readonly passphrase?: unknown
  readonly encoding?: string
}

function readKey(kind: 'public' | 'private', given: unknown): AsymmetricKeyObject {
  const isPlain = typeof given === 'string' || ArrayBuffer.isView(given) || given instanceof ArrayBuffer
  // The cast is safe: fields are checked below.
  const input: KeyInput = isPlain ? { key: given } : ((given ?? {}) as KeyInput)
  if (input.format === 'jwk') return keyFrom(called('keyNew', kind, JSON.stringify({ jwk: input.key }), ''))
  if (input.key instanceof AsymmetricKeyObject) return input.key
  if (!isPlain && (typeof given !== 'object' || input.key === undefined))
    throw invalidType('key', ANY_KEY, given)
  const bytes = bytesFrom(input.key, 'key.key', input.encoding, ANY_KEY)
  const { format = 'pem', type, passphrase } = input
  const secret = passphrase === undefined ? {} : { passphrase: Buffer.from(bytesFrom(passphrase)).toString() }
  const options = { format, ...(type === undefined ? {} : { type }), ...secret }
  return keyFrom(called('keyNew', kind, JSON.stringify(options), handed(bytes)))
}

export function createPrivateKey(key: unknown): KeyObject {
  return readKey('private', key)
}

export function createPublicKey(key: unknown): KeyObject {
  const given = key instanceof AsymmetricKeyObject ? key : (key as KeyInput | null)?.key
  if (given instanceof AsymmetricKeyObject)
    return given.type === 'public' ? given : keyFrom(called('keyPublic', AsymmetricKeyObject.handleOf(given)))
  return readKey('public', key)
}

/** The host's number of the key in an argument, and the options given with it. */
export function keyHandle(kind: 'public' | 'private', key: unknown): { handle: number; options: object } {
  const {
    key: inner,
    format,
    type,
    passphrase,
    encoding,
    ...options
  } = typeof key === 'object' && key !== null && !(key instanceof KeyObject) && !ArrayBuffer.isView(key)
    ? (key as KeyInput)
    : { key }
  const input =
    inner instanceof AsymmetricKeyObject
      ? inner
      : readKey(kind, { key: inner, format, type, passphrase, encoding })
  return { handle: AsymmetricKeyObject.handleOf(input), options }
}

type Encoding = ExportOptions | undefined
interface PairOptions {
  readonly publicKeyEncoding?: Encoding
  readonly privateKeyEncoding?: Encoding
  readonly modulusLength?: number
  readonly namedCurve?: string
}

const PAIR_TYPES = ['rsa', 'rsa-pss', 'ec', 'ed25519', 'x25519']

export function generateKeyPairSync(
  type: unknown,
  given?: PairOptions,
): { publicKey: unknown; privateKey: unknown } {
  requireString(type, 'type')
  if (['dsa', 'dh', 'ed448', 'x448'].includes(type))
    throw unavailable(`Keys of type '${type}' are not available here: use 'ed25519', 'x25519', 'ec' or 'rsa'`)
  if (!PAIR_TYPES.includes(type))
    throw coded(
      new TypeError(`The argument 'type' must be a supported key type. Received '${type}'`),
      'ERR_INVALID_ARG_VALUE',
    )
  const { publicKeyEncoding, privateKeyEncoding, ...options } = given ?? {}
  if (type.startsWith('rsa')) {
    if (!given) throw invalidType('options', 'of type object', given)
    requireInteger(options.modulusLength, 'options.modulusLength', 0, 2 ** 32 - 1)
  }
  if (type === 'ec') {
    requireString(options.namedCurve, 'options.namedCurve')
    if (!CURVES.has(options.namedCurve))
      throw coded(new TypeError('Invalid EC curve name'), 'ERR_CRYPTO_INVALID_CURVE')
  }
  // The cast is safe: the host created this JSON.
  const [publicKey, privateKey] = JSON.parse(
    String(called('keyPair', type, JSON.stringify(options))),
  ) as HostKey[]
  const shown = (key: HostKey | undefined, encoding: Encoding): unknown =>
    encoding ? keyFrom(key).export(encoding) : keyFrom(key)
  return {
    publicKey: shown(publicKey, publicKeyEncoding),
    privateKey: shown(privateKey, privateKeyEncoding),
  }
}

const CURVES = new Set([
  'P-224',
  'P-256',
  'P-384',
  'P-521',
  'secp224r1',
  'prime256v1',
  'secp384r1',
  'secp521r1',
])
export const CURVE_NAMES = ['prime256v1', 'secp224r1', 'secp384r1', 'secp521r1']

type PairThen = (error: unknown, publicKey?: unknown, privateKey?: unknown) => void

export function generateKeyPair(type: unknown, options: PairOptions | undefined, then: PairThen): void {
  requireFunction(then, 'callback')
  later(
    () => generateKeyPairSync(type, options),
    (error, made) => {
      // The cast is safe: `made` is the result of the call above.
      const { publicKey, privateKey } = (made ?? {}) as { publicKey?: unknown; privateKey?: unknown }
      return error === null ? then(null, publicKey, privateKey) : then(error)
    },
  )
}
Object.defineProperty(generateKeyPair, Symbol.for('nodejs.util.promisify.custom'), {
  value: async (type: unknown, options?: PairOptions) => generateKeyPairSync(type, options),
})
