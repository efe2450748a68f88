// What pdf.js finds in place of the browser's: whatever unpacks for it is counted, and lets others have their turn.
// Imported before pdf.js, which is built to call it (scripts/assets/pdf.ts).

import { Unzlib } from 'fflate'
import { DOCUMENT_PDF_TOTAL_MAX_BYTES, DOCUMENT_PDF_UNPACKED_MAX_BYTES } from '../common/limits.ts'
import type { TimeBudget } from '../common/pace.ts'

/** Packed bytes unpacked at once: at most a thousandfold comes out. */
const PIECE_BYTES = 4_096

/** What a step on a page counts as: they take about five microseconds, a byte some 20 ns. */
const STEP_BYTES = 200

/** Of the document that is being read. */
let count: { readonly pace: TimeBudget; total: number; page: number } | null = null

/** From here on the count is this document's. */
export function countFor(pace: TimeBudget): void {
  count = { pace, total: 0, page: 0 }
}

/** What the last page took was given back. */
export function nextPage(): void {
  if (count) count.page = 0
}

/** pdf.js takes what it cannot unpack for damaged and goes on, so whoever reads asks here. */
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
  if (unpackedTooMuch()) throw new Error('This unpacks to more than is read.')
}

/** Asked after each step on a page, whichever of its forms it belongs to. */
function isTurnOver(): boolean {
  return count !== null && count.pace.isDue(STEP_BYTES)
}

/** In the middle of a page: never goes on once the time is over, which whoever waits for the page notices himself. */
function takeTurns(go: () => void): void {
  if (count) count.pace.turn().then(go, () => {})
}

/** In place of the platform's, which unpacks as far as memory goes. */
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
