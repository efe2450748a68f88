// The format of gzip files.

import { deflateRawSync, gunzipSync } from 'node:zlib'

import { Failed, Unsupported } from '../command.ts'
import { bytesOfLatin1, latin1OfText } from '../io/latin1.ts'
import { concat } from '../io/bytes.ts'
import { crc32 } from './crc32.ts'

/** Maximum size of unpacked data: larger results would not fit into the shell's memory. */
export const UNPACKED_MAX = 25_165_824

interface GzipHeader {
  /** The name of the original file; empty if there is none. */
  readonly name: string
  /** Unix time in seconds; 0 if there is none. */
  readonly time: number
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

export async function packed(
  bytes: Uint8Array,
  level: number,
  { name, time }: GzipHeader,
): Promise<Uint8Array> {
  const head = new Uint8Array(10)
  const view = new DataView(head.buffer)
  head.set([0x1f, 0x8b, 8, name === '' ? 0 : 8])
  view.setUint32(4, time, true)
  head[8] = level === 9 ? 2 : level === 1 ? 4 : 0
  head[9] = 3
  const tail = new Uint8Array(8)
  const tailView = new DataView(tail.buffer)
  tailView.setUint32(0, await crc32(bytes), true)
  tailView.setUint32(4, bytes.length, true)
  const body = new Uint8Array(deflateRawSync(bytes, { level }))
  return concat([head, name === '' ? new Uint8Array() : bytesOfLatin1(`${latin1OfText(name)}\0`), body, tail])
}

/** Unpacks a file. Throws a `Failed` with gzip's message; `name` is the file name in that message. */
export function unpacked(bytes: Uint8Array, name: string): Uint8Array {
  if (!isGzip(bytes)) throw new Failed(`${name}: not in gzip format`)
  try {
    return new Uint8Array(gunzipSync(bytes, { maxOutputLength: UNPACKED_MAX }))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (/larger than|memory|ERR_BUFFER_TOO_LARGE/i.test(message))
      throw new Unsupported('gzip of so large a result', 'python3 with its module gzip, in parts')
    throw new Failed(
      /unexpected end/i.test(message)
        ? `${name}: unexpected end of file`
        : `${name}: invalid compressed data--format violated`,
    )
  }
}
