// DEFLATE by the runtime's own zlib, within an exact limit. Knows no container; throws nothing.

import { createGunzip, createInflateRaw, inflateRawSync } from 'node:zlib'
import { err, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { INFLATE_PIECE_BYTES } from './limits.ts'

/** `longer`: there is more content than was allowed. */
export type InflateFault = 'damaged' | 'truncated' | 'longer'

export interface Inflated {
  readonly content: Uint8Array<ArrayBuffer>
  /** Bytes of the input that the stream took: what lies behind is not its own. */
  readonly taken: number
}

/**
 * True for a stream that no packer makes: what does not shrink is stored, at five bytes more for each 16 KB or so.
 * Blocks that cost tables and give nothing are how a small upload would burn time.
 */
export function isBloated(packed: number, size: number): boolean {
  return packed > size + Math.floor(size / 1_024) + 1_024
}

/** Opens the one stream that begins at the start of `data`; it stops as soon as there are more than `most` bytes. */
export function inflate(data: Uint8Array, most: number): Result<Inflated, InflateFault> {
  try {
    // One byte more than allowed is asked for, so that a stream of just the limit is told from a longer one.
    const opened: unknown = inflateRawSync(data, { info: true, maxOutputLength: most + 1 })
    // With `info` the answer is the bytes and the engine that made them; the types know only the bytes.
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
 * Opens the one stream that `pieces` are, as they come; `take` gets the content, of at most `most` bytes, and the next once
 * it is done with that. Answers how many bytes of the input the stream took: no piece behind its end is asked for, but maybe
 * one. Of a gzip header and checksum are looked at, too; several in a row are opened as one.
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
      // Who takes no more has its own word for why; to the end it is not heard again.
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
    // Content and the end are told behind the write: an engine that has ended takes no more.
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

/** Node gives codes, workerd words. What neither is known by is damage. */
function faultOf(error: unknown): InflateFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const said = `${code} ${error instanceof Error ? error.message : ''}`
  if (/ERR_BUFFER_TOO_LARGE|memory limit/i.test(said)) return 'longer'
  return /Z_BUF_ERROR|unexpected end/i.test(said) ? 'truncated' : 'damaged'
}
