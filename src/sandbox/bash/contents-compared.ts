// Compares the contents of files in the shell's tree, and describes new contents in changes.

import type { GuestChange, HostPiece } from '../guest.ts'
import type { FileEntry } from './entries.ts'

/** The change that creates this file. A file that the host already has is only referenced. */
export function changeTo(path: string, { pieces, bytes, hostPath, size }: FileEntry): GuestChange {
  if (bytes && pieces.length === 0) return { path, bytes }
  const whole =
    hostPath === null || pieces.length > 0 ? pieces : [{ source: hostPath, offset: 0, bytes: size }]
  return { path, pieces: whole, bytes: bytes ?? new Uint8Array() }
}

/** Whether two files have the same content, as far as it is known without reading. */
export function haveSameContent(entry: FileEntry, base: FileEntry | undefined): boolean {
  if (!base) return false
  if (entry.bytes === null && base.bytes === null) return entry.hostPath === base.hostPath
  // The bytes of a host file may be cached or not, so compare its path instead.
  if (entry.hostPath !== null && entry.hostPath === base.hostPath && !entry.isOwn && !base.isOwn) return true
  const isSamePiece = (piece: HostPiece, index: number): boolean =>
    piece.source === base.pieces[index]?.source &&
    piece.offset === base.pieces[index].offset &&
    piece.bytes === base.pieces[index].bytes
  return (
    entry.pieces.length === base.pieces.length &&
    entry.pieces.every(isSamePiece) &&
    entry.bytes !== null &&
    areEqual(entry.bytes, base.bytes)
  )
}

function areEqual(bytes: Uint8Array, other: Uint8Array | null | undefined): boolean {
  return (
    bytes === other ||
    (!!other && bytes.length === other.length && bytes.every((byte, index) => byte === other[index]))
  )
}
