// Reads whole files without holding them twice, because one may take a third of all memory.

import { Buffer, bufferOver } from './base/buffer.ts'
import { call } from './fs-call.ts'
import { bytesOf } from './base/host.ts'
import type { HostStats } from './fs-stats.ts'

/** Maximum bytes per read while a file is read in a loop. */
const PIECE = 1_048_576

function readPiece(fd: number): Uint8Array {
  return bytesOf(call('read', undefined, 'read', fd, PIECE, null))
}

/** Reads the rest of an open file. */
export function readAll(fd: number): Uint8Array {
  // The cast is safe: the host created this JSON.
  const { size } = JSON.parse(String(call('fstat', undefined, 'fstat', fd))) as HostStats
  const pieces: Uint8Array[] = []
  // A large file is read into one buffer.
  let all = size > PIECE ? Buffer.allocUnsafe(size) : null
  let length = 0
  for (let bytes = readPiece(fd); bytes.length > 0; bytes = readPiece(fd)) {
    if (all && length + bytes.length > size) {
      // The file has grown in the meantime.
      pieces.push(all.subarray(0, length))
      all = null
    }
    if (all) all.set(bytes, length)
    else pieces.push(bytes)
    length += bytes.length
  }
  if (all) return all.subarray(0, length)
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
}

/**
 * Like `readAll`, but returns text. Decodes in pieces, because a buffer with the whole file would take as much memory
 * as the text.
 */
export function readText(fd: number): string {
  const texts: string[] = []
  let rest: Uint8Array = new Uint8Array(0)
  for (;;) {
    const bytes = readPiece(fd)
    const piece = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    const end = bytes.length === 0 ? piece.length : lastCharacterEnd(piece)
    texts.push(bufferOver(piece.subarray(0, end)).toString('utf8'))
    rest = piece.slice(end)
    if (bytes.length === 0) return texts.join('')
  }
}

/** The end of the last complete character in a piece. */
function lastCharacterEnd(piece: Uint8Array): number {
  for (let at = piece.length - 1; at >= 0 && at > piece.length - 4; at--) {
    const byte = piece[at] ?? 0
    if (byte < 0x80) break
    if (byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return at + length > piece.length ? at : piece.length
  }
  return piece.length
}
