// Builds archives byte by byte, so that every field can be wrong. Correct unless a test says otherwise.

import { deflateSync, gzipSync } from 'fflate'
import { joinBytes, utf8 } from '../../../../src/lib/bytes.ts'
import { crc32 } from 'node:zlib'

type Bytes = Uint8Array<ArrayBuffer>

function bytesOf(text: string | Uint8Array): Uint8Array {
  return typeof text === 'string' ? utf8(text) : text
}

/** Little-endian numbers: each value with its width in bytes. */
function words(...pairs: readonly (readonly [value: number, width: number])[]): Bytes {
  const out: number[] = []
  for (const [value, width] of pairs)
    for (let byte = 0; byte < width; byte++) out.push(Math.floor(value / 256 ** byte) & 255)
  return Uint8Array.from(out)
}

interface Reported {
  readonly name?: string | Uint8Array
  readonly flags?: number
  readonly method?: number
  readonly crc?: number
  readonly packed?: number
  readonly size?: number
  readonly offset?: number
  readonly disk?: number
  readonly extra?: Uint8Array
}

export interface ZipMember extends Reported {
  readonly content?: string | Uint8Array
  /** The bytes in the archive. Default: `content`, compressed by the method. */
  readonly raw?: Uint8Array
  /** External attributes: a Unix mode. */
  readonly mode?: number
  readonly dosFolder?: boolean
  /** Values that the local or the central header states instead. */
  readonly local?: Reported
  readonly central?: Reported
  /** The data descriptor after the content. `flags` needs 8. */
  readonly behind?: 'signed' | 'bare' | Uint8Array
}

export interface ZipShape {
  readonly before?: Uint8Array
  readonly between?: Uint8Array
  readonly beforeEnd?: Uint8Array
  readonly after?: Uint8Array
  readonly comment?: string | Uint8Array
  readonly commentBytes?: number
  readonly entries?: number
  readonly here?: number
  readonly disk?: number
  readonly directory?: number
  readonly directoryBytes?: number
}

export function zipOf(members: readonly ZipMember[], shape: ZipShape = {}): Bytes {
  const local: Uint8Array[] = [shape.before ?? new Uint8Array()]
  const central: Uint8Array[] = []
  let at = shape.before?.length ?? 0
  for (const [index, member] of members.entries()) {
    const content = bytesOf(member.content ?? '')
    const method = member.method ?? 8
    const raw = member.raw ?? (method === 8 ? deflateSync(content) : content)
    const truth = {
      name: member.name ?? 'SKILL.md',
      flags: member.flags ?? 0x800,
      method,
      crc: member.crc ?? crc32(content),
      packed: member.packed ?? raw.length,
      size: member.size ?? content.length,
      extra: member.extra ?? new Uint8Array(),
    }
    const behind = member.behind ? { crc: 0, packed: 0, size: 0 } : {}
    const parts = [localHeader({ ...truth, ...behind, ...member.local }), raw]
    if (member.behind) parts.push(descriptor(member.behind, truth))
    if (index > 0 && shape.between) parts.unshift(shape.between)
    const start = at + (index > 0 ? (shape.between?.length ?? 0) : 0)
    central.push(centralHeader({ offset: start, ...truth, ...member.central }, member))
    local.push(...parts)
    at += parts.reduce((sum, part) => sum + part.length, 0)
  }
  const directory = joinBytes(central)
  const comment = bytesOf(shape.comment ?? '')
  const end = words(
    [0x06054b50, 4],
    [shape.disk ?? 0, 2],
    [0, 2],
    [shape.here ?? shape.entries ?? members.length, 2],
    [shape.entries ?? members.length, 2],
    [shape.directoryBytes ?? directory.length, 4],
    [shape.directory ?? at, 4],
    [shape.commentBytes ?? comment.length, 2],
  )
  const empty = new Uint8Array()
  return joinBytes([...local, directory, shape.beforeEnd ?? empty, end, comment, shape.after ?? empty])
}

type Truth = Required<Omit<Reported, 'offset' | 'disk'>>

