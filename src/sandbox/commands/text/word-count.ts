// Counts words for `wc -w`: text between spaces that contains at least one printable character.

import { decode } from '../io/text.ts'
import { Whole } from './characters.ts'

const NOT_ASCII = /[\x80-\xff]/
const ASCII_WORD = /[!-~][^\t-\r ]*/g
/** The spaces that separate words: those of Unicode, including no-break spaces, but not line separators. */
const SPACE = String.raw`\t-\r \p{Zs}\u2060`
const WORD = new RegExp(String.raw`[^${SPACE}\p{Zl}\p{Zp}\p{Cc}\p{Cs}\p{Cn}][^${SPACE}]*`, 'gu')
const ASCII_SPACE = /[\t-\r ]/
const ANY_SPACE = new RegExp(`[${SPACE}]`, 'u')

export class Words {
  readonly #whole = new Whole()
  #count = 0
  /** Whether the next chunk continues a word. */
  #isOpen = false

  /** `latin1` contains the same bytes as text. */
  add(chunk: Uint8Array, latin1: string): void {
    const bytes = this.#whole.add(chunk)
    if (bytes === chunk && !NOT_ASCII.test(latin1)) this.#take(latin1, ASCII_WORD, ASCII_SPACE)
    else this.#take(decode(bytes), WORD, ANY_SPACE)
  }

  #take(text: string, word: RegExp, space: RegExp): void {
    let rest = text
    if (this.#isOpen) {
      const end = text.search(space)
      if (end === -1) return
      rest = text.slice(end)
    }
    const words = rest.match(word) ?? []
    this.#count += words.length
    const last = words.at(-1)
    this.#isOpen = last !== undefined && rest.endsWith(last)
  }

  end(): number {
    return this.#count
  }
}
