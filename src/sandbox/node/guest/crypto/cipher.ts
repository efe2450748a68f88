// createCipheriv and createDecipheriv, implemented by the host. Names, lengths and the order of calls are checked
// here.

import { Transform } from 'readable-stream'
import { StringDecoder } from 'string_decoder/'

import { coded } from '../base/errors.ts'
import { bytesOf, handed, tried } from '../base/host.ts'
import { invalidType, requireString } from '../library/validate.ts'
import { ANY_BYTES, ANY_KEY, bytesFrom, called, calledForBytes, encoded } from './bytes.ts'
import { secretOf } from './keys.ts'

import type { Buffer } from '../base/buffer.ts'
import type { Data } from './bytes.ts'

interface CipherInfo {
  readonly mode: string
  readonly name: string
  readonly nid: number
  readonly blockSize?: number
  readonly ivLength?: number
  readonly keyLength: number
}

const NIDS: Readonly<Record<string, readonly number[]>> = {
  ecb: [418, 422, 426],
  cbc: [419, 423, 427],
  ofb: [420, 424, 428],
  ctr: [904, 905, 906],
  gcm: [895, 898, 901],
}
const SIZES = [128, 192, 256]
const CIPHERS = new Map<string, CipherInfo>(
  Object.entries(NIDS).flatMap(([mode, nids]) =>
    nids.map((nid, at) => {
      const bits = SIZES[at] ?? 0
      const isBlock = mode === 'ecb' || mode === 'cbc'
      const info = {
        mode,
        name: mode === 'gcm' ? `id-aes${bits}-gcm` : `aes-${bits}-${mode}`,
        nid,
        ...(mode === 'ofb' ? { blockSize: 1 } : { blockSize: isBlock ? 16 : 1 }),
        ...(mode === 'ecb' ? {} : { ivLength: mode === 'gcm' ? 12 : 16 }),
        keyLength: bits / 8,
      }
      return [`aes-${bits}-${mode}`, info] as const
    }),
  ),
)
const DES = { mode: 'cbc', name: 'des-ede3-cbc', nid: 44, blockSize: 8, ivLength: 8, keyLength: 24 }
CIPHERS.set('des-ede3-cbc', DES)
/** Name patterns of Node's ciphers that are missing here. */
const ELSEWHERE =
  /^(?:aes-?\d+-(?:ccm|ocb|xts|siv|cfb\d*|wrap.*)|chacha20(?:-poly1305)?|(?:aria|camellia|sm4|des|id-aes)\S*)$/

function infoOf(algorithm: string): CipherInfo | undefined {
  const name = algorithm.toLowerCase()
  return CIPHERS.get(name.replace(/^aes(\d{3})$/, 'aes-$1-cbc').replace(/^id-aes(\d{3})-gcm$/, 'aes-$1-gcm'))
}

export const CIPHER_NAMES = [...CIPHERS.keys(), 'aes128', 'aes192', 'aes256'].toSorted()

export function getCipherInfo(name: unknown, options: { keyLength?: number; ivLength?: number } = {}) {
  const info = infoOf(String(name))
  if (!info || (options.keyLength !== undefined && options.keyLength !== info.keyLength)) return undefined
  if (options.ivLength === undefined) return { ...info }
  if (info.mode !== 'gcm' && options.ivLength !== info.ivLength) return undefined
  return { ...info, ivLength: options.ivLength }
}

const TAG_BYTES = new Set([4, 8, 12, 13, 14, 15, 16])
const state = (operation: string): Error =>
  coded(
    new Error(`Invalid state${operation === '' ? '' : ` for operation ${operation}`}`),
    'ERR_CRYPTO_INVALID_STATE',
  )

interface CipherOptions {
  readonly authTagLength?: number
}

class CipherBase extends Transform {
  readonly #handle: number
  readonly #info: CipherInfo
  readonly #encrypts: boolean
  readonly #tagBytes: number
  #pads = true
  #length = 0
  #isFinal = false
  #tag: Buffer | null = null
  #decoder: StringDecoder | null = null

  constructor(encrypts: boolean, algorithm: unknown, key: unknown, iv: unknown, options: CipherOptions = {}) {
    super()
    requireString(algorithm, 'cipher')
    const keyBytes = secretOf(key) ?? bytesFrom(key, 'key', 'utf8', ANY_KEY)
    if (iv === undefined) throw invalidType('iv', ANY_BYTES, iv)
    const ivBytes = iv === null ? null : bytesFrom(iv, 'iv', 'utf8', ANY_BYTES)
    const info = infoOf(algorithm)
    if (!info)
      throw ELSEWHERE.test(algorithm.toLowerCase())
        ? coded(
            new Error(
              `The cipher ${algorithm} is not available here: use aes-256-gcm, aes-256-cbc or aes-256-ctr`,
            ),
            'ERR_CRYPTO_UNKNOWN_CIPHER',
          )
        : coded(new Error('Unknown cipher'), 'ERR_CRYPTO_UNKNOWN_CIPHER')
    if (keyBytes.length !== info.keyLength)
      throw coded(new RangeError('Invalid key length'), 'ERR_CRYPTO_INVALID_KEYLEN')
    const ivLength = ivBytes?.length ?? 0
    const isRight = info.mode === 'gcm' ? ivLength > 0 : ivLength === (info.ivLength ?? 0)
    if (!isRight) throw coded(new TypeError('Invalid initialization vector'), 'ERR_CRYPTO_INVALID_IV')
    this.#info = info
    this.#encrypts = encrypts
    this.#tagBytes = options.authTagLength ?? 16
    if (info.mode === 'gcm') checkTagLength(this.#tagBytes)
    const name = info.mode === 'gcm' ? `aes-${info.keyLength * 8}-gcm` : info.name
    this.#handle = Number(
      called(
        'cipherNew',
        encrypts,
        name,
        handed(keyBytes),
        ivBytes === null || info.mode === 'ecb' ? null : handed(ivBytes),
        info.mode === 'gcm' && options.authTagLength !== undefined ? this.#tagBytes : undefined,
      ),
    )
  }

