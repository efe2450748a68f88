// WebCrypto: crypto.subtle, implemented by the host, which holds the keys.

import { Buffer } from '../base/buffer.ts'
import { failure, handed, tried } from '../base/host.ts'
import { DOMException } from '../base/web-errors.ts'
import { known } from './hash.ts'
import { calledForBytes } from './bytes.ts'
import { jwkOf } from './keys.ts'
import { getRandomValues, randomUUID } from './random.ts'

interface HostKey {
  readonly handle: number
  readonly type: string
  readonly extractable: boolean
  readonly algorithm: Readonly<Record<string, unknown>>
  readonly usages: readonly string[]
}

const inspectSymbol = Symbol.for('nodejs.util.inspect.custom')
/** Returns the host's number of a key. */
let handleOf: (key: CryptoKey) => number
let made: (key: HostKey) => CryptoKey

export class CryptoKey {
  readonly #key: HostKey

  private constructor(key: HostKey) {
    this.#key = key
  }

  static {
    handleOf = (key) => key.#key.handle
    made = (key) => new CryptoKey(key)
  }

  get type(): string {
    return this.#key.type
  }

  get extractable(): boolean {
    return this.#key.extractable
  }

  get algorithm(): object {
    const { publicExponent, ...rest } = this.#key.algorithm
    // The cast is safe: the host sends bytes as base64.
    return publicExponent === undefined
      ? rest
      : {
          ...rest,
          publicExponent: new Uint8Array(
            Buffer.from((publicExponent as { $bytes: string }).$bytes, 'base64'),
          ),
        }
  }

  get usages(): readonly string[] {
    return this.#key.usages
  }

  [inspectSymbol](
    _depth: unknown,
    options: object,
    inspect: (value: unknown, options: object) => string,
  ): string {
    const { type, extractable, algorithm, usages } = this
    return `CryptoKey ${inspect({ type, extractable, algorithm, usages }, options)}`
  }
}

type Source = ArrayBuffer | ArrayBufferView

function viewOf(source: unknown): Uint8Array {
  if (source instanceof ArrayBuffer) return new Uint8Array(source)
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
  throw Object.assign(
    new TypeError('The argument must be an instance of ArrayBuffer, TypedArray, or DataView'),
    {
      code: 'ERR_INVALID_ARG_TYPE',
    },
  )
}

/** Replaces keys by their numbers, and bytes by base64. */
function packed(value: unknown): unknown {
  if (value instanceof CryptoKey) return { $key: handleOf(value) }
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value))
    return { $bytes: Buffer.from(viewOf(value)).toString('base64') }
  if (Array.isArray(value)) return value.map(packed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, packed(one)]))
}

function call(operation: string, args: readonly unknown[], data?: Source, more?: Source): unknown {
  const answer = tried(
    'subtle',
    operation,
    JSON.stringify(args.map(packed)),
    data === undefined ? '' : handed(viewOf(data)),
    more === undefined ? '' : handed(viewOf(more)),
  )
  if (answer !== null) return answer
  const { code, message } = failure()
  if (code === 'TypeError' || code === 'SyntaxError') throw new TypeError(message)
  throw new DOMException(code === 'OperationError' && !message.includes(' here') ? FAILED : message, code)
}

const FAILED = 'The operation failed for an operation-specific reason'

function bytes(answer: unknown): ArrayBuffer {
  return answer instanceof ArrayBuffer ? answer : new ArrayBuffer(0)
}

function keyOf(answer: unknown): CryptoKey {
  // The cast is safe: the host created this JSON.
  return made(JSON.parse(String(answer)) as HostKey)
}

type Algorithm = string | { readonly name: string }

/** Converts an exported key: bytes, or JSON as an object. */
function exported(format: string, answer: unknown): unknown {
  return format === 'jwk' ? jwkOf(String(answer), true) : bytes(answer)
}

const subtle = {
  digest: async (algorithm: Algorithm, data: Source): Promise<ArrayBuffer> => {
    const name = String(typeof algorithm === 'string' ? algorithm : algorithm.name).toUpperCase()
    if (!/^SHA-(?:1|256|384|512)$/.test(name) || !known(name))
      throw new DOMException('Unrecognized algorithm name', 'NotSupportedError')
    return new Uint8Array(calledForBytes('hash', name, handed(viewOf(data)))).buffer
  },
  importKey: async (
    format: string,
    data: unknown,
    algorithm: Algorithm,
    extractable: boolean,
    usages: string[],
  ) =>
    format === 'jwk'
      ? keyOf(call('importKey', [format, data, algorithm, extractable, usages]))
      : keyOf(call('importKey', [format, '$data', algorithm, extractable, usages], data as Source)),
  exportKey: async (format: string, key: CryptoKey) => exported(format, call('exportKey', [format, key])),
  generateKey: async (algorithm: Algorithm, extractable: boolean, usages: string[]): Promise<unknown> => {
    // The cast is safe: the host created this JSON.
    const answer = JSON.parse(String(call('generateKey', [algorithm, extractable, usages]))) as
      | HostKey
      | { readonly publicKey: HostKey; readonly privateKey: HostKey }
    return 'handle' in answer
      ? made(answer)
      : { publicKey: made(answer.publicKey), privateKey: made(answer.privateKey) }
  },
  encrypt: async (algorithm: Algorithm, key: CryptoKey, data: Source) =>
    bytes(call('encrypt', [algorithm, key, '$data'], data)),
  decrypt: async (algorithm: Algorithm, key: CryptoKey, data: Source) =>
    bytes(call('decrypt', [algorithm, key, '$data'], data)),
  sign: async (algorithm: Algorithm, key: CryptoKey, data: Source) =>
    bytes(call('sign', [algorithm, key, '$data'], data)),
  verify: async (algorithm: Algorithm, key: CryptoKey, signature: Source, data: Source) =>
    call('verify', [algorithm, key, '$more', '$data'], data, signature) === 1,
  deriveBits: async (algorithm: Algorithm, key: CryptoKey, length: number | null) =>
    bytes(call('deriveBits', [algorithm, key, length])),
  deriveKey: async (
    algorithm: Algorithm,
    key: CryptoKey,
    wanted: { readonly name: string; readonly length?: number; readonly hash?: Algorithm },
    extractable: boolean,
    usages: string[],
  ) => {
    const bits = wanted.length ?? (wanted.name.toUpperCase() === 'HMAC' ? hmacBits(wanted.hash) : 256)
    const derived = await subtle.deriveBits(algorithm, key, bits)
    return subtle.importKey('raw', derived, wanted, extractable, usages)
  },
  wrapKey: async (format: string, key: CryptoKey, by: CryptoKey, algorithm: Algorithm) =>
    bytes(call('wrapKey', [format, key, by, algorithm])),
  unwrapKey: async (
    format: string,
    data: Source,
    by: CryptoKey,
    algorithm: Algorithm,
    wanted: Algorithm,
    extractable: boolean,
    usages: string[],
  ) => keyOf(call('unwrapKey', [format, '$data', by, algorithm, wanted, extractable, usages], data)),
}

/** The block size of the digest in bits, which is the default length of an HMAC key. */
function hmacBits(hash: Algorithm | undefined): number {
  const name = typeof hash === 'string' ? hash : (hash?.name ?? '')
  return /384|512/.test(name) ? 1_024 : 512
}

export const webCrypto = { getRandomValues, randomUUID, subtle }
