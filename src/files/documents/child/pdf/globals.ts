// Replaces browser globals that pdf.js uses, so that unpacked bytes are counted and other requests can run meanwhile. Must be imported
// before pdf.js, which the build modifies to call these globals (scripts/assets/pdf.ts).

import { Unzlib } from 'fflate'
import { DOCUMENT_PDF_TOTAL_MAX_BYTES, DOCUMENT_PDF_UNPACKED_MAX_BYTES } from '../common/limits.ts'
import type { TimeBudget } from '../common/pace.ts'

/** Number of packed bytes unpacked at a time. They grow at most by a factor of a thousand. */
const INPUT_PIECE_BYTES = 4_096

/** Number of bytes that one step on a page counts as. A step takes about five microseconds, a byte about 20 ns. */
const STEP_BYTES = 200

/** The count for the document being read. */
let count: { readonly pace: TimeBudget; total: number; page: number } | null = null

/** Starts counting for a document. */
export function countFor(pace: TimeBudget): void {
  count = { pace, total: 0, page: 0 }
}

/** Restarts the count for a page, after the previous page has released its memory. */
export function nextPage(): void {
  if (count) count.page = 0
}

/** Whether a limit was exceeded. Callers must check this, because pdf.js treats data that it cannot unpack as damaged and continues. */
export function unpackedTooMuch(): boolean {
  return (
    count !== null &&
    (count.page > DOCUMENT_PDF_UNPACKED_MAX_BYTES || count.total > DOCUMENT_PDF_TOTAL_MAX_BYTES)
  )
}

function countUnpacked(bytes: number): void {
  if (!count) return
  count.page += bytes
  count.total += bytes
  if (unpackedTooMuch()) throw new Error('This unpacks to more than the limit.')
}

/** Whether it is time to yield. Called after each step on a page and its nested forms. */
function isTurnOver(): boolean {
  return count !== null && count.pace.isDue(STEP_BYTES)
}

/** Yields in the middle of a page, then calls `go`. Never calls it after the deadline, which the caller of pdf.js notices separately. */
function takeTurns(go: () => void): void {
  if (count) count.pace.yieldNow().then(go, () => {})
}

/** Replaces the platform's DecompressionStream, which unpacks without a limit. */
class CountedDecompression {
  readonly readable: ReadableStream<Uint8Array>
  readonly writable: WritableStream<Uint8Array>

  constructor(format: string) {
    if (format !== 'deflate') throw new TypeError(`The compression format ${format} is not supported.`)
    let unzip: Unzlib
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
      start(controller) {
        unzip = new Unzlib((piece) => {
          countUnpacked(piece.length)
          if (piece.length > 0) controller.enqueue(piece)
        })
      },
      async transform(packed) {
        for (let at = 0; at < packed.length; at += INPUT_PIECE_BYTES) {
          const before = count?.total ?? 0
          unzip.push(packed.subarray(at, at + INPUT_PIECE_BYTES))
          await count?.pace.countWork((count?.total ?? 0) - before + INPUT_PIECE_BYTES)
        }
      },
      flush: () => unzip.push(new Uint8Array(), true),
    })
    this.readable = readable
    this.writable = writable
  }
}

Object.assign(globalThis, { countUnpacked, isTurnOver, takeTurns, DecompressionStream: CountedDecompression })
