// Replaces the browser globals that pdf.js uses, so that unpacking is counted and yields to other requests. Import it
// before pdf.js, which the build changes to call it (scripts/assets/pdf.ts).

import { Unzlib } from 'fflate'
import { DOCUMENT_PDF_TOTAL_MAX_BYTES, DOCUMENT_PDF_UNPACKED_MAX_BYTES } from '../common/limits.ts'
import type { TimeBudget } from '../common/pace.ts'

/** Packed bytes unpacked at once. They grow at most a thousandfold. */
const PIECE_BYTES = 4_096

/** Bytes that a step on a page counts as: a step takes about five microseconds, a byte about 20 ns. */
const STEP_BYTES = 200

/** Of the document being read. */
let count: { readonly pace: TimeBudget; total: number; page: number } | null = null

/** Starts the count for a document. */
export function countFor(pace: TimeBudget): void {
  count = { pace, total: 0, page: 0 }
}

/** The last page has released its memory. */
export function nextPage(): void {
  if (count) count.page = 0
}

/** pdf.js treats data that it cannot unpack as damaged and continues, so the caller checks here. */
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

/** Called after each step on a page, including its nested forms. */
function isTurnOver(): boolean {
  return count !== null && count.pace.isDue(STEP_BYTES)
}

/** Called in the middle of a page. After the deadline it never continues; the caller notices the deadline itself. */
function takeTurns(go: () => void): void {
  if (count) count.pace.turn().then(go, () => {})
}

/** Replaces the platform's class, which unpacks without a limit. */
class CountedDecompression {
  readonly readable: ReadableStream<Uint8Array>
  readonly writable: WritableStream<Uint8Array>

  constructor(format: string) {
    if (format !== 'deflate') throw new TypeError(`${format} is not unpacked here`)
    let unzip: Unzlib
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
      start(controller) {
        unzip = new Unzlib((piece) => {
          countUnpacked(piece.length)
          if (piece.length > 0) controller.enqueue(piece)
        })
      },
      async transform(packed) {
        for (let at = 0; at < packed.length; at += PIECE_BYTES) {
          const before = count?.total ?? 0
          unzip.push(packed.subarray(at, at + PIECE_BYTES))
          await count?.pace.did((count?.total ?? 0) - before + PIECE_BYTES)
        }
      },
      flush: () => unzip.push(new Uint8Array(), true),
    })
    this.readable = readable
    this.writable = writable
  }
}

Object.assign(globalThis, { countUnpacked, isTurnOver, takeTurns, DecompressionStream: CountedDecompression })
