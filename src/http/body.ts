// Reads a request's body once, counting bytes; never trusts Content-Length.

import { joinBytes } from '../lib/bytes.ts'
import { fail, ok, type Result } from '../lib/result.ts'

/** The body's bytes, or `too_large` as soon as there are more than `maxBytes`. */
export async function readBytes(
  request: Request,
  maxBytes: number,
): Promise<Result<Uint8Array<ArrayBuffer>>> {
  const parts = await readParts(request, maxBytes)
  return parts.ok ? ok(joinBytes(parts.value)) : parts
}

/** The same in the parts that it came in: a large body is not held twice. */
export async function readParts(request: Request, maxBytes: number): Promise<Result<readonly Uint8Array[]>> {
  const parts: Uint8Array[] = []
  let size = 0
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
    parts.push(value)
  }
  return ok(parts)
}
