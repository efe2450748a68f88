// Decompresses DEFLATE with the runtime's zlib, within an exact limit. Knows no container; never throws.

import { createGunzip, createInflateRaw, inflateRawSync } from 'node:zlib'
import { err, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { INFLATE_PIECE_BYTES } from './limits.ts'

/** `longer`: the content exceeds the limit. */
export type InflateFault = 'damaged' | 'truncated' | 'longer'

export interface Inflated {
  readonly content: Uint8Array<ArrayBuffer>
  /** Bytes of input that belong to the stream. Bytes after it do not. */
  readonly taken: number
}

/**
 * True for a stream that no packer produces. Data that does not shrink is stored, at five bytes more for each 16 KB.
 * Blocks with tables and no output would let a small upload cost much time.
 */
export function isBloated(packed: number, size: number): boolean {
  return packed > size + Math.floor(size / 1_024) + 1_024
}

/** Decompresses the one stream at the start of `data`. Stops at more than `most` bytes. */
export function inflate(data: Uint8Array, most: number): Result<Inflated, InflateFault> {
  try {
    // One byte more than the limit, to distinguish a stream of exactly the limit from a longer one.
    const opened: unknown = inflateRawSync(data, { info: true, maxOutputLength: most + 1 })
    // With `info` the result has the bytes and the engine; the types declare only the bytes.
    const { buffer, engine } = opened as { buffer: Uint8Array<ArrayBuffer>; engine: { bytesWritten: number } }
    if (buffer.byteLength > most) return err('longer')
    return ok({
      content: new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength),
      taken: engine.bytesWritten,
    })
  } catch (error) {
    return err(faultOf(error))
  }
}

/**
 * Decompresses the one stream in `pieces`. `take` receives the content, at most `most` bytes, and the next piece after
 * it returns. Returns how many bytes of input belong to the stream; at most one piece after its end is read. Checks
 * gzip headers and checksums, too. Several gzip members are read as one.
 */
export async function inflateTo(
  pieces: Iterable<Uint8Array>,
  most: number,
  take: (content: Uint8Array) => unknown,
  format: 'raw' | 'gzip' = 'raw',
): Promise<Result<number, InflateFault>> {
  const engine = (format === 'raw' ? createInflateRaw : createGunzip)({ chunkSize: INFLATE_PIECE_BYTES })
  let size = 0
  let ended = false
  let fault: InflateFault | null = null
  const over = new Promise<void>((resolve) => {
    engine.on('data', (content: Uint8Array) => {
      size += content.byteLength
      if (size > most) fault ??= 'longer'
      if (fault !== null) return resolve()
      const busy = take(content)
      if (!(busy instanceof Promise)) return
      engine.pause()
      // A `take` that stops reports its own error. The engine's later errors are ignored.
      void busy.catch(() => {}).then(() => engine.resume())
    })
    engine.on('end', () => {
      ended = true
      resolve()
    })
    engine.on('error', (error) => {
      fault ??= faultOf(error)
      resolve()
    })
  })
  const isOver = (): boolean => ended || fault !== null
  for (const piece of pieces) {
    const written = new Promise<void>((resolve) => {
      engine.write(piece, () => resolve())
    })
    // Content and end arrive after the write: an engine that has ended accepts no more.
    await Promise.race([over, written.then(nextTurn)])
    if (isOver()) break
  }
  if (!isOver()) engine.end()
  await over
  const taken = engine.bytesWritten
  engine.destroy()
  return fault === null ? ok(taken) : err(fault)
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0)
  })
}

/** Node reports codes, workerd messages. Anything unknown counts as damaged. */
function faultOf(error: unknown): InflateFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const description = `${code} ${error instanceof Error ? error.message : ''}`
  if (/ERR_BUFFER_TOO_LARGE|memory limit/i.test(description)) return 'longer'
  return /Z_BUF_ERROR|unexpected end/i.test(description) ? 'truncated' : 'damaged'
}