function localHeader(reported: Truth): Bytes {
  const name = bytesOf(reported.name)
  return joinBytes([
    words([0x04034b50, 4], [20, 2], [reported.flags, 2], [reported.method, 2], [0, 2], [33, 2]),
    words(
      [reported.crc, 4],
      [reported.packed, 4],
      [reported.size, 4],
      [name.length, 2],
      [reported.extra.length, 2],
    ),
    name,
    reported.extra,
  ])
}

function centralHeader(reported: Truth & Reported, member: ZipMember): Bytes {
  const name = bytesOf(reported.name)
  const attributes = ((member.mode ?? 0o100644) * 65_536 + (member.dosFolder ? 16 : 0)) % 2 ** 32
  return joinBytes([
    words(
      [0x02014b50, 4],
      [(3 << 8) | 20, 2],
      [20, 2],
      [reported.flags, 2],
      [reported.method, 2],
      [0, 2],
      [33, 2],
    ),
    words(
      [reported.crc, 4],
      [reported.packed, 4],
      [reported.size, 4],
      [name.length, 2],
      [reported.extra.length, 2],
    ),
    words([0, 2], [reported.disk ?? 0, 2], [0, 2], [attributes, 4], [reported.offset ?? 0, 4]),
    name,
    reported.extra,
  ])
}

function descriptor(kind: 'signed' | 'bare' | Uint8Array, { crc, packed, size }: Truth): Uint8Array {
  if (typeof kind !== 'string') return kind
  const bare = words([crc, 4], [packed, 4], [size, 4])
  return kind === 'bare' ? bare : joinBytes([words([0x08074b50, 4]), bare])
}

/** An extra field of a zip member. */
export function extra(id: number, content: Uint8Array = new Uint8Array()): Bytes {
  return joinBytes([words([id, 2], [content.length, 2]), content])
}

export interface TarMember {
  readonly name: string | Uint8Array
  readonly content?: string | Uint8Array
  readonly kind?: string
  readonly mode?: number | string
  readonly size?: number | string | Uint8Array
  readonly prefix?: string
  readonly link?: string
  readonly magic?: string
  readonly checksum?: number
  /** Twelve bytes. */
  readonly time?: Uint8Array
  /** Eight bytes. */
  readonly owner?: Uint8Array
}

export function tarMember(member: TarMember): Bytes {
  const content = bytesOf(member.content ?? '')
  const mode = member.mode ?? 0o644
  const size = member.size ?? content.length
  const header = new Uint8Array(512)
  const put = (at: number, value: string | Uint8Array): void => header.set(bytesOf(value), at)
  const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`
  put(0, member.name)
  put(100, typeof mode === 'number' ? octal(mode, 8) : mode)
  put(108, member.owner ?? octal(0, 8))
  put(116, octal(0, 8))
  put(124, typeof size === 'number' ? octal(size, 12) : size)
  put(136, member.time ?? octal(0, 12))
  put(148, ' '.repeat(8))
  put(156, member.kind ?? '0')
  put(157, member.link ?? '')
  put(257, member.magic ?? 'ustar\x0000')
  put(345, member.prefix ?? '')
  const sum = header.reduce((all, byte) => all + byte, 0)
  put(148, `${octal(member.checksum ?? sum, 7)} `)
  return joinBytes([header, content, new Uint8Array(-content.length & 511)])
}

/** Gzipped, with `blocks` of zeros at its end. */
export function tarGzOf(members: readonly (TarMember | Uint8Array)[], blocks = 2): Bytes {
  const parts = members.map((member) => (member instanceof Uint8Array ? member : tarMember(member)))
  return gzipSync(joinBytes([...parts, new Uint8Array(512 * blocks)]), { mtime: 0 })
}

/** Pax records, which precede the member that they describe. */
export function pax(records: Readonly<Record<string, string>>, kind = 'x'): Bytes {
  const lines = Object.entries(records).map(([key, value]) => {
    const rest = utf8(` ${key}=${value}\n`).length
    let length = rest + 1
    while (String(length).length + rest !== length) length += 1
    return `${length} ${key}=${value}\n`
  })
  return tarMember({ name: 'PaxHeaders/x', kind, content: lines.join('') })
}

/** A GNU long name, which precedes its member. */
export function longName(name: string): Bytes {
  return tarMember({ name: '././@LongLink', kind: 'L', content: `${name}\0`, magic: 'ustar  \0' })
}
