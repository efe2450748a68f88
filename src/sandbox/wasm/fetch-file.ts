// Fetches a file from the host. A large file comes in parts, so that it is never in memory twice.

import type { GuestHost } from '../guest.ts'
import { FETCH_PART_BYTES, FETCH_WHOLE_MAX_BYTES } from './limits.ts'
import type { FileSource } from './nodes.ts'

/** The bytes, or null if the file no longer exists. The size of a small file may be an estimate. */
export async function fetchFile(
  host: Pick<GuestHost, 'read'>,
  source: FileSource,
  size: number,
): Promise<Uint8Array | null> {
  if (typeof source === 'string' && size <= FETCH_WHOLE_MAX_BYTES) return host.read(source)
  const { pieces, bytes: rest } =
    typeof source === 'string'
      ? { pieces: [{ source, offset: 0, bytes: size }], bytes: new Uint8Array(0) }
      : source
  const all = new Uint8Array(size)
  let at = 0
  for (const piece of pieces)
    for (let read = 0; read < piece.bytes; read += FETCH_PART_BYTES) {
      const length = Math.min(FETCH_PART_BYTES, piece.bytes - read)
      const part = await host.read(piece.source, { offset: piece.offset + read, length })
      if (!part) return null
      all.set(part, at)
      at += length
    }
  all.set(rest, at)
  return all
}
