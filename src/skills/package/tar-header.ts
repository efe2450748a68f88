// One 512-byte header of a tar, and the records that pax puts before it. Strict: what two readers could read
// differently is refused. Reads no content.

import { equalBytes, fromUtf8 } from '../../lib/bytes.ts'
import { err, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'

export interface TarHeader {
  readonly name: Uint8Array
  readonly mode: number
  readonly size: number
  /** The letter of its kind: '0' is a file. */
  readonly kind: string
}

const POSIX = Uint8Array.of(0x75, 0x73, 0x74, 0x61, 0x72, 0, 0x30, 0x30)
const GNU = Uint8Array.of(0x75, 0x73, 0x74, 0x61, 0x72, 0x20, 0x20, 0)
const SLASH = 47

/** The error is a sentence about the header. */
export function tarHeader(block: Uint8Array): Result<TarHeader, string> {
  const magic = block.subarray(257, 265)
  const posix = equalBytes(magic, POSIX)
  if (octal(block.subarray(148, 156)) !== checksum(block)) return err('A header of the tar is damaged.')
  if (!posix && !equalBytes(magic, GNU))
    return err('A header of the tar is of an old form. Pack it as ustar, pax or GNU tar.')
  const name = text(block.subarray(0, 100))
  // GNU tar keeps times where ustar keeps the front of a long name.
  const prefix = posix ? text(block.subarray(345, 500)) : new Uint8Array()
  const mode = octal(block.subarray(100, 108))
  const size = octal(block.subarray(124, 136))
  if (!name || !prefix || mode === null || size === null) return err('A header of the tar is damaged.')
  const kind = block[156] === 0 ? '0' : String.fromCharCode(block[156] ?? 0)
  return ok({ name: prefix.length > 0 ? joined(prefix, name) : name, mode, size, kind })
}

function joined(prefix: Uint8Array, name: Uint8Array): Uint8Array {
  const out = new Uint8Array(prefix.length + 1 + name.length)
  out.set(prefix)
  out[prefix.length] = SLASH
  out.set(name, prefix.length + 1)
  return out
}

/** Up to the first NUL, behind which there may only be more of them; null otherwise. */
function text(field: Uint8Array): Uint8Array | null {
  const end = field.indexOf(0)
  if (end === -1) return field
  return field.subarray(end).every((byte) => byte === 0) ? field.subarray(0, end) : null
}

/** Octal digits between blanks, ended by a blank or NUL. The binary form is for gigabytes: null. */
function octal(field: Uint8Array): number | null {
  const digits = /^ *([0-7]*)[ \0]*$/.exec(String.fromCharCode(...field))?.[1]
  return digits === undefined ? null : Number.parseInt(digits === '' ? '0' : digits, 8)
}

/** The sum of the bytes, with blanks in the place of the sum itself. */
function checksum(block: Uint8Array): number {
  let sum = 8 * 32
  for (let at = 0; at < 512; at++) if (at < 148 || at >= 156) sum += block[at] ?? 0
  return sum
}

/** What pax says of the next member, or (global) of all: only what it may say is kept. */
export interface PaxRecords {
  readonly path: Uint8Array | null
  readonly size: number | null
}

/** Lines of `length key=value`. The error is a sentence. */
export function paxRecords(bytes: Uint8Array): Result<PaxRecords, string> {
  const found = new Map<string, Uint8Array>()
  let at = 0
  while (at < bytes.length) {
    const digits = /^([1-9]\d{0,5}) /.exec(String.fromCharCode(...bytes.subarray(at, at + 8)))?.[1] ?? ''
    const end = at + Number(digits)
    const equals = bytes.indexOf(61, at)
    if (digits === '' || end > bytes.length || bytes[end - 1] !== 10 || equals === -1 || equals >= end)
      return err('Its pax records are damaged.')
    const key = fromUtf8(bytes.subarray(at + digits.length + 1, equals))
    if (key === null || found.has(key)) return err('Its pax records are damaged.')
    if (key === 'linkpath') return err('It is a link. Pack the file that it leads to.')
    if (key.startsWith('GNU.sparse.')) return err('It is a sparse file. Pack it without --sparse.')
    if (key === 'hdrcharset') return err('Its name is not UTF-8.')
    found.set(key, bytes.subarray(equals + 1, end - 1))
    at = end
  }
  const size = found.get('size')
  const said = size ? /^\d{1,15}$/.exec(String.fromCharCode(...size))?.[0] : null
  if (said === undefined) return err('Its pax records are damaged.')
  return ok({ path: found.get('path') ?? null, size: said === null ? null : Number(said) })
}
