// createHash, createHmac and hash: digests computed by the host. Small data is buffered here and sent to the host in
// one call.

import { Transform } from 'readable-stream'

import { Buffer } from '../base/buffer.ts'
import { coded } from '../base/errors.ts'
import { handed, tried } from '../base/host.ts'
import { requireInteger, requireString } from '../library/validate.ts'
import { ANY_KEY, bytesFrom, called, calledForBytes, encoded } from './bytes.ts'
import { secretOf } from './keys.ts'

import type { Data } from './bytes.ts'

/** Number of buffered bytes that are sent to the host. */
const WAITING_BYTES = 1_048_576
/** The algorithms by Node's names. */
export const HASHES =
  'RSA-MD5 RSA-RIPEMD160 RSA-SHA1 RSA-SHA224 RSA-SHA256 RSA-SHA384 RSA-SHA512 RSA-SHA512/224 RSA-SHA512/256 blake2b512 blake2s256 md5 md5-sha1 ripemd ripemd160 rmd160 sha1 sha224 sha256 sha3-224 sha3-256 sha3-384 sha3-512 sha384 sha512 sha512-224 sha512-256 shake128 shake256'.split(
    ' ',
  )

const finalized = (): Error => coded(new Error('Digest already called'), 'ERR_CRYPTO_HASH_FINALIZED')

/** An unfinished digest: buffered data, and the host's object once there is one. */
abstract class Digester extends Transform {
  protected waiting: Uint8Array[] = []
  protected waitingBytes = 0
  protected handle: number | null = null
  protected done = false
  #made: Buffer | null = null

  protected abstract open(): number
  protected abstract finish(): Buffer

  /** Returns the digest, even after the stream has ended. */
  protected made(): Buffer {
    return (this.#made ??= this.finish())
  }

  update(data: Data, encoding?: string): this {
    if (this.done) throw finalized()
    const bytes = bytesFrom(data, 'data', encoding)
    this.waiting.push(typeof data === 'string' ? bytes : bytes.slice())
    this.waitingBytes += bytes.length
    if (this.waitingBytes >= WAITING_BYTES) this.send()
    return this
  }

  protected send(): number {
    const handle = (this.handle ??= this.open())
    for (const piece of this.waiting) called('hashUpdate', handle, handed(piece))
    this.waiting = []
    this.waitingBytes = 0
    return handle
  }

  _transform(chunk: Data, encoding: string, then: () => void): void {
    this.update(chunk, encoding)
    then()
  }

  _flush(then: () => void): void {
    this.push(this.made())
    then()
  }

  abstract digest(encoding?: string): Buffer | string
}

for (const name of ['waiting', 'waitingBytes', 'handle', 'done'])
  Object.defineProperty(Digester.prototype, name, { value: undefined, writable: true, enumerable: false })

interface HashOptions {
  readonly outputLength?: number
}

export class Hash extends Digester {
  readonly #name: string
  readonly #length: number | undefined

  constructor(algorithm: unknown, options?: HashOptions) {
    super()
    requireString(algorithm, 'algorithm')
    this.#name = algorithm
    this.#length = options?.outputLength
    if (this.#length !== undefined) requireInteger(this.#length, 'outputLength')
    if (!known(algorithm)) throw new Error('Digest method not supported')
    const size = this.#length === undefined || /^shake/i.test(algorithm) ? this.#length : sizeOf(algorithm)
    if (size !== this.#length)
      throw Object.assign(new Error('error:030000B2:digital envelope routines::not XOF or invalid length'), {
        library: 'digital envelope routines',
        reason: 'not XOF or invalid length',
        code: 'ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH',
      })
  }

  protected override open(): number {
    return Number(called('hashNew', this.#name, this.#length))
  }

  override digest(encoding?: string): Buffer | string {
    if (this.done) throw finalized()
    const made = this.made()
    this.done = true
    return encoded(made, encoding)
  }

  protected override finish(): Buffer {
    return this.handle === null
      ? calledForBytes('hash', this.#name, handed(joined(this.waiting)), this.#length)
      : calledForBytes('hashDigest', this.send())
  }

  copy(options?: HashOptions): Hash {
    if (this.done) throw finalized()
    const other = new Hash(
      this.#name,
      options ?? (this.#length === undefined ? {} : { outputLength: this.#length }),
    )
    other.waiting = [...this.waiting]
    other.waitingBytes = this.waitingBytes
    if (this.handle !== null) other.handle = Number(called('hashCopy', this.handle))
    return other
  }
}

export class Hmac extends Digester {
  readonly #name: string
  readonly #key: Uint8Array

  constructor(algorithm: unknown, key: unknown, options?: { encoding?: string }) {
    super()
    requireString(algorithm, 'hmac')
    this.#key = (secretOf(key) ?? bytesFrom(key, 'key', options?.encoding, ANY_KEY)).slice()
    this.#name = algorithm
    if (!known(algorithm))
      throw coded(new TypeError(`Invalid digest: ${algorithm}`), 'ERR_CRYPTO_INVALID_DIGEST')
  }

  protected override open(): number {
    return Number(called('hmacNew', this.#name, handed(this.#key)))
  }

  override digest(encoding?: string): Buffer | string {
    // As in Node, a second call returns no bytes.
    if (this.done) return encoded(Buffer.alloc(0), encoding)
    const made = this.made()
    this.done = true
    return encoded(made, encoding)
  }

  protected override finish(): Buffer {
    return calledForBytes('hashDigest', this.send())
  }
}

const KNOWN = new Set(HASHES.map((name) => name.toLowerCase()))

export function known(algorithm: string): boolean {
  const name = algorithm.toLowerCase()
  return KNOWN.has(name) || /^sha-(?:1|224|256|384|512)$/.test(name)
}

/** Length in bytes of a digest with a fixed length. */
function sizeOf(algorithm: string): number {
  return calledForBytes('hash', algorithm, '').length
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces
  return first && pieces.length === 1 ? first : Buffer.concat([...pieces])
}

/** Implements crypto.hash. */
export function hash(algorithm: unknown, data: unknown, output: unknown = 'hex'): Buffer | string {
  requireString(algorithm, 'algorithm')
  const bytes = bytesFrom(data, 'input')
  if (!known(algorithm) || tried('hash', algorithm, '') === null)
    throw new Error(`Digest method ${algorithm} is not supported`)
  return encoded(calledForBytes('hash', algorithm, handed(bytes)), output)
}
