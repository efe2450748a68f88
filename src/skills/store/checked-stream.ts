// Bytes that no store vouches for, on their way out: hashed as they pass, and broken off before their end when they are
// others. What is held is one piece.

import { hex } from '../../lib/bytes.ts'

/** The same bytes. Errors instead of giving its last piece where all of them do not have this sha-256. */
export function checkedStream(
  source: ReadableStream<Uint8Array>,
  sha256: string,
): ReadableStream<Uint8Array> {
  const digest = new crypto.DigestStream('SHA-256')
  const hashed = digest.getWriter()
  let held: Uint8Array | null = null
  // What waits unread holds the source back, not the memory.
  return source.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      async transform(piece, out) {
        await hashed.write(piece)
        if (held) out.enqueue(held)
        held = piece
      },
      async flush(out) {
        await hashed.close()
        if (hex(new Uint8Array(await digest.digest)) !== sha256)
          throw new Error(`an object does not have the sha-256 ${sha256} of its address`)
        if (held) out.enqueue(held)
      },
    }),
  )
}
