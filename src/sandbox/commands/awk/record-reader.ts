// Reads records from bytes, separated as RS says.

import { concat } from '../io/bytes.ts'
import type { ByteReader } from '../io/reader.ts'
import type { Regex } from './regex.ts'

/** One byte or a longer text, blank lines, or a regular expression. */
export type Separator =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paragraph' }
  | { readonly kind: 'regex'; readonly regex: Regex }

export interface ReadRecord {
  readonly text: string
  /** The separator that ended the record (RT). */
  readonly ended: string
}

const BLANK_LINES = /\n\n+/g

export class RecordReader {
  readonly #reader: ByteReader
  readonly #decode: (bytes: Uint8Array) => string
  #text = ''
  #at = 0
  #tail: Uint8Array | null = null
  #ended = false
  /** Positions of separators in the text, for the separator in `#foundFor`. */
  #found: { start: number; end: number }[] = []
  #next = 0
  #foundFor: Separator | null = null

  constructor(reader: ByteReader, decodeAs: (bytes: Uint8Array) => string) {
    this.#reader = reader
    this.#decode = decodeAs
  }

  close(): void {
    this.#reader.close()
  }

  /** The next record if it is complete; null if more input must be read. */
  ready(separator: Separator): ReadRecord | null {
    if (separator.kind === 'text') {
      const end = this.#text.indexOf(separator.text, this.#at)
      if (end === -1) return null
      const text = this.#text.slice(this.#at, end)
      this.#at = end + separator.text.length
      return { text, ended: separator.text }
    }
    if (separator.kind === 'paragraph') while (this.#text[this.#at] === '\n') this.#at++
    if (this.#foundFor !== separator) this.#look(separator)
    const location = this.#found[this.#next]
    // A separator at the end of the text may continue in the next chunk.
    if (!location || (location.end === this.#text.length && !this.#ended)) return null
    this.#next++
    const text = this.#text.slice(this.#at, location.start)
    const ended = this.#text.slice(location.start, location.end)
    this.#at = location.end
    return { text, ended }
  }

  /** The next record; null at the end of the input. */
  async next(separator: Separator): Promise<ReadRecord | null> {
    for (;;) {
      const ready = this.ready(separator)
      if (ready) return ready
      if (this.#ended) break
      await this.#more()
    }
    if (this.#at >= this.#text.length) return null
    const text = this.#text.slice(this.#at)
    this.#at = this.#text.length
    const oneEnd = separator.kind === 'paragraph' && text.endsWith('\n')
    return oneEnd ? { text: text.slice(0, -1), ended: '\n' } : { text, ended: '' }
  }

  /** Reads at least as many bytes as remain without a separator, so that the text is not copied too often. */
  async #more(): Promise<void> {
    const left = this.#text.length - this.#at
    const chunks = this.#tail ? [this.#tail] : []
    this.#tail = null
    let bytes = 0
    do {
      const chunk = await this.#reader.read()
      if (!chunk) this.#ended = true
      else {
        chunks.push(chunk)
        bytes += chunk.length
      }
    } while (!this.#ended && bytes < left)
    const all = concat(chunks)
    const cut = this.#ended ? all.length : wholeLength(all)
    if (cut < all.length) this.#tail = all.slice(cut)
    this.#text = this.#text.slice(this.#at) + this.#decode(all.subarray(0, cut))
    this.#at = 0
    this.#foundFor = null
  }

  #look(separator: Separator): void {
    const rest = this.#at === 0 ? this.#text : this.#text.slice(this.#at)
    const at = this.#at
    this.#found = []
    if (separator.kind === 'regex') {
      for (const { start, end } of separator.regex.matches(rest))
        if (end > start) this.#found.push({ start: start + at, end: end + at })
    } else
      for (const match of rest.matchAll(BLANK_LINES))
        this.#found.push({ start: match.index + at, end: match.index + at + match[0].length })
    this.#next = 0
    this.#foundFor = separator
  }
}

/** The length of `bytes` without an incomplete character at the end. */
function wholeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) break
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return needed > back ? bytes.length - back : bytes.length
    }
  }
  return bytes.length
}
