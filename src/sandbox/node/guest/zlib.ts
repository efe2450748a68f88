// node:zlib, implemented by the host: synchronous functions, callbacks and streams.

import { Transform } from 'readable-stream'

import { Buffer, bufferOver } from './base/buffer.ts'
import { coded, unavailable } from './base/errors.ts'
import { bytesOf, failure, handed, tried } from './base/host.ts'
import { invalidType, outOfRange, requireFunction } from './library/validate.ts'
import { codes, constants } from './zlib-constants.ts'

import type { Handed } from './base/host.ts'

interface ZlibOptions {
  readonly chunkSize?: number
  readonly flush?: number
  readonly finishFlush?: number
  readonly windowBits?: number
  readonly level?: number
  readonly memLevel?: number
  readonly strategy?: number
  readonly dictionary?: ArrayBufferView | ArrayBuffer
  readonly params?: Readonly<Record<string, number | boolean>>
  readonly maxOutputLength?: number
  readonly info?: boolean
}
type Input = string | ArrayBuffer | ArrayBufferView
type Then = (error: unknown, made?: unknown) => void

const KINDS = [
  'Gzip',
  'Gunzip',
  'Deflate',
  'Inflate',
  'DeflateRaw',
  'InflateRaw',
  'Unzip',
  'BrotliCompress',
  'BrotliDecompress',
  'ZstdCompress',
  'ZstdDecompress',
] as const
type Kind = (typeof KINDS)[number]

const CHUNK_BYTES = 16_384
/** Bytes that a stream passes to the host at a time: a few bytes may decompress to much data. */
const PIECE_BYTES = 16_384
const RANGES: readonly (readonly [name: keyof ZlibOptions, min: number, max: number])[] = [
  ['flush', 0, 5],
  ['finishFlush', 0, 5],
  ['windowBits', 0, 15],
  ['level', -1, 9],
  ['memLevel', 1, 9],
  ['strategy', 0, 4],
]

/** Validates the options, and converts them to JSON for the host. */
function optionsFor(kind: Kind, options: ZlibOptions): string {
  const isZlib = !/^(?:Brotli|Zstd)/.test(kind)
  const used: Record<string, unknown> = {}
  for (const [name, min, max] of isZlib ? RANGES : []) {
    const value = options[name]
    if (value === undefined || Number.isNaN(value)) continue
    if (typeof value !== 'number') throw invalidType(`options.${name}`, 'of type number', value)
    const least = name === 'windowBits' && !/^(?:Gunzip|Inflate|Unzip)/.test(kind) ? 8 : min
    if (value < least || value > max) throw outOfRange(`options.${name}`, `>= ${least} and <= ${max}`, value)
    used[name] = value
  }
  const { dictionary, params } = options
  if (params !== undefined && !isZlib) used['params'] = params
  if (dictionary !== undefined)
    used['dictionary'] = Buffer.from(viewOf(dictionary, 'dictionary')).toString('base64')
  return JSON.stringify(used)
}

function viewOf(data: unknown, name: string): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data)
  if (data instanceof ArrayBuffer) return new Uint8Array(data)
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  throw invalidType(
    name,
    'of type string or an instance of Buffer, TypedArray, DataView, or ArrayBuffer',
    data,
  )
}

/** The error for a failed call. The host sends zlib's error number with its code. */
function broken(): Error {
  const { code, message: given } = failure()
  // The platform's message names the wrong direction.
  const message = given === 'Compression failed' ? 'Decompression failed' : given
  const [name = code, errno] = code.split(':')
  if (name === 'ERR_BUFFER_TOO_LARGE' || name === 'ERR_OUT_OF_RANGE')
    return coded(new RangeError(message), name)
  return name.startsWith('ERR_') && errno === undefined
    ? coded(new Error(message), name)
    : Object.assign(new Error(message), { errno: Number(errno), code: name })
}

function made(operation: string, ...args: readonly Handed[]): Buffer {
  const answer = tried(operation, ...args)
  if (answer === null) throw broken()
  return bufferOver(bytesOf(answer))
}

function atOnce(kind: Kind, data: unknown, options: ZlibOptions = {}): unknown {
  const bytes = viewOf(data, 'buffer')
  const output = made('zlib', kind, optionsFor(kind, options ?? {}), handed(bytes))
  const max = options?.maxOutputLength ?? Number.POSITIVE_INFINITY
  if (output.length > max)
    throw coded(new RangeError(`Cannot create a Buffer larger than ${max} bytes`), 'ERR_BUFFER_TOO_LARGE')
  return options?.info ? { buffer: output, engine: new Codec(kind, options) } : output
}

