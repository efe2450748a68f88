// Fetches whole files, or parts of them, from the host. A large file is fetched in parts, so that it is never in
// memory twice.

import type { GuestHost } from '../guest.ts'
import { FETCH_PART_BYTES, FETCH_WHOLE_MAX_BYTES } from './limits.ts'
import type { ContentSource } from './nodes.ts'

type Host = Pick<GuestHost, 'read'>

/** The bytes, or null if the file no longer exists. The size of a small file may be an estimate. */
export async function fetchFile(host: Host, source: ContentSource, size: number): Promise<Uint8Array | null> {
  if (typeof source === 'string' && size <= FETCH_WHOLE_MAX_BYTES) return host.read(source)
  return fetchRange(host, source, 0, size)
}

/** The bytes `from` to `from + length`, which must be within the file; null if it no longer exists. */
export async function fetchRange(
  host: Host,
  source: ContentSource,
  from: number,
  length: number,
): Promise<Uint8Array | null> {
  const { pieces, bytes: rest } =
    typeof source === 'string'
      ? { pieces: [{ source, offset: 0, bytes: from + length }], bytes: new Uint8Array(0) }
      : source
  const result = new Uint8Array(length)
  let start = 0
  for (const piece of pieces) {
    const end = Math.min(start + piece.bytes, from + length)
    for (let at = Math.max(start, from); at < end;) {
      const range = { offset: piece.offset + at - start, length: Math.min(FETCH_PART_BYTES, end - at) }
      const part = await host.read(piece.source, range)
      if (!part) return null
      result.set(part, at - from)
      at += range.length
    }
    start += piece.bytes
  }
  const restFrom = Math.max(0, from - start)
  const restTo = from + length - start
  if (restTo > restFrom) result.set(rest.subarray(restFrom, restTo), start + restFrom - from)
  return result
}
