// Decompresses DEFLATE streams with the runtime's zlib, up to an exact limit. Never throws.

import { createGunzip, createInflateRaw, inflateRawSync } from 'node:zlib'
import { pause } from '../../lib/pause.ts'
import { err, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { INFLATE_PIECE_BYTES } from './limits.ts'

/** Why decompression failed. `longer` means that the content exceeds the limit. */
export type InflateFault = 'damaged' | 'truncated' | 'longer'

export interface Inflated {
  readonly content: Uint8Array<ArrayBuffer>
  /** Number of input bytes that belong to the stream. */
  readonly inputBytes: number
}

/**
 * Whether a compressed stream is longer than any packer would produce for content of this size: incompressible data is
 * stored with five more bytes per 16 KB. A hostile stream could contain many tables but no output, which costs time.
 */
export function isBloated(compressedBytes: number, size: number): boolean {
  return compressedBytes > size + Math.floor(size / 1_024) + 1_024
}

/** Decompresses the stream at the start of `data`. Fails if the content has more than `maxBytes`. */
export function inflate(data: Uint8Array, maxBytes: number): Result<Inflated, InflateFault> {
  try {
    // One byte more than the limit distinguishes content of exactly that size from longer content.
    const inflated: unknown = inflateRawSync(data, { info: true, maxOutputLength: maxBytes + 1 })
    // The cast is safe: with `info`, the result contains the buffer and the engine, but the types declare only a
    // buffer.
    const { buffer, engine } = inflated as {
      buffer: Uint8Array<ArrayBuffer>
      engine: { bytesWritten: number }
    }
    if (buffer.byteLength > maxBytes) return err('longer')
    return ok({
      content: new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength),
      inputBytes: engine.bytesWritten,
    })
  } catch (error) {
    return err(faultOf(error))
  }
}

/**
 * Decompresses the stream in `pieces` and passes its content, at most `maxBytes`, to `onContent`, waiting for it each
 * time. Returns how many input bytes belong to the stream; reads at most one piece after its end. For gzip, checks
 * headers and checksums, and reads several members as one stream.
 */
export async function inflateTo(
  pieces: Iterable<Uint8Array>,
  maxBytes: number,
  onContent: (content: Uint8Array) => unknown,
  format: 'raw' | 'gzip' = 'raw',
): Promise<Result<number, InflateFault>> {
  const engine = (format === 'raw' ? createInflateRaw : createGunzip)({ chunkSize: INFLATE_PIECE_BYTES })
  let size = 0
  let hasEnded = false
  let fault: InflateFault | null = null
  const finished = new Promise<void>((resolve) => {
    engine.on('data', (content: Uint8Array) => {
      size += content.byteLength
      if (size > maxBytes) fault ??= 'longer'
      if (fault !== null) return resolve()
      const pending = onContent(content)
      if (!(pending instanceof Promise)) return
      engine.pause()
      // If `onContent` fails, its caller reports why.
      void pending.catch(() => {}).then(() => engine.resume())
    })
    engine.on('end', () => {
      hasEnded = true
      resolve()
    })
    engine.on('error', (error) => {
      fault ??= faultOf(error)
      resolve()
    })
  })
  const isFinished = (): boolean => hasEnded || fault !== null
  for (const piece of pieces) {
    const written = new Promise<void>((resolve) => {
      engine.write(piece, () => resolve())
    })
    // Wait for content and end, which arrive after the write: an engine that has ended accepts no more input.
    await Promise.race([finished, written.then(() => pause(0))])
    if (isFinished()) break
  }
  if (!isFinished()) engine.end()
  await finished
  const inputBytes = engine.bytesWritten
  engine.destroy()
  return fault === null ? ok(inputBytes) : err(fault)
}

/** The fault that an error means. Node reports codes and workerd messages; anything unknown counts as damaged. */
function faultOf(error: unknown): InflateFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const description = `${code} ${error instanceof Error ? error.message : ''}`
  if (/ERR_BUFFER_TOO_LARGE|memory limit/i.test(description)) return 'longer'
  return /Z_BUF_ERROR|unexpected end/i.test(description) ? 'truncated' : 'damaged'
}