class Codec extends Transform {
  bytesWritten = 0
  readonly #kind: Kind
  readonly #chunkSize: number
  readonly #options: string
  #handle: number | null = null

  constructor(kind: Kind, options: ZlibOptions = {}) {
    super({ autoDestroy: true, ...options, encoding: undefined, decodeStrings: true })
    this.#kind = kind
    this.#chunkSize = options.chunkSize ?? CHUNK_BYTES
    if (!(this.#chunkSize >= 64)) throw outOfRange('options.chunkSize', '>= 64', options.chunkSize)
    this.#options = optionsFor(kind, options)
  }

  #open(): number {
    if (this.#handle !== null) return this.#handle
    const answer = tried('zlibNew', this.#kind, this.#options)
    if (answer === null) throw broken()
    return (this.#handle = Number(answer))
  }

  #emit(output: Buffer): void {
    for (let from = 0; from < output.length; from += this.#chunkSize)
      this.push(output.subarray(from, from + this.#chunkSize))
  }

  /** Runs in its own turn of the event loop, as in Node, where another thread does the work. */
  #tried(call: () => void, then: (error?: unknown) => void): void {
    setImmediate(() => {
      try {
        if (!this.destroyed) call()
      } catch (error) {
        then(error)
        return
      }
      then()
    })
  }

  _transform(chunk: unknown, _encoding: string, then: (error?: unknown) => void): void {
    this.#tried(() => {
      const bytes = viewOf(chunk, 'chunk')
      const handle = this.#open()
      for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
        const piece = bytes.subarray(from, from + PIECE_BYTES)
        this.#emit(made('zlibWrite', handle, handed(piece)))
        this.bytesWritten += piece.length
      }
    }, then)
  }

  _flush(then: (error?: unknown) => void): void {
    this.#tried(() => {
      const handle = this.#open()
      this.#handle = null
      this.#emit(made('zlibEnd', handle))
    }, then)
  }

  flush(kind?: number | (() => void), then?: () => void): void {
    const flag =
      typeof kind === 'number' ? kind : this.#kind === 'BrotliCompress' ? 1 : constants.Z_FULL_FLUSH
    const done = typeof kind === 'function' ? kind : then
    // The callback runs after all earlier writes have reached the host.
    this.write(Buffer.alloc(0), () =>
      setImmediate(() => {
        if (!this.destroyed) this.#emit(made('zlibFlush', this.#open(), flag))
        done?.()
      }),
    )
  }

  close(then?: () => void): void {
    if (then) this.once('close', then)
    this.destroy()
  }

  reset(): void {
    if (this.#handle !== null) tried('zlibDrop', this.#handle)
    this.#handle = null
  }

  params(): never {
    throw unavailable('params is not available: create a new stream with the other level')
  }

  _destroy(error: unknown, then: (error: unknown) => void): void {
    this.reset()
    then(error)
  }
}

/** The name of Node's function for a kind: `gzip`, `brotliCompress`. */
const lower = (kind: Kind): string => kind.charAt(0).toLowerCase() + kind.slice(1)

function classOf(kind: Kind): unknown {
  const named = {
    [kind]: class extends Codec {
      constructor(options?: ZlibOptions) {
        super(kind, options)
      }
    },
  }
  return named[kind]
}

const calls = KINDS.flatMap((kind): [string, unknown][] => {
  const Class = classOf(kind) as new (options?: ZlibOptions) => Codec
  return [
    [`${lower(kind)}Sync`, (data: Input, options?: ZlibOptions) => atOnce(kind, data, options)],
    [
      lower(kind),
      (data: Input, options: ZlibOptions | Then, then?: Then) => {
        const done = typeof options === 'function' ? options : then
        requireFunction(done, 'callback')
        const given = typeof options === 'function' ? {} : options
        viewOf(data, 'buffer')
        setImmediate(() => {
          let output: unknown
          try {
            output = atOnce(kind, data, given)
          } catch (error) {
            done?.(error)
            return
          }
          done?.(null, output)
        })
      },
    ],
    [`create${kind}`, (options?: ZlibOptions) => new Class(options)],
    [kind, Class],
  ]
})

function crc32(data: Input, value = 0): number {
  return Number(tried('crc32', handed(viewOf(data, 'data')), value))
}

export const zlibModule = { ...Object.fromEntries(calls), codes, constants, crc32 }
// zlib's own constants also exist directly on the module, but are not enumerable.
for (const [name, value] of Object.entries(constants))
  if (name.startsWith('Z_')) Object.defineProperty(zlibModule, name, { value, enumerable: false })
