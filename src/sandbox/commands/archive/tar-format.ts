// Writes archives byte by byte as GNU tar does: its headers, long names, and blocks of 10,240 bytes.

import { concat } from '../io/bytes.ts'
import { decode, encode } from '../io/text.ts'

export interface TarMember {
  readonly name: string
  readonly kind: 'file' | 'directory' | 'link' | 'same'
  readonly mode: number
  readonly mtimeMs: number
  readonly owner: TarOwner
  readonly group: TarOwner
  readonly bytes: Uint8Array
  /** The target of a symbolic link, or of a member that is the `same` file as an earlier one. */
  readonly target?: string
}

export interface TarOwner {
  readonly id: number
  /** The name; empty with `--numeric-owner`. */
  readonly name: string
}

const BLOCK = 512
const RECORD = 10_240
const NAME_BYTES = 100
const TYPES = { file: '0', same: '1', link: '2', directory: '5' } as const
const MAGIC = 'ustar  '

/** Returns the members without an end-of-archive marker. */
export function packMembers(members: readonly TarMember[]): Uint8Array {
  const parts = members.flatMap((member) => {
    const name = encode(member.name)
    const target = encode(member.target ?? '')
    const type = TYPES[member.kind]
    const long = [
      ...(target.length > NAME_BYTES ? longName(target, 'K', member.owner) : []),
      ...(name.length > NAME_BYTES ? longName(name, 'L', member.owner) : []),
    ]
    return [...long, header(member, name, type), padded(member.bytes)]
  })
  return concat([...parts, new Uint8Array()])
}

/** Appends the two empty blocks that end an archive, and fills its last record. */
export function endArchive(members: Uint8Array): Uint8Array {
  const all = new Uint8Array(Math.ceil((members.length + 2 * BLOCK) / RECORD) * RECORD)
  all.set(members)
  return all
}

/** Returns the offset after the last member. */
export function membersEnd(archive: Uint8Array): number {
  let at = 0
  while (at + BLOCK <= archive.length && archive[at] !== 0) {
    const size = Number.parseInt(decode(archive.subarray(at + 124, at + 136)), 8)
    at += BLOCK + Math.ceil((Number.isNaN(size) ? 0 : size) / BLOCK) * BLOCK
  }
  return at
}

/** Stores a name that does not fit into a header, as a separate member. */
function longName(name: Uint8Array, type: 'K' | 'L', owner: TarOwner): readonly Uint8Array[] {
  const root = { id: 0, name: owner.name === '' ? '' : 'root' }
  const bytes = concat([name, new Uint8Array(1)])
  const member = { name: '', mode: 0o644, mtimeMs: 0, owner: root, group: root, bytes, kind: 'file' } as const
  return [header(member, encode('././@LongLink'), type), padded(bytes)]
}

function padded(bytes: Uint8Array): Uint8Array {
  const all = new Uint8Array(Math.ceil(bytes.length / BLOCK) * BLOCK)
  all.set(bytes)
  return all
}

function header(
  { mode, mtimeMs, owner, group, bytes, target = '' }: TarMember,
  name: Uint8Array,
  type: string,
): Uint8Array {
  const block = new Uint8Array(BLOCK)
  const put = (at: number, text: string): void => block.set(encode(text), at)
  const octal = (at: number, digits: number, value: number): void =>
    put(at, value.toString(8).padStart(digits, '0'))
  block.set(name.subarray(0, NAME_BYTES), 0)
  octal(100, 7, mode)
  octal(108, 7, owner.id)
  octal(116, 7, group.id)
  octal(124, 11, bytes.length)
  octal(136, 11, Math.max(0, Math.floor(mtimeMs / 1_000)))
  put(148, ' '.repeat(8))
  put(156, type)
  block.set(encode(target).subarray(0, NAME_BYTES), 157)
  put(257, MAGIC)
  put(265, owner.name)
  put(297, group.name)
  const sum = block.reduce((total, byte) => total + byte, 0)
  put(148, `${sum.toString(8).padStart(6, '0')}\0 `)
  return block
}
