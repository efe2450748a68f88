// Writes tar archives piece by piece, so that an archive may be larger than memory. Pure.

import { joinBytes, utf8 } from './bytes.ts'

const BLOCK_BYTES = 512
const NAME_MAX_BYTES = 100
/** Octal digits of a size in a header: up to 8 GiB, more than any file here. */
const SIZE_DIGITS = 11

/** An archive ends with two empty blocks. */
export const TAR_END = new Uint8Array(2 * BLOCK_BYTES)

/**
 * The header of a file, after which exactly `bytes` bytes and their padding follow. A name that is long or not ASCII is written
 * as an extended header (pax), which every current tar reads.
 */
export function tarHeader(name: string, bytes: number, mtimeMs: number): Uint8Array<ArrayBuffer> {
  const mtimeS = Math.max(0, Math.floor(mtimeMs / 1_000))
  if (/^[\x20-\x7e]*$/.test(name) && name.length <= NAME_MAX_BYTES) return block(name, bytes, mtimeS, '0')
  const extended = utf8(paxRecord('path', name))
  const shortName = name.replace(/[^\x20-\x7e]/g, '_').slice(-NAME_MAX_BYTES)
  return joinBytes([
    block('PaxHeader', extended.length, mtimeS, 'x'),
    extended,
    tarPadding(extended.length),
    block(shortName, bytes, mtimeS, '0'),
  ])
}

/** The zeros that fill the last block of a file. */
export function tarPadding(bytes: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array((BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES)
}

/** The record begins with its own length in bytes. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  const size = utf8(rest).length
  const length = [1, 2, 3, 4, 5]
    .map((digits) => size + digits)
    .find((all) => String(all).length === all - size)
  return `${length}${rest}`
}

function block(name: string, bytes: number, mtimeS: number, type: '0' | 'x'): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(BLOCK_BYTES)
  const write = (offset: number, text: string): void => header.set(utf8(text), offset)
  write(0, name)
  write(100, '0000644\0')
  write(108, '0000000\0')
  write(116, '0000000\0')
  write(124, bytes.toString(8).padStart(SIZE_DIGITS, '0'))
  write(136, mtimeS.toString(8).padStart(11, '0'))
  // The sum counts its own field as spaces.
  write(148, '        ')
  write(156, type)
  write(257, 'ustar\x0000')
  const sum = header.reduce((total, byte) => total + byte, 0)
  write(148, `${sum.toString(8).padStart(6, '0')}\0 `)
  return header
}
