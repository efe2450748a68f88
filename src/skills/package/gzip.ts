// Opens one gzip stream (RFC 1952) and checks it. Exactly one: what stands behind it is refused.

import { crc32 } from 'node:zlib'
import { err, ok } from '../../lib/result.ts'
import type { Failure, Result } from '../../lib/result.ts'
import { damaged } from './archive-intake.ts'
import type { Blocks } from './blocks.ts'
import { inflateTo } from './inflate.ts'

const CRC_OF_HEADER = 2
const EXTRA = 4
const NAME = 8
const COMMENT = 16
const RESERVED = 224
// Ten bytes, extra fields of 65,537 at most, and names: a header that is longer is none that a packer writes.
const HEADER_MAX = 131_072

/** True for fewer bytes than a header, an empty stream and a trailer have. */
export function isGzipCut(bytes: Blocks): boolean {
  return bytes.length < 18
}

/**
 * `take` gets the content, of at most `most` bytes, before it is known to be whole: it counts when the answer is ok.
 * Gives up what was read. Failures: `invalid_archive`.
 */
export async function gunzip(
  bytes: Blocks,
  most: number,
  take: (content: Uint8Array) => void,
): Promise<Result<null>> {
  const start = endOfHeader(bytes.slice(0, HEADER_MAX))
  if (start === null || start >= bytes.length)
    return err(damaged('The gzip header is damaged. Pack the skill again.'))
  if (isGzipCut(bytes)) return err(damaged(STREAM.truncated))
  let size = 0
  let sum = 0
  const opened = await inflateTo(bytes.pieces(start, bytes.length), most, (content) => {
    size += content.byteLength
    sum = crc32(content, sum)
    take(content)
  })
  if (!opened.ok) return err(damaged(STREAM[opened.error]))
  const end = start + opened.value
  if (end + 8 > bytes.length) return err(damaged(STREAM.truncated))
  const trailer = bytes.slice(end, end + 8)
  const said = new DataView(trailer.buffer, trailer.byteOffset, 8)
  if (said.getUint32(0, true) !== sum || said.getUint32(4, true) !== size) return err(damaged(STREAM.damaged))
  return end + 8 === bytes.length ? ok(null) : err(behind(bytes, end + 8))
}

const STREAM = {
  longer: 'The gzip stream is longer than it says. Pack the skill again.',
  damaged: 'The gzip stream is damaged: its bytes do not give what its checksum says. Pack the skill again.',
  truncated: 'The gzip stream breaks off. Send the whole file.',
} as const

function behind(bytes: Blocks, at: number): Failure {
  const [first, second] = bytes.slice(at, at + 2)
  return first === 0x1f && second === 0x8b
    ? damaged('The file holds several gzip streams. Pack the skill as one.')
    : damaged(`There are ${bytes.length - at} bytes behind the gzip stream. Send the archive alone.`)
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
