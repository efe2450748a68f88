// Looks for programs in a zip file inside a skill, by the names and the first bytes of its members. Work is
// bounded, and no member is unpacked completely.
//
// Unlike the reader of uploads (../package/zip-directory.ts), it accepts archives with gaps or overlaps.
// Otherwise, it would miss a program in such an archive or in an office document.

import { Inflate } from 'fflate'

import { SCAN_NESTED_BYTES_MAX, SCAN_NESTED_MEMBERS_MAX } from '../base/limits.ts'
import { programKind } from './magic.ts'

export interface NestedLook {
  /** Name and kind of the first program; null if there is none. */
  readonly program: { readonly name: string; readonly kind: string } | null
  /** False if a member could not be checked: the archive is damaged, encrypted, or too large. */
  readonly whole: boolean
}

const END = 0x06054b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
const END_BYTES = 22
const COMMENT_MAX_BYTES = 65_535
// A Huffman table, which has fewer than 320 bytes, may precede the first byte of a member.
const HEAD_BYTES = 512
const DEFLATED = 8

export function lookIntoZip(bytes: Uint8Array): NestedLook {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endOf(view)
  if (end < 0) return { program: null, whole: false }
  const members = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  let budget = SCAN_NESTED_BYTES_MAX
  let whole = members <= SCAN_NESTED_MEMBERS_MAX
  for (let member = 0; member < Math.min(members, SCAN_NESTED_MEMBERS_MAX); member++) {
    if (at + 46 > bytes.byteLength || view.getUint32(at, true) !== CENTRAL)
      return { program: null, whole: false }
    const flags = view.getUint16(at + 8, true)
    const nameBytes = view.getUint16(at + 28, true)
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameBytes))
    const head = headOf(bytes, view, at, budget)
    budget -= head?.cost ?? 0
    if ((flags & 1) === 1 || !head) whole = false
    const kind = head && programKind(name, head.bytes, !head.bytes.includes(0))
    if (kind) return { program: { name, kind }, whole }
    at += 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return { program: null, whole }
}

function endOf(view: DataView): number {
  const last = view.byteLength - END_BYTES
  for (let at = last; at >= Math.max(0, last - COMMENT_MAX_BYTES); at--)
    if (view.getUint32(at, true) === END) return at
  return -1
}

/**
 * The first bytes of the member whose central directory record is at `at`, and how many bytes were
 * decompressed; null if they cannot be read.
 */
function headOf(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  budget: number,
): { readonly bytes: Uint8Array; readonly cost: number } | null {
  const method = view.getUint16(at + 10, true)
  const local = view.getUint32(at + 42, true)
  if (local + 30 > bytes.byteLength || view.getUint32(local, true) !== LOCAL) return null
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
  const packed = bytes.subarray(start, start + Math.min(HEAD_BYTES, view.getUint32(at + 20, true)))
  if (method === 0) return { bytes: packed, cost: 0 }
  if (method !== DEFLATED || budget <= 0) return null
  let first: Uint8Array | null = null
  let cost = 0
  const inflate = new Inflate((chunk) => {
    cost += chunk.byteLength
    if (chunk.byteLength > 0) first ??= chunk.slice(0, HEAD_BYTES)
  })
  try {
    inflate.push(packed, false)
  } catch {
    return null
  }
  return { bytes: first ?? new Uint8Array(), cost }
}
