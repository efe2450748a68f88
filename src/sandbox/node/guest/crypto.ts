// The supported parts of node:crypto: digests, keyed digests and random values. No ciphers, no keys.

import { Transform } from 'readable-stream'

import { Buffer, bufferOver } from './buffer.ts'
import { coded } from './errors.ts'
import { bytesOf, failure, handed, tried } from './host.ts'

type Data = string | ArrayBufferView

const BLOCK: Readonly<Record<string, number>> = { md5: 64, sha1: 64, sha256: 64, sha384: 128, sha512: 128 }
/** Random bytes fetched by one call. */
const RANDOM_BYTES = 65_536

function bytes(data: Data, encoding?: BufferEncoding): Uint8Array {
  return typeof data === 'string'
    ? Buffer.from(data, encoding)
    : new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
}

function nameOf(algorithm: string): string {
  const name = String(algorithm).toLowerCase().replace('-', '')
  if (BLOCK[name] === undefined)
    throw coded(new Error('Digest method not supported'), 'ERR_OSSL_EVP_UNSUPPORTED')
  return name
}

function digest(name: string, data: Uint8Array): Buffer {
  const made = tried('digest', name, handed(data))
  if (made === null) throw new Error(failure().message)
  return bufferOver(bytesOf(made))
}

class Hash extends Transform {
  readonly #name: string
  readonly #pieces: Uint8Array[] = []
  readonly #finish: (data: Uint8Array) => Buffer
  #done = false

  constructor(algorithm: string, finish?: (data: Uint8Array) => Buffer) {
    super()
    this.#name = nameOf(algorithm)
    this.#finish = finish ?? ((data) => digest(this.#name, data))
  }

  update(data: Data, encoding?: BufferEncoding): this {
    if (this.#done) throw coded(new Error('Digest already called'), 'ERR_CRYPTO_HASH_FINALIZED')
    if (typeof data !== 'string' && !ArrayBuffer.isView(data))
      throw coded(
        new TypeError(
          'The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView.',
        ),
        'ERR_INVALID_ARG_TYPE',
      )
    this.#pieces.push(bytes(data, encoding).slice())
    return this
  }

  digest(encoding?: string): Buffer | string {
    if (this.#done) throw coded(new Error('Digest already called'), 'ERR_CRYPTO_HASH_FINALIZED')
    this.#done = true
    const [first] = this.#pieces
    const made = this.#finish(first && this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces))
    return encoding === undefined || encoding === 'buffer' ? made : made.toString(encoding as BufferEncoding)
  }

  copy(): Hash {
    const other = new Hash(this.#name, this.#finish)
    for (const piece of this.#pieces) other.update(piece)
    return other
  }

  _transform(chunk: Data, encoding: BufferEncoding, then: () => void): void {
    this.update(chunk, encoding)
    then()
  }

  _flush(then: () => void): void {
    this.push(this.digest())
    then()
  }
}

function keyed(name: string, key: Uint8Array): (data: Uint8Array) => Buffer {
  const size = BLOCK[name] ?? 64
  const short = key.length > size ? digest(name, key) : key
  const pad = (byte: number): Buffer => {
    const block = Buffer.alloc(size, byte)
    short.forEach((value, at) => (block[at] = (block[at] ?? 0) ^ value))
    return block
  }
  return (data) => digest(name, Buffer.concat([pad(0x5c), digest(name, Buffer.concat([pad(0x36), data]))]))
}

function randomFill<T extends ArrayBufferView>(into: T): T {
  const view = new Uint8Array(into.buffer, into.byteOffset, into.byteLength)
  for (let at = 0; at < view.length; at += RANDOM_BYTES)
    view.set(bytesOf(tried('random', Math.min(RANDOM_BYTES, view.length - at))), at)
  return into
}

function randomBytes(size: number, then?: (error: null, bytes: Buffer) => void): Buffer | undefined {
  const made = randomFill(Buffer.alloc(size))
  if (!then) return made
  queueMicrotask(() => then(null, made))
  return undefined
}

function randomUUID(): string {
  const made = randomFill(Buffer.alloc(16))
  made[6] = ((made[6] ?? 0) & 0x0f) | 0x40
  made[8] = ((made[8] ?? 0) & 0x3f) | 0x80
  const hex = made.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

function randomInt(low: number, high?: number): number {
  const [from, to] = high === undefined ? [0, low] : [low, high]
  const range = to - from
  if (!(range > 0 && range < 2 ** 48))
    throw coded(new RangeError('The value of "max" is out of range.'), 'ERR_OUT_OF_RANGE')
  const limit = 2 ** 48 - (2 ** 48 % range)
  for (;;) {
    const drawn = randomFill(Buffer.alloc(6)).readUIntBE(0, 6)
    if (drawn < limit) return from + (drawn % range)
  }
}

function timingSafeEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.byteLength !== other.byteLength)
    throw coded(
      new RangeError('Input buffers must have the same byte length'),
      'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH',
    )
  return one.reduce((sum, byte, at) => sum | (byte ^ (other[at] ?? 0)), 0) === 0
}

export const webCrypto = {
  getRandomValues: randomFill,
  randomUUID,
  subtle: {
    digest: async (
      algorithm: string | { name: string },
      data: ArrayBuffer | ArrayBufferView,
    ): Promise<ArrayBuffer> => {
      const name = nameOf(typeof algorithm === 'string' ? algorithm : algorithm.name)
      const view = ArrayBuffer.isView(data) ? bytes(data) : new Uint8Array(data)
      return new Uint8Array(digest(name, view)).buffer
    },
  },
}

export const cryptoModule = {
  createHash: (algorithm: string) => new Hash(algorithm),
  createHmac: (algorithm: string, key: Data) => new Hash(algorithm, keyed(nameOf(algorithm), bytes(key))),
  hash: (algorithm: string, data: Data, encoding = 'hex') =>
    new Hash(algorithm).update(data).digest(encoding),
  getHashes: () => Object.keys(BLOCK),
  randomBytes,
  randomUUID,
  randomInt,
  randomFillSync: randomFill,
  timingSafeEqual,
  getRandomValues: randomFill,
  webcrypto: webCrypto,
  subtle: webCrypto.subtle,
}
