// Guest calls for compression, implemented with the platform's zlib. The isolate yields between pieces.

import { Buffer } from 'node:buffer'
import {
  createBrotliCompress,
  createBrotliDecompress,
  createDeflate,
  createDeflateRaw,
  createGunzip,
  createGzip,
  createInflate,
  createInflateRaw,
  createUnzip,
  createZstdCompress,
  createZstdDecompress,
  constants,
  crc32,
  zstdCompressSync,
} from 'node:zlib'

import { bytesOf } from '../call/call.ts'
import { failed, failedBy, Handles } from '../call/handles.ts'
import { NODE_BROTLI_BEST_MAX_BYTES } from '../call/limits.ts'
import { integer } from '../../wasm/guest-numbers.ts'
import { inPieces } from '../../wasm/work.ts'
import { checkedOptions, type ZlibOptions as Options } from './zlib-options.ts'

import type { CallResult, HostCall } from '../call/call.ts'
import type { NodeRun } from '../call/node-run.ts'
import type { Transform } from 'node:stream'

/** Bytes passed to a stream at a time, which takes up to 10 ms. Above level 6, some data takes longer. */
const PIECE_BYTES = 65_536
const PIECE_BYTES_HIGH = 16_384
const QUICK_LEVEL = 6
/** Bytes passed to zstd at a time, which takes about 10 ms. */
const ZSTD_PIECE_BYTES = 2_097_152
const ZSTD_STEPS_PER_BYTE = 1 / 4
const STEPS_PER_BYTE = 2
/** Maximum quality of Brotli in a stream. Higher ones would block the isolate. */
const BROTLI_QUICK_QUALITY = 9
const FLUSH_MAX = 5
const UINT32_MAX = 0xffff_ffff

type Codec = Transform & {
  flush(kind: number, then: () => void): void
  readonly bytesWritten: number
}

// The casts are safe: all are zlib's streams, and zlib validates the options.
const CODECS = {
  Gzip: createGzip,
  Gunzip: createGunzip,
  Deflate: createDeflate,
  Inflate: createInflate,
  DeflateRaw: createDeflateRaw,
  InflateRaw: createInflateRaw,
  Unzip: createUnzip,
  BrotliCompress: createBrotliCompress,
  BrotliDecompress: createBrotliDecompress,
  ZstdCompress: createZstdCompress,
  ZstdDecompress: createZstdDecompress,
} as unknown as Readonly<Record<string, (options: Options) => Codec>>

/** An open stream, and why it failed. */
interface Open {
  readonly kind: string
  readonly codec: Codec
  readonly quality: number
  /** Bytes passed to it at a time. */
  readonly pieceBytes: number
  given: number
  error: Error | null
}

export function zlibCalls(run: NodeRun): Record<string, HostCall> {
  const streams = new Handles<Open>()
  const start = (kind: string, options: Options): Open | CallResult => {
    const make = Object.hasOwn(CODECS, kind) ? CODECS[kind] : undefined
    if (!make) return failed('ERR_FEATURE_UNAVAILABLE_ON_PLATFORM', `zlib.${kind} is not available`)
    try {
      const codec = make(withDictionary(options))
      const quality = Number(parameter(options, constants.BROTLI_PARAM_QUALITY) ?? 11)
      const pieceBytes = Number(options['level']) > QUICK_LEVEL ? PIECE_BYTES_HIGH : PIECE_BYTES
      const open: Open = { kind, codec, quality, pieceBytes, given: 0, error: null }
      codec.on('error', (error) => (open.error = error))
      return open
    } catch (error) {
      return failedBy(error, 'ERR_INVALID_ARG_VALUE')
    }
  }
  return {
    /** Processes all data in one call. */
    zlib: async (kind, options, data) => {
      const given = checkedOptions(String(kind), options)
      if ('failed' in given) return given
      const open = start(String(kind), given.options)
      if (!isOpen(open)) return open
      const bytes = bytesOf(data)
      if (open.kind === 'ZstdCompress' && bytes.length <= ZSTD_PIECE_BYTES) {
        await run.meter.spend(Math.ceil(bytes.length * ZSTD_STEPS_PER_BYTE))
        // A stream would not store the size of the content.
        return new Uint8Array(zstdCompressSync(bytes, given.options))
      }
      return pump(run, open, bytes, 'end')
    },
    zlibNew: (kind, options) => {
      const given = checkedOptions(String(kind), options)
      if ('failed' in given) return given
      const open = start(String(kind), given.options)
      return isOpen(open) ? streams.add(open) : open
    },
    zlibWrite: async (handle, data) => pump(run, streams.get(handle), bytesOf(data), 'more'),
    zlibFlush: async (handle, flag) => {
      const kind = integer(flag, 0, FLUSH_MAX)
      if (kind === null)
        return failed('ERR_OUT_OF_RANGE', `there is no way to flush with number ${String(flag)}`)
      return pump(run, streams.get(handle), new Uint8Array(0), kind)
    },
    zlibEnd: async (handle) => pump(run, streams.take(handle), new Uint8Array(0), 'end'),
    zlibDrop: (handle) => {
      streams.drop(handle)
      return undefined
    },
    crc32: (data, value) => {
      let sum = integer(value, 0, UINT32_MAX) ?? 0
      const pause = inPieces(run.meter, bytesOf(data), (piece) => (sum = crc32(piece, sum)))
      return pause ? pause.then(() => sum) : sum
    },
  }
}

