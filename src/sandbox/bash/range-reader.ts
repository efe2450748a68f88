// Reads a large file from the host in ranges: small ones first, for `head`, then larger ones, of which the next
// are requested while one is being processed.

import { CHUNK_BYTES, type ByteReader } from '../commands/io/reader.ts'
import { BASH_FIRST_RANGE_BYTES, BASH_RANGE_MAX_BYTES, BASH_RANGES_AHEAD } from './limits.ts'

/** Reads the bytes `from` to `size`. `readAll` returns all of the requested bytes. */
export function rangeReader(
  from: number,
  size: number,
  readAll: (from: number, to: number) => Promise<Uint8Array>,
): ByteReader {
  let position = Math.min(from, size)
  let requestedTo = position
  let rangeBytes = BASH_FIRST_RANGE_BYTES
  let range: Uint8Array = new Uint8Array()
  let ahead: Promise<Uint8Array>[] = []
  let isClosed = false
  const request = (): void => {
    const to = Math.min(size, requestedTo + rangeBytes)
    const requested = readAll(requestedTo, to)
    // The reader may be closed before it waits for this.
    requested.catch(() => {})
    ahead.push(requested)
    requestedTo = to
    rangeBytes = Math.min(BASH_RANGE_MAX_BYTES, rangeBytes * 2)
  }
  return {
    async read() {
      if (isClosed) return null
      if (range.length === 0) {
        if (position >= size) return null
        // Requests one range at first, then as many as a reader may hold.
        const wanted = position === from ? 1 : BASH_RANGES_AHEAD
        while (ahead.length < wanted && requestedTo < size) request()
        range = (await ahead.shift()) ?? range
        position += range.length
        // The file has become shorter in the meantime.
        if (range.length === 0) return null
      }
      const chunk = range.subarray(0, CHUNK_BYTES)
      range = range.subarray(chunk.length)
      return chunk
    },
    close() {
      isClosed = true
      range = new Uint8Array()
      ahead = []
    },
  }
}
