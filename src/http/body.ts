// Reads a request's body once, counting bytes; never trusts Content-Length.

import { joinBytes } from '../lib/bytes.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { BODY_PART_BYTES } from '../limits.ts'

/** The body's bytes, or `too_large` as soon as there are more than `maxBytes`. */
export async function readBytes(
  request: Request,
  maxBytes: number,
): Promise<Result<Uint8Array<ArrayBuffer>>> {
  const parts = await readParts(request, maxBytes)
  return parts.ok ? ok(joinBytes(parts.value)) : parts
}

/** The same in few parts, however it came: a large body is not held twice. */
export async function readParts(request: Request, maxBytes: number): Promise<Result<readonly Uint8Array[]>> {
  const parts: Uint8Array[] = []
  // A chunk of one byte comes in a buffer of 4 KB: kept as they come, such chunks fill an isolate with a small body.
  let gathered = new Uint8Array()
  let filled = 0
  let size = 0
  const flush = (): void => {
    if (filled > 0) parts.push(gathered.slice(0, filled))
    gathered = new Uint8Array()
    filled = 0
  }
  const reader = request.body?.getReader()
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > maxBytes) {
      await reader.cancel()
      return fail(
        'too_large',
        `The body has more than ${maxBytes} bytes, the most this route takes. Send less.`,
      )
    }
    if (filled + value.byteLength > gathered.byteLength) flush()
    if (value.byteLength >= BODY_PART_BYTES) parts.push(value)
    else {
      if (filled === 0) gathered = new Uint8Array(BODY_PART_BYTES)
      gathered.set(value, filled)
      filled += value.byteLength
    }
  }
  flush()
  return ok(parts)
}
