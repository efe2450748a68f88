// Verifies the hash of a stream whose store does not do so.

import { hex } from '../../lib/bytes.ts'

/** Passes the bytes through. Fails before the last piece if the complete content does not have this SHA-256. */
export function checkedStream(
  source: ReadableStream<Uint8Array>,
  sha256: string,
): ReadableStream<Uint8Array> {
  const digest = new crypto.DigestStream('SHA-256')
  const hashed = digest.getWriter()
  let heldPiece: Uint8Array | null = null
  // Backpressure: pieces that are not read slow the source down instead of filling memory.
  return source.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      async transform(piece, controller) {
        await hashed.write(piece)
        if (heldPiece) controller.enqueue(heldPiece)
        heldPiece = piece
      },
      async flush(controller) {
        await hashed.close()
        if (hex(new Uint8Array(await digest.digest)) !== sha256)
          throw new Error(`an object does not have the SHA-256 ${sha256} of its address`)
        if (heldPiece) controller.enqueue(heldPiece)
      },
    }),
  )
}
