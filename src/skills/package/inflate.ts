// DEFLATE by the runtime's own zlib, within an exact limit. Knows no container; throws nothing.

import { inflateRawSync } from 'node:zlib'
import { err, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'

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

/** Node gives codes, workerd words. What neither is known by is damage. */
function faultOf(error: unknown): InflateFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const said = `${code} ${error instanceof Error ? error.message : ''}`
  if (/ERR_BUFFER_TOO_LARGE|memory limit/i.test(said)) return 'longer'
  return /Z_BUF_ERROR|unexpected end/i.test(said) ? 'truncated' : 'damaged'
}