  update(data: Data, from?: string, to?: string): Buffer | string {
    const bytes = bytesFrom(data, 'data', from)
    if (this.#isFinal) throw new Error('Trying to add data in unsupported state')
    this.#length += bytes.length
    return this.#text(calledForBytes('cipherUpdate', this.#handle, handed(bytes)), to)
  }

  final(to?: string): Buffer | string {
    if (this.#isFinal) throw state('')
    this.#isFinal = true
    const made = tried('cipherFinal', this.#handle)
    const tag = this.#encrypts && this.#info.mode === 'gcm' ? calledForBytes('cipherTag', this.#handle) : null
    tried('cipherEnd', this.#handle)
    if (made === null || (this.#info.mode === 'gcm' && !this.#encrypts && !this.#tag)) throw this.#broken()
    if (tag) this.#tag = tag
    return this.#text(bytesOf(made), to)
  }

  #broken(): Error {
    if (this.#info.mode === 'gcm') return new Error('Unsupported state or unable to authenticate data')
    const isPartial = this.#length % (this.#info.blockSize ?? 1) !== 0
    const [number, reason] = isPartial ? ['6B', 'wrong final block length'] : ['64', 'bad decrypt']
    return Object.assign(new Error(`error:1C8000${number}:Provider routines::${reason}`), {
      library: 'Provider routines',
      reason,
      code: `ERR_OSSL_${reason.toUpperCase().replaceAll(' ', '_')}`,
    })
  }

  /** Keeps incomplete groups of base64 and UTF-8 for the next piece, as Node does. */
  #text(bytes: Uint8Array, encoding: string | undefined): Buffer | string {
    if (encoding === undefined || encoding === 'buffer') return encoded(bytes, undefined)
    const decoder = (this.#decoder ??= new StringDecoder(encoding))
    const text = decoder.write(encoded(bytes, undefined))
    return this.#isFinal ? text + decoder.end() : text
  }

  setAutoPadding(pads = true): this {
    if (this.#isFinal) throw state('setAutoPadding')
    this.#pads = Boolean(pads)
    called('cipherPadding', this.#handle, this.#pads)
    return this
  }

  setAAD(data: unknown, options: { encoding?: string } = {}): this {
    const bytes = bytesFrom(data, 'buffer', options.encoding)
    if (this.#info.mode !== 'gcm' || this.#isFinal) throw state('setAAD')
    called('cipherAad', this.#handle, handed(bytes))
    return this
  }

  protected tag(): Buffer {
    if (!this.#tag) throw state('getAuthTag')
    return this.#tag
  }

  protected expectTag(tag: unknown, encoding?: string): void {
    const bytes = bytesFrom(tag, 'tag', encoding)
    if (this.#info.mode !== 'gcm' || this.#isFinal || this.#tag) throw state('setAuthTag')
    checkTagLength(bytes.length)
    this.#tag = encoded(bytes, undefined) as Buffer
    called('cipherSetTag', this.#handle, handed(bytes))
  }

  _transform(chunk: Data, encoding: string, then: (error?: unknown) => void): void {
    this.push(this.update(chunk, encoding))
    then()
  }

  _flush(then: (error?: unknown) => void): void {
    try {
      this.push(this.final())
      then()
    } catch (error) {
      then(error)
    }
  }
}

function checkTagLength(length: number): void {
  if (!TAG_BYTES.has(length))
    throw coded(new TypeError(`Invalid authentication tag length: ${length}`), 'ERR_CRYPTO_INVALID_AUTH_TAG')
}

export class Cipheriv extends CipherBase {
  constructor(algorithm: unknown, key: unknown, iv: unknown, options?: CipherOptions) {
    super(true, algorithm, key, iv, options)
  }

  getAuthTag(): Buffer {
    return this.tag()
  }
}

export class Decipheriv extends CipherBase {
  constructor(algorithm: unknown, key: unknown, iv: unknown, options?: CipherOptions) {
    super(false, algorithm, key, iv, options)
  }

  setAuthTag(tag: unknown, encoding?: string): this {
    this.expectTag(tag, encoding)
    return this
  }
}
