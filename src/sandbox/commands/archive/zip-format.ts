// The format of zip files.

import { deflateRawSync, inflateRawSync } from 'node:zlib'

import { Unsupported } from '../command.ts'
import { concat } from '../io/bytes.ts'
import { decode, encode } from '../io/text.ts'
import { crc32 } from './crc32.ts'
import { UNPACKED_MAX } from './gzip-format.ts'

export interface ZipEntry {
  /** The name; names of folders end with a slash. */
  readonly name: string
  /** Unix time in milliseconds. The archive's DOS time has no time zone and is treated as UTC. */
  readonly mtimeMs: number
  /** Permission bits. */
  readonly mode: number
  readonly size: number
  readonly crc: number
  /** The compression method. 0: stored, 8: deflated. */
  readonly method: number
  readonly packed: Uint8Array
}

/** The archive is damaged; the message is unzip's. */
export class ZipError extends Error {
  override readonly name = 'ZipError'
}

const END = 0x0605_4b50
const CENTRAL = 0x0201_4b50
const LOCAL = 0x0403_4b50

export async function zipEntry(
  name: string,
  bytes: Uint8Array,
  mtimeMs: number,
  mode: number,
  level: number,
): Promise<ZipEntry> {
  const deflated = level > 0 && bytes.length > 0 ? new Uint8Array(deflateRawSync(bytes, { level })) : bytes
  const stores = deflated.length >= bytes.length
  return {
    name,
    mtimeMs,
    mode,
    size: bytes.length,
    crc: await crc32(bytes),
    method: stores ? 0 : 8,
    packed: stores ? bytes : deflated,
  }
}

export function entryBytes(entry: ZipEntry): Uint8Array {
  if (entry.method === 0) return entry.packed
  if (entry.method !== 8)
    throw new Unsupported(`unzip of compression method ${entry.method}`, 'python3 -m zipfile')
  if (entry.size > UNPACKED_MAX)
    throw new Unsupported('unzip of so large a file', 'python3 with its module zipfile')
  try {
    return new Uint8Array(inflateRawSync(entry.packed, { maxOutputLength: Math.max(1, entry.size) }))
  } catch {
    throw new ZipError('invalid compressed data to inflate')
  }
}

/** Reads the central directory. Throws a `ZipError` if there is none. */
export function readZip(bytes: Uint8Array): readonly ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let end = bytes.length - 22
  while (end >= 0 && view.getUint32(end, true) !== END) end--
  if (end < 0) throw new ZipError('no directory')
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  if (count === 0xffff || at === 0xffff_ffff)
    throw new Unsupported('unzip of a ZIP64 archive', 'python3 -m zipfile')
  const entries: ZipEntry[] = []
  try {
    for (let index = 0; index < count; index++) {
      if (view.getUint32(at, true) !== CENTRAL)
        throw new ZipError('expected central file header signature not found')
      const flags = view.getUint16(at + 8, true)
      if ((flags & 1) === 1)
        throw new Unsupported('unzip of an encrypted archive', 'the person who has the password')
      const size = view.getUint32(at + 20, true)
      const nameLength = view.getUint16(at + 28, true)
      const local = view.getUint32(at + 42, true)
      if (view.getUint32(local, true) !== LOCAL) throw new ZipError('bad zipfile offset')
      const data = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
      const made = view.getUint16(at + 4, true) >> 8
      entries.push({
        name: decode(bytes.subarray(at + 46, at + 46 + nameLength)),
        mtimeMs: timeOf(view.getUint16(at + 14, true), view.getUint16(at + 12, true)),
        mode: made === 3 ? (view.getUint32(at + 38, true) >>> 16) & 0o7777 : 0o644,
        size: view.getUint32(at + 24, true),
        crc: view.getUint32(at + 16, true),
        method: view.getUint16(at + 10, true),
        packed: bytes.subarray(data, data + size),
      })
      at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    }
  } catch (error) {
    if (error instanceof RangeError) throw new ZipError('unexpected end of file')
    throw error
  }
  return entries
}

export function writeZip(entries: readonly ZipEntry[]): Uint8Array {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const entry of entries) {
    const name = encode(entry.name)
    const [date, time] = dosTime(entry.mtimeMs)
    const isFolder = entry.name.endsWith('/')
    // oxlint-disable-next-line no-control-regex -- ASCII is meant
    const flags = /^[\0-\x7f]*$/.test(entry.name) ? 0 : 0x800
    const common = new Uint8Array(26)
    const view = new DataView(common.buffer)
    view.setUint16(0, entry.method === 0 ? 10 : 20, true)
    view.setUint16(2, flags, true)
    view.setUint16(4, entry.method, true)
    view.setUint16(6, time, true)
    view.setUint16(8, date, true)
    view.setUint32(10, entry.crc, true)
    view.setUint32(14, entry.packed.length, true)
    view.setUint32(18, entry.size, true)
    view.setUint16(22, name.length, true)
    const local = concat([Uint8Array.of(0x50, 0x4b, 3, 4), common, name, entry.packed])
    const tail = new Uint8Array(14)
    const tailView = new DataView(tail.buffer)
    tailView.setUint32(
      6,
      (((isFolder ? 0o040_000 : 0o100_000) | entry.mode) * 65_536 + (isFolder ? 16 : 0)) >>> 0,
      true,
    )
    tailView.setUint32(10, offset, true)
    directory.push(concat([Uint8Array.of(0x50, 0x4b, 1, 2, 30, 3), common, tail, name]))
    parts.push(local)
    offset += local.length
  }
  const list = concat([...directory, new Uint8Array()])
  const end = new Uint8Array(22)
  const view = new DataView(end.buffer)
  view.setUint32(0, END, true)
  view.setUint16(8, entries.length, true)
  view.setUint16(10, entries.length, true)
  view.setUint32(12, list.length, true)
  view.setUint32(16, offset, true)
  return concat([...parts, list, end])
}

function timeOf(date: number, time: number): number {
  return Date.UTC(
    1980 + (date >> 9),
    ((date >> 5) & 15) - 1,
    date & 31,
    time >> 11,
    (time >> 5) & 63,
    (time & 31) * 2,
  )
}

function dosTime(mtimeMs: number): readonly [date: number, time: number] {
  // Times have a resolution of two seconds; zip rounds up.
  const when = new Date(Math.max(Date.UTC(1980, 0, 1), Math.ceil(mtimeMs / 2_000) * 2_000))
  return [
    ((when.getUTCFullYear() - 1980) << 9) | ((when.getUTCMonth() + 1) << 5) | when.getUTCDate(),
    (when.getUTCHours() << 11) | (when.getUTCMinutes() << 5) | (when.getUTCSeconds() >> 1),
  ]
}