function isOpen(made: Open | CallResult): made is Open {
  return typeof made === 'object' && made !== null && 'codec' in made
}

function parameter(options: Options, name: number): unknown {
  const { params } = options
  return typeof params === 'object' && params !== null ? Reflect.get(params, String(name)) : undefined
}

/** Decodes a dictionary, which is sent as base64. */
function withDictionary({ dictionary, ...options }: Options): Options {
  return typeof dictionary === 'string'
    ? { ...options, dictionary: Buffer.from(dictionary, 'base64') }
    : options
}

/**
 * Passes `bytes` to the stream, then ends or flushes it, and returns its output. Reads no more than the guest may
 * hold: a few bytes may decompress to much data.
 */
async function pump(
  run: NodeRun,
  open: Open,
  bytes: Uint8Array,
  then: 'more' | 'end' | number,
): Promise<CallResult> {
  const { codec } = open
  const maxBytes = run.tree.quota.maxMemoryBytes
  open.given += bytes.length
  if (
    open.kind === 'BrotliCompress' &&
    open.quality > BROTLI_QUICK_QUALITY &&
    open.given > NODE_BROTLI_BEST_MAX_BYTES
  )
    return failed(
      'ERR_OUT_OF_RANGE',
      `Brotli compresses more than ${NODE_BROTLI_BEST_MAX_BYTES} bytes with a quality of up to ${BROTLI_QUICK_QUALITY} here: ` +
        `set params: { [zlib.constants.BROTLI_PARAM_QUALITY]: ${BROTLI_QUICK_QUALITY} }, or use gzip`,
    )
  const output: Uint8Array[] = []
  let length = 0
  /** Reads all output until `step` is done. */
  const drain = async (step: (done: () => void) => void): Promise<boolean> => {
    let isDone = false
    let wake = (): void => {}
    const signal = (): void => wake()
    const done = (): void => {
      isDone = true
      wake()
    }
    const events = ['readable', 'end', 'error', 'close'] as const
    for (const event of events) codec.on(event, signal)
    step(done)
    try {
      for (;;) {
        for (let chunk: unknown = codec.read(); chunk instanceof Uint8Array; chunk = codec.read()) {
          output.push(chunk)
          length += chunk.length
          if (length > maxBytes) return false
          await run.meter.spend(chunk.length * STEPS_PER_BYTE)
        }
        if (open.error || isDone) return true
        await run.meter.within(new Promise<void>((resolve) => (wake = resolve)))
      }
    } finally {
      for (const event of events) codec.off(event, signal)
    }
  }
  let fits = true
  for (let from = 0; from < bytes.length && fits && !open.error; from += open.pieceBytes) {
    const piece = bytes.subarray(from, from + open.pieceBytes)
    fits = await drain((done) => codec.write(piece, done))
    await run.meter.spend(piece.length * STEPS_PER_BYTE)
  }
  if (fits && !open.error && then === 'end')
    fits = await drain((done) => {
      codec.once('end', done)
      codec.end()
    })
  if (fits && !open.error && typeof then === 'number') fits = await drain((done) => codec.flush(then, done))
  if (open.error) return failureOf(open.error)
  if (fits) return joined(output, length)
  codec.destroy()
  return failed('ERR_BUFFER_TOO_LARGE', `Cannot create a Buffer larger than ${maxBytes} bytes`)
}

/** A failure with zlib's error; its number is in the code, after a colon. */
function failureOf(error: Error): CallResult {
  const { code, errno } = error as { code?: unknown; errno?: unknown }
  return failed(`${typeof code === 'string' ? code : 'Z_DATA_ERROR'}:${Number(errno ?? -3)}`, error.message)
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
