// Computes the width of the longest line, for `wc -L`.

import { displayWidth } from '../display-width.ts'
import { concat } from '../io/bytes.ts'
import { decode } from '../io/text.ts'

const LINE_END = 10
const TAB = 8
/**
 * A tab moves to the next tab stop, and the other listed characters begin a line. Other control characters and invalid
 * bytes have no width.
 */
const PARTS = /[\t\n\r\f]|[^\p{Cc}\p{Cs}\p{Cn}]+/gu

export class LongestLine {
  #columns = 0
  #open: Uint8Array[] = []

  add(chunk: Uint8Array): void {
    const end = chunk.lastIndexOf(LINE_END) + 1
    if (end > 0) this.#measure(concat([...this.#open.splice(0), chunk.subarray(0, end)]))
    if (end < chunk.length) this.#open.push(chunk.subarray(end))
  }

  end(): number {
    this.#measure(concat([...this.#open.splice(0), new Uint8Array()]))
    return this.#columns
  }

  #measure(bytes: Uint8Array): void {
    let column = 0
    for (const [part] of decode(bytes).matchAll(PARTS)) {
      if (part === '\t') column += TAB - (column % TAB)
      else if (part === '\n' || part === '\r' || part === '\f') column = 0
      else column += displayWidth(part)
      this.#columns = Math.max(this.#columns, column)
    }
  }
}
