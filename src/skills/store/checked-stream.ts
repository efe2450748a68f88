// Hashes a stream of bytes whose store does not verify them, and breaks it before its end when the hash is wrong. Holds
// one piece.

import { hex } from '../../lib/bytes.ts'

/** The same bytes. Errors before the last piece when the whole does not have this SHA-256. */
export function checkedStream(
  source: ReadableStream<Uint8Array>,
  sha256: string,
): ReadableStream<Uint8Array> {
  const digest = new crypto.DigestStream('SHA-256')
  const hashed = digest.getWriter()
  let held: Uint8Array | null = null
  // Unread pieces slow the source down instead of filling memory.
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
