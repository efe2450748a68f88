// An archive of one version as a stream: a file is read, packed and sent before the next. Knows no store and no format.

import { ok } from '../../lib/result.ts'
import type { Pace } from '../../lib/steps.ts'
import type { Failure, Result } from '../../lib/result.ts'
import { STORE_CONCURRENCY } from '../../limits/skills.ts'
import { PACK_BYTES_PER_UNIT, PACK_PIECE_BYTES, PACK_SMALL_BYTES } from './limits.ts'
import { inOrder } from './archive-pack.ts'
import type { Packer } from './archive-pack.ts'

/** The bytes of one file by its path. Must not throw. */
type Read = (path: string) => Promise<Result<Uint8Array<ArrayBuffer>>>

/**
 * The archive of these files, `packer`'s. What fails before the first byte is the answer. A file that cannot be read
 * later breaks the stream, so that nobody takes the half for the whole; `onBroken` is told why. Rests as `pace` says.
 */
export async function streamArchive(
  packer: Packer,
  paths: Iterable<string>,
  read: Read,
  onBroken: (failure: Failure) => void,
  pace: Pace,
): Promise<Result<ReadableStream<Uint8Array>>> {
  const pieces = packed(packer, inOrder(paths), read, pace)
  let ahead: Awaited<ReturnType<typeof pieces.next>> | null = await pieces.next()
  if (ahead.done !== true && !ahead.value.ok) return ahead.value
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = ahead ?? (await pieces.next())
        ahead = null
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
    // Nothing is packed before somebody takes it.
    { highWaterMark: 0 },
  )
  return ok(stream)
}

/** Ends behind the first failure. */
async function* packed(
  packer: Packer,
  paths: readonly string[],
  read: Read,
  pace: Pace,
): AsyncGenerator<Result<Uint8Array>, void, undefined> {
  const reading: ReturnType<Read>[] = []
  let asked = 0
  let atOnce = 1
  for (const path of paths) {
    for (const next of paths.slice(asked, asked + atOnce - reading.length)) {
      reading.push(read(next))
      asked++
    }
    const bytes = await reading.shift()
    if (!bytes) throw new Error('a file was packed that was not read')
    if (!bytes.ok) {
      yield bytes
      return
    }
    let left = bytes.value.byteLength
    for await (const pieces of packer.add(path, bytes.value)) {
      for (const piece of pieces) yield ok(piece)
      const rest = pace.did(Math.ceil(Math.min(left, PACK_PIECE_BYTES) / PACK_BYTES_PER_UNIT))
      left -= PACK_PIECE_BYTES
      if (rest) await rest
    }
    // Nobody knows the next sizes: one small file, as SKILL.md is everywhere, says little of those behind it.
    atOnce = bytes.value.byteLength <= PACK_SMALL_BYTES ? Math.min(atOnce + 1, STORE_CONCURRENCY) : 1
  }
  for (const piece of packer.end()) yield ok(piece)
}
