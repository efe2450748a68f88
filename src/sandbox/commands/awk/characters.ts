// Counts and slices characters of texts. A character is a code point, or a byte that is not valid UTF-8.

const PAIRS = /[\uD800-\uDBFF]/

export function lengthOf(text: string): number {
  if (!PAIRS.test(text)) return text.length
  let length = 0
  for (const _ of text) length++
  return length
}

/** The characters `from` to `to` (exclusive), starting at 0. */
export function charactersOf(text: string, from: number, to: number): string {
  return PAIRS.test(text) ? Array.from(text).slice(from, to).join('') : text.slice(from, to)
}

/** The number of characters before a position in the text. */
export function charactersBefore(text: string, at: number): number {
  return PAIRS.test(text) ? lengthOf(text.slice(0, at)) : at
}
