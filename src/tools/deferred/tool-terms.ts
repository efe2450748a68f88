// The words of tools and of queries for them, as search terms.

import { SEARCH_TERMS_MAX } from '../../skills/search/limits.ts'
import { stem } from '../../skills/search/stem.ts'
import { terms } from '../../skills/search/tokens.ts'

/** Words that say nothing about a skill, but name what a tool does, and to what. */
const MEANT: ReadonlySet<string> = new Set(
  'down few get give go goes going gone make many next off on show shows user users'.split(' '),
)

/** The terms of a text or a name, in order. Separates the words of names in camel case and with underscores. */
export function toolTerms(text: string): readonly string[] {
  return terms(text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/_/g, ' '), MEANT)
}

/** Values in a query, and the words for what they are. */
const VALUES: readonly (readonly [RegExp, string])[] = [
  [/\S@\S+\.\w/, 'email'],
  [/https?:\/\//, 'url'],
  [/(?:^|\s)#[a-z]/i, 'channel'],
  [/(?:^|\s)@[a-z]/i, 'user'],
  [/[$€£]\s?\d|\d\s?(?:usd|eur|dollars|euros)\b/i, 'amount'],
]

/** The terms of a query, each once. */
export function searchedTerms(query: string): readonly string[] {
  const values = VALUES.flatMap(([value, word]) => (value.test(query) ? stem(word) : []))
  return [...new Set([...toolTerms(query).slice(0, SEARCH_TERMS_MAX), ...values])]
}

/** Whether two words differ in one letter, or in the order of two. */
export function isMisspelt(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start++
  const [a, b] = [one.slice(start), other.slice(start)]
  return (
    a.slice(1) === b.slice(1) ||
    a.slice(1) === b ||
    a === b.slice(1) ||
    (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2))
  )
}
