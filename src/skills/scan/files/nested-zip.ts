// Looks for programs in a zip file inside a skill, by the names and the first bytes of its members. Work is
// bounded, and no member is unpacked completely.
//
// Unlike the reader of uploads (../package/zip-directory.ts), it accepts archives with gaps or overlaps.
// Otherwise, it would miss a program in such an archive or in an office document.

import { Inflate } from 'fflate'

import { SCAN_NESTED_BYTES_MAX, SCAN_NESTED_MEMBERS_MAX } from '../base/limits.ts'
import { programKind } from './magic.ts'

export interface NestedZip {
  /** Name and kind of the first program; null if there is none. */
  readonly program: { readonly name: string; readonly kind: string } | null
  /** False if a member could not be checked: the archive is damaged, encrypted, or too large. */
  readonly isComplete: boolean
}

const END_SIGNATURE = 0x06054b50
const CENTRAL_SIGNATURE = 0x02014b50
const LOCAL_SIGNATURE = 0x04034b50
const END_BYTES = 22
const COMMENT_MAX_BYTES = 65_535
// A Huffman table, which has fewer than 320 bytes, may precede the first byte of a member.
const HEAD_BYTES = 512
const DEFLATED = 8

export function inspectZip(bytes: Uint8Array): NestedZip {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEndRecord(view)
  if (end < 0) return { program: null, isComplete: false }
  const memberCount = view.getUint16(end + 10, true)
  let offset = view.getUint32(end + 16, true)
  let budget = SCAN_NESTED_BYTES_MAX
  let isComplete = memberCount <= SCAN_NESTED_MEMBERS_MAX
  for (let member = 0; member < Math.min(memberCount, SCAN_NESTED_MEMBERS_MAX); member++) {
    if (offset + 46 > bytes.byteLength || view.getUint32(offset, true) !== CENTRAL_SIGNATURE)
      return { program: null, isComplete: false }
    const flags = view.getUint16(offset + 8, true)
    const nameBytes = view.getUint16(offset + 28, true)
    const name = new TextDecoder().decode(bytes.subarray(offset + 46, offset + 46 + nameBytes))
    const head = readHead(bytes, view, offset, budget)
    budget -= head?.decompressedBytes ?? 0
    if ((flags & 1) === 1 || !head) isComplete = false
    const kind = head && programKind(name, head.bytes, !head.bytes.includes(0))
    if (kind) return { program: { name, kind }, isComplete }
    offset += 46 + nameBytes + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true)
  }
  return { program: null, isComplete }
}

function findEndRecord(view: DataView): number {
  const last = view.byteLength - END_BYTES
  for (let offset = last; offset >= Math.max(0, last - COMMENT_MAX_BYTES); offset--)
    if (view.getUint32(offset, true) === END_SIGNATURE) return offset
  return -1
}

/**
 * The first bytes of the member whose central directory record is at `offset`, and how many bytes were
 * decompressed; null if they cannot be read.
 */
function readHead(
  bytes: Uint8Array,
  view: DataView,
  offset: number,
  budget: number,
): { readonly bytes: Uint8Array; readonly decompressedBytes: number } | null {
  const method = view.getUint16(offset + 10, true)
  const localOffset = view.getUint32(offset + 42, true)
  if (localOffset + 30 > bytes.byteLength || view.getUint32(localOffset, true) !== LOCAL_SIGNATURE)
    return null
  const start =
    localOffset + 30 + view.getUint16(localOffset + 26, true) + view.getUint16(localOffset + 28, true)
  const compressed = bytes.subarray(start, start + Math.min(HEAD_BYTES, view.getUint32(offset + 20, true)))
  if (method === 0) return { bytes: compressed, decompressedBytes: 0 }
  if (method !== DEFLATED || budget <= 0) return null
  let firstBytes: Uint8Array | null = null
  let decompressedBytes = 0
  const inflate = new Inflate((chunk) => {
    decompressedBytes += chunk.byteLength
    if (chunk.byteLength > 0) firstBytes ??= chunk.slice(0, HEAD_BYTES)
  })
  try {
    inflate.push(compressed, false)
  } catch {
    return null
  }
  return { bytes: firstBytes ?? new Uint8Array(), decompressedBytes }
}
