// node:stream/consumers: reads a whole stream as one value.

import { Blob, Buffer } from './base/buffer.ts'

type Source = AsyncIterable<unknown>

async function buffer(source: Source): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of source)
    pieces.push(
      piece instanceof Uint8Array
        ? piece
        : piece instanceof ArrayBuffer
          ? new Uint8Array(piece)
          : Buffer.from(String(piece)),
    )
  return Buffer.concat(pieces)
}

async function text(source: Source): Promise<string> {
  return new TextDecoder().decode(await buffer(source))
}

export const consumersModule = {
  arrayBuffer: async (source: Source) => new Uint8Array(await buffer(source)).buffer,
  blob: async (source: Source) => new Blob([await buffer(source)]),
  buffer,
  bytes: async (source: Source) => new Uint8Array(await buffer(source)),
  json: async (source: Source) => JSON.parse(await text(source)) as unknown,
  text,
}
