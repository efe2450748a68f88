// Which texts a query matches, and where: each of its terms is the beginning of a word. Pure.

export function termsOf(query: string): readonly string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean)
}

/** Whether each term is the beginning of a word of the text. */
export function hasTerms(text: string, terms: readonly string[]): boolean {
  const lowerText = text.toLowerCase()
  return terms.every((term) => wordStart(lowerText, term, 0) >= 0)
}

/** The text in parts, of which those that a term matches are marked. */
export function matchedParts(
  text: string,
  query: string,
): readonly { readonly text: string; readonly isMatch: boolean }[] {
  const lowerText = text.toLowerCase()
  // A few letters change their length when they become lowercase.
  if (lowerText.length !== text.length) return [{ text, isMatch: false }]
  const isMatched = Array.from({ length: text.length }, () => false)
  for (const term of termsOf(query))
    for (let at = wordStart(lowerText, term, 0); at >= 0; at = wordStart(lowerText, term, at + 1))
      isMatched.fill(true, at, at + term.length)
  const parts: { text: string; isMatch: boolean }[] = []
  for (const [index, isMatch] of isMatched.entries()) {
    const last = parts.at(-1)
    const character = text[index] ?? ''
    if (last?.isMatch === isMatch) last.text += character
    else parts.push({ text: character, isMatch })
  }
  return parts
}

/** Where a word begins with the term, from an index on; -1 if none does. */
function wordStart(lowerText: string, term: string, from: number): number {
  for (let at = lowerText.indexOf(term, from); at >= 0; at = lowerText.indexOf(term, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]$/u.test(lowerText.slice(Math.max(0, at - 2), at))) return at
  return -1
}
