// Parses the header blocks of a tar and its pax records. Reads no content of files.

import { utf8 } from '../../lib/bytes.ts'
import { err, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { TAR_PAX_RECORDS_MAX } from './limits.ts'

export const TAR_BLOCK = 512

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
  if (octal(block, 148, 8) !== checksum(block) || octal(block, 100, 8) === null) return null
  block.fill(0, 108, 124).fill(0, 136, 148)
  block.set(utf8(`${checksum(block).toString(8).padStart(6, '0')}\0 `), 148)
  const [name, prefix] = [upToNul(block, 0, 100), upToNul(block, 345, 155)]
  const isSplit = prefix.length > 0 && ascii(block, 257, 6) === 'ustar\0'
  return {
    name: isSplit ? Uint8Array.from([...prefix, 0x2f, ...name]) : name,
    typeflag: ascii(block, 156, 1),
    size: octal(block, 124, 12),
  }
}

/**
 * The records of a pax header, by key. Each must be `length key=value` and a line break, without gaps in between,
 * because readers disagree on anything else and the decoder takes quadratic time for it. The error is a sentence.
 */
export function paxRecords(body: Uint8Array): Result<ReadonlyMap<string, string>, string> {
  const records = new Map<string, string>()
  let count = 0
  for (let at = 0; at < body.length; count++) {
    const length = /^[1-9]\d{0,4}(?= )/.exec(ascii(body, at, 6))?.[0] ?? ''
    const end = at + Number(length)
    const record = decoder.decode(body.subarray(at + length.length + 1, end - 1))
    const equals = record.indexOf('=')
    if (length === '' || end > body.length || body[end - 1] !== 0x0a || equals < 1)
      return err('Its pax records are malformed.')
    if (count === TAR_PAX_RECORDS_MAX) return err(`It has more than ${TAR_PAX_RECORDS_MAX} pax records.`)
    records.set(record.slice(0, equals), record.slice(equals + 1))
    at = end
  }
  return ok(records)
}

function checksum(block: Uint8Array): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)
}

function octal(block: Uint8Array, at: number, width: number): number | null {
  const digits = /^ *([0-7]*)[ \0]*$/.exec(ascii(block, at, width))?.[1]
  return digits === undefined ? null : Number.parseInt(`0${digits}`, 8)
}

function upToNul(block: Uint8Array, at: number, width: number): Uint8Array {
  const field = block.subarray(at, at + width)
  const end = field.indexOf(0)
  return field.slice(0, end === -1 ? width : end)
}

function ascii(bytes: Uint8Array, at: number, width: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + width))
}
