// Streams the archive of one version: reads, packs and sends its files in order. Independent of stores and formats.

import { ok } from '../../lib/result.ts'
import type { Pace } from '../../lib/steps.ts'
import type { Failure, Result } from '../../lib/result.ts'
import { STORE_CONCURRENCY } from '../../limits/skills.ts'
import { PACK_BYTES_PER_UNIT, PACK_PIECE_BYTES, PACK_SMALL_FILE_MAX_BYTES } from './limits.ts'
import { inOrder } from './archive-paths.ts'
import type { Packer } from './archive-pack.ts'

/** Reads one file by its path. Must not throw. */
type Read = (path: string) => Promise<Result<Uint8Array<ArrayBuffer>>>

/**
 * Streams the archive of these files. A failure before the first byte is returned. A later one breaks the stream, so
 * that nobody mistakes an incomplete archive for a complete one, and calls `onBroken`. `pace` decides when to pause.
 */
export async function streamArchive(
  packer: Packer,
  paths: Iterable<string>,
  read: Read,
  onBroken: (failure: Failure) => void,
  pace: Pace,
): Promise<Result<ReadableStream<Uint8Array>>> {
  const pieces = packFiles(packer, inOrder(paths), read, pace)
  let firstPiece: Awaited<ReturnType<typeof pieces.next>> | null = await pieces.next()
  if (firstPiece.done !== true && !firstPiece.value.ok) return firstPiece.value
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = firstPiece ?? (await pieces.next())
        firstPiece = null
        if (done === true) controller.close()
        else if (value.ok) controller.enqueue(value.value)
        else {
          onBroken(value.error)
          controller.error(new Error(value.error.detail))
        }
      },
      async cancel() {
        await pieces.return()
      },
    },
    // Packs nothing until the stream is read.
    { highWaterMark: 0 },
  )
  return ok(stream)
}

/** Yields the archive piece by piece. Ends after the first failure. */
async function* packFiles(
  packer: Packer,
  paths: readonly string[],
  read: Read,
  pace: Pace,
): AsyncGenerator<Result<Uint8Array>, void, undefined> {
  const reading: ReturnType<Read>[] = []
  let started = 0
  let readAhead = 1
  for (const path of paths) {
    for (const nextPath of paths.slice(started, started + readAhead - reading.length)) {
      reading.push(read(nextPath))
      started++
    }
    const bytes = await reading.shift()
    if (!bytes) throw new Error('a file was packed before it was read')
    if (!bytes.ok) {
      yield bytes
      return
    }
    let remainingBytes = bytes.value.byteLength
    for await (const pieces of packer.add(path, bytes.value)) {
      for (const piece of pieces) yield ok(piece)
      const pause = pace.countWork(
        Math.ceil(Math.min(remainingBytes, PACK_PIECE_BYTES) / PACK_BYTES_PER_UNIT),
      )
      remainingBytes -= PACK_PIECE_BYTES
      if (pause) await pause
    }
    // Increases slowly, because one small file, such as SKILL.md, says little about the sizes of the others.
    readAhead =
      bytes.value.byteLength <= PACK_SMALL_FILE_MAX_BYTES ? Math.min(readAhead + 1, STORE_CONCURRENCY) : 1
  }
  for (const piece of packer.end()) yield ok(piece)
}
