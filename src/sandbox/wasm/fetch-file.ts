// Fetches a file from the host. A large file comes in parts, so that it is never in memory twice.

import type { GuestHost } from '../guest.ts'
import { FETCH_PART_BYTES, FETCH_WHOLE_MAX_BYTES } from './limits.ts'

/** The bytes, or null if the file no longer exists. The size of a small file may be an estimate. */
export async function fetchFile(
  host: Pick<GuestHost, 'read'>,
  source: string,
  size: number,
): Promise<Uint8Array | null> {
  if (size <= FETCH_WHOLE_MAX_BYTES) return host.read(source)
  const bytes = new Uint8Array(size)
  for (let offset = 0; offset < size; offset += FETCH_PART_BYTES) {
    const part = await host.read(source, { offset, length: Math.min(FETCH_PART_BYTES, size - offset) })
    if (!part) return null
    bytes.set(part, offset)
  }
  return bytes
}
