// Chooses the line breaks of a paragraph with the lowest cost, using the weights of GNU fmt.

export interface Word {
  readonly text: string
  /** Number of columns after the word. */
  readonly space: number
  /** Whether it begins with an opening bracket or quote. */
  readonly opens: boolean
  /** Whether it ends with punctuation. */
  readonly punctuated: boolean
  /** Whether it ends with `.`, `?` or `!`. */
  readonly period: boolean
  /** Whether it ends a sentence. */
  readonly final: boolean
}

export interface Shape {
  readonly firstIndent: number
  readonly otherIndent: number
  /** Maximum length of a line, exclusive. */
  readonly width: number
  /** The preferred length of a line. */
  readonly goal: number
}

const LINE = 4_900
const SENTENCE = 2_500
const NO_BREAK = 360_000
const BRACKET = 1_600
const PUNCTUATION = 1_600

function short(columns: number): number {
  return (columns * 10) ** 2
}

function ragged(columns: number): number {
  return short(columns) / 2
}

/** For each word that begins a line: the index of the word that begins the next line. */
export function lineBreaks(words: readonly Word[], shape: Shape): readonly number[] {
  const count = words.length
  const next = Array.from({ length: count }, () => count)
  const lengths = Array.from({ length: count }, () => 0)
  const costs = Array.from({ length: count + 1 }, () => 0)
  for (let start = count - 1; start >= 0; start--) {
    let best = Infinity
    let length = (start === 0 ? shape.firstIndent : shape.otherIndent) + (words[start]?.text.length ?? 0)
    for (let after = start + 1; ; after++) {
      let cost = costs[after] ?? 0
      if (after < count) {
        cost += short(shape.goal - length)
        if (next[after] !== count) cost += ragged(length - (lengths[after] ?? 0))
      }
      if (cost < best) {
        best = cost
        next[start] = after
        lengths[start] = length
      }
      if (after === count) break
      length += (words[after - 1]?.space ?? 0) + (words[after]?.text.length ?? 0)
      if (length >= shape.width) break
    }
    costs[start] = best + startCost(words, start)
  }
  return next
}

/** The cost of starting a line with a word. */
function startCost(words: readonly Word[], at: number): number {
  const [word, before, earlier] = [words[at], words[at - 1], words[at - 2]]
  let cost = LINE
  if (before?.period) cost += before.final ? -SENTENCE : NO_BREAK
  else if (before?.punctuated) cost -= PUNCTUATION
  else if (before && earlier?.final) cost += Math.floor(40_000 / (before.text.length + 2))
  if (word?.opens) cost -= BRACKET
  else if (word?.final) cost += Math.floor(22_500 / (word.text.length + 2))
  return cost
}
