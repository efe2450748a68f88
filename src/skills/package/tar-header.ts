// Parses the header blocks of a tar and its pax records. Reads no content of files.

import { utf8 } from '../../lib/bytes.ts'
import { err, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { TAR_PAX_RECORDS_MAX } from './limits.ts'

export const TAR_BLOCK_BYTES = 512

const decoder = new TextDecoder()

export interface TarHeader {
  readonly name: Uint8Array
  /** One character that says what the member is. In very old archives, NUL means a file. */
  readonly typeflag: string
  /** Bytes of content; null if the field does not consist of octal digits. */
  readonly size: number | null
}

/**
 * Parses a header block; null if its checksum is wrong or its mode is not a number. Sets owner and time in `block` to
 * zero, because skills do not use them and the decoder rejects times before 1970 and large owner IDs.
 */
export function readHeader(block: Uint8Array): TarHeader | null {
  if (readOctal(block, 148, 8) !== checksum(block) || readOctal(block, 100, 8) === null) return null
  block.fill(0, 108, 124).fill(0, 136, 148)
  block.set(utf8(`${checksum(block).toString(8).padStart(6, '0')}\0 `), 148)
  const [name, prefix] = [readUpToNul(block, 0, 100), readUpToNul(block, 345, 155)]
  const isSplit = prefix.length > 0 && readAscii(block, 257, 6) === 'ustar\0'
  return {
    name: isSplit ? Uint8Array.from([...prefix, 0x2f, ...name]) : name,
    typeflag: readAscii(block, 156, 1),
    size: readOctal(block, 124, 12),
  }
}

/**
 * The records of a pax header, by key. Each must be `length key=value` and a line break, without gaps in between,
 * because readers disagree on anything else and the decoder takes quadratic time for it. The error is a sentence.
 */
export function paxRecords(body: Uint8Array): Result<ReadonlyMap<string, string>, string> {
  const records = new Map<string, string>()
  let count = 0
  for (let offset = 0; offset < body.length; count++) {
    const length = /^[1-9]\d{0,4}(?= )/.exec(readAscii(body, offset, 6))?.[0] ?? ''
    const end = offset + Number(length)
    const record = decoder.decode(body.subarray(offset + length.length + 1, end - 1))
    const equals = record.indexOf('=')
    if (length === '' || end > body.length || body[end - 1] !== 0x0a || equals < 1)
      return err('Its pax records are malformed.')
    if (count === TAR_PAX_RECORDS_MAX) return err(`It has more than ${TAR_PAX_RECORDS_MAX} pax records.`)
    records.set(record.slice(0, equals), record.slice(equals + 1))
    offset = end
  }
  return ok(records)
}

function checksum(block: Uint8Array): number {
  return block.reduce((sum, byte, offset) => sum + (offset >= 148 && offset < 156 ? 0x20 : byte), 0)
}

function readOctal(block: Uint8Array, offset: number, width: number): number | null {
  const digits = /^ *([0-7]*)[ \0]*$/.exec(readAscii(block, offset, width))?.[1]
  return digits === undefined ? null : Number.parseInt(`0${digits}`, 8)
}

function readUpToNul(block: Uint8Array, offset: number, width: number): Uint8Array {
  const field = block.subarray(offset, offset + width)
  const end = field.indexOf(0)
  return field.slice(0, end === -1 ? width : end)
}

function readAscii(bytes: Uint8Array, offset: number, width: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + width))
}
