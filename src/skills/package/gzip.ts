// Opens one gzip stream (RFC 1952) and checks it. Exactly one: what stands behind it is refused.

import { crc32 } from 'node:zlib'
import { err, ok } from '../../lib/result.ts'
import type { Failure, Result } from '../../lib/result.ts'
import { damaged } from './archive-intake.ts'
import { inflate } from './inflate.ts'

const CRC_OF_HEADER = 2
const EXTRA = 4
const NAME = 8
const COMMENT = 16
const RESERVED = 224

/** The content, of at most `most` bytes. Failures: `invalid_archive`. */
export function gunzip(bytes: Uint8Array, most: number): Result<Uint8Array<ArrayBuffer>> {
  const start = endOfHeader(bytes)
  if (start === null) return err(damaged('The gzip header is damaged. Pack the skill again.'))
  const opened = inflate(bytes.subarray(start), most)
  if (!opened.ok) return err(damaged(STREAM[opened.error]))
  const { content, taken } = opened.value
  const end = start + taken
  if (end + 8 > bytes.byteLength) return err(damaged(STREAM.truncated))
  const trailer = new DataView(bytes.buffer, bytes.byteOffset + end, 8)
  if (trailer.getUint32(0, true) !== crc32(content) || trailer.getUint32(4, true) !== content.byteLength)
    return err(damaged(STREAM.damaged))
  return end + 8 === bytes.byteLength ? ok(content) : err(behind(bytes, end + 8))
}

const STREAM = {
  longer: 'The gzip stream is longer than it says. Pack the skill again.',
  damaged: 'The gzip stream is damaged: its bytes do not give what its checksum says. Pack the skill again.',
  truncated: 'The gzip stream breaks off. Send the whole file.',
} as const

function behind(bytes: Uint8Array, at: number): Failure {
  return bytes[at] === 0x1f && bytes[at + 1] === 0x8b
    ? damaged('The file holds several gzip streams. Pack the skill as one.')
    : damaged(`There are ${bytes.byteLength - at} bytes behind the gzip stream. Send the archive alone.`)
}

function endOfHeader(bytes: Uint8Array): number | null {
  const flags = bytes[3] ?? RESERVED
  if (bytes[2] !== 8 || (flags & RESERVED) !== 0) return null
  let at = 10
  if (flags & EXTRA) at += 2 + (bytes[10] ?? 0) + 256 * (bytes[11] ?? 0)
  for (const text of [NAME, COMMENT])
    if (flags & text) {
      const zero = bytes.indexOf(0, at)
      if (zero === -1) return null
      at = zero + 1
    }
  if (flags & CRC_OF_HEADER) at += 2
  return at < bytes.byteLength ? at : null
}
