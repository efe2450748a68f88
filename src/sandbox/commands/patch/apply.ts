// Finds where a hunk fits, and applies it. As in GNU patch, a hunk may fit near its line, with some lines of context
// ignored.

import type { Hunk } from './hunk.ts'

export class Target {
  /** The lines of the input, with their line ends. */
  readonly #input: readonly string[]
  readonly #ignoresBlanks: boolean
  #output: string[] = []
  /** Number of input lines that have already been written. */
  #frozen = 0
  /** The offset between where hunks fit and the line numbers that they state. */
  offset = 0
  /** How many more lines the output has than the input. */
  growth = 0

  constructor(input: readonly string[], ignoresBlanks: boolean) {
    this.#input = input
    this.#ignoresBlanks = ignoresBlanks
  }

  /** The line at which the hunk fits if `fuzz` lines of context are ignored; 0 if it does not fit. */
  locate({ first, old, prefix, suffix }: Hunk, fuzz: number): number {
    const lines = this.#input.length
    const guess = first + this.offset
    const context = Math.max(prefix, suffix)
    let prefixFuzz = fuzz + prefix - context
    const suffixFuzz = fuzz + suffix - context
    const highest = lines - (old.length - suffixFuzz) + 1
    const lowest = this.#frozen + 1
    const up = highest - guess
    let down = guess - lowest
    const farthest = Math.max(up, down)
    if (old.length === 0) return guess
    if (guess <= down) down = guess - 1
    const fits = (offset: number, before: number, after: number): boolean =>
      this.#fits(
        old.map(({ text }) => text),
        guess + offset,
        before,
        after,
      )
    const found = (offset: number): number => {
      this.offset += offset
      return guess + offset
    }
    if (prefixFuzz < 0 && first <= 1) {
      // The hunk can only fit at the start of the file, or must be the whole file.
      if (suffixFuzz < 0 && (old.length !== lines || prefix < this.#frozen)) return 0
      const offset = 1 - guess
      return this.#frozen <= prefix && offset <= up && fits(offset, 0, suffixFuzz) ? found(offset) : 0
    }
    prefixFuzz = Math.max(0, prefixFuzz)
    if (suffixFuzz < 0) {
      // The hunk can only fit at the end of the file.
      const offset = guess - (lines - old.length + 1)
      return offset <= down && fits(-offset, prefixFuzz, 0) ? found(-offset) : 0
    }
    const nearest = up < 0 ? guess - highest : down < 0 ? guess - lowest : 0
    for (let offset = nearest; offset <= farthest; offset++) {
      if (offset <= up && fits(offset, prefixFuzz, suffixFuzz)) return found(offset)
      if (offset > 0 && offset <= down && fits(-offset, prefixFuzz, suffixFuzz)) return found(-offset)
    }
    return 0
  }

  #fits(old: readonly string[], where: number, prefixFuzz: number, suffixFuzz: number): boolean {
    const end = old.length - Math.max(0, suffixFuzz)
    for (let index = prefixFuzz; index < end; index++) {
      const line = this.#input[where - 1 + index] ?? ''
      const wanted = old[index] ?? ''
      if (this.#ignoresBlanks ? !similar(line, wanted) : line !== wanted) return false
    }
    return true
  }

  /** Whether only one of the file's lines and the hunk's lines end with a carriage return. */
  endsOtherwise({ old }: Hunk, where: number): boolean {
    const [wanted] = old
    const line = this.#input[Math.min(where, this.#input.length) - 1]
    if (!wanted || line === undefined) return false
    return wanted.text.endsWith('\r\n') !== line.endsWith('\r\n')
  }

  /** Replaces the lines at `where`. Returns false if they have already been written. */
  apply({ old, new: fresh }: Hunk, where: number): boolean {
    if (where - 1 < this.#frozen) return false
    this.#copyTill(where - 1)
    let [left, right] = [0, 0]
    while (left < old.length || right < fresh.length) {
      for (; left < old.length && old[left]?.mark !== ' '; left++) {
        this.#copyTill(where - 1 + left)
        this.#frozen++
        this.growth--
      }
      for (; right < fresh.length && fresh[right]?.mark !== ' '; right++) {
        this.#copyTill(where - 1 + left)
        this.#write(fresh[right]?.text ?? '')
        this.growth++
      }
      if (left < old.length) left++
      if (right < fresh.length) right++
    }
    return true
  }

  #copyTill(line: number): void {
    while (this.#frozen < line && this.#frozen < this.#input.length)
      this.#write(this.#input[this.#frozen++] ?? '')
  }

  #write(line: string): void {
    const last = this.#output.length - 1
    const before = this.#output[last]
    if (before !== undefined && !before.endsWith('\n')) this.#output[last] = `${before}\n`
    this.#output.push(line)
  }

  /** Returns the complete new file. */
  end(): string {
    this.#copyTill(this.#input.length)
    return this.#output.join('')
  }
}

/** For `-l`: compares lines, treating runs of blanks as equal and ignoring trailing blanks. */
function similar(line: string, wanted: string): boolean {
  const key = (text: string): string =>
    text
      .replace(/\n$/, '')
      .replaceAll(/[ \t]+/g, ' ')
      .replace(/ $/, '')
  return key(line) === key(wanted)
}
