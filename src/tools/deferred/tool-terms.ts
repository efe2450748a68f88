// The words of tools and of queries for them, as search terms.

import { SEARCH_TERMS_MAX } from '../../skills/search/limits.ts'
import { stem } from '../../skills/search/stem.ts'
import { rawTerms, terms } from '../../skills/search/tokens.ts'
import type { SearchedTool } from '../record/offered.ts'
import { PHRASES, EQUAL_TERMS } from './wording.ts'

/** Words that say nothing about a skill, but name what a tool does, and to what. */
const MEANT: ReadonlySet<string> = new Set(
  'few get give go goes going gone keep make many next put show shows take takes tell user users'.split(' '),
)

/** The terms of a text or a name, in order. */
export function toolTerms(text: string): readonly string[] {
  return terms(separated(text), MEANT).flatMap(readAs)
}

/** The name of a tool without that of its server. */
export function ownNameOf({ row, origin }: SearchedTool): string {
  return origin?.tool ?? row.name
}

/** The words of a name. */
export function nameParts(name: string): readonly string[] {
  return rawTerms(separated(name))
}

/** Separates the words of names in camel case and with underscores. */
function separated(text: string): string {
  return text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/_/g, ' ')
}

const readings = new Map<string, readonly string[]>()

/** The terms that a term is read as: itself, or those of the word that it is another form of. */
function readAs(term: string): readonly string[] {
  if (readings.size === 0)
    for (const [word = '', ...forms] of listEntries(EQUAL_TERMS).map((entry) => entry.split(' ')))
      for (const form of forms)
        readings.set(
          respelt(stem(form)),
          word.split('+').map((part) => respelt(stem(part))),
        )
  const one = respelt(term)
  return readings.get(one) ?? [one]
}

/** A stem as it is spelt in American English, and with the ending that all forms of a word share. */
function respelt(term: string): string {
  if (term.endsWith('y')) return term.replace(/([^aeiou])y$/, '$1i')
  if (term.endsWith('ll')) return term.replace(/([a-z]{4}l)l$/, '$1')
  return term.endsWith('our') ? term.replace(/([a-z]{3})our$/, '$1or') : term
}

/** The entries of a list whose entries end with a semicolon. */
export function listEntries(list: string): readonly string[] {
  return list.split(';').map((entry) => entry.trim().replace(/\s+/g, ' '))
}

const phrases = listEntries(PHRASES).map((entry): readonly [RegExp, string] => {
  const [from = '', meant = ''] = entry.split(': ')
  const patterns = from.split(' | ').map((phrase) => phrase.replace('~', '((?: [^ ]+){0,4}) '))
  return [new RegExp(`\\b(?:${patterns.join('|')})\\b`, 'g'), meant]
})

/** The words of a query, with what its phrases mean in their place. */
function withPhrases(query: string): string {
  let text = nameParts(query).join(' ')
  for (const [phrase, meant] of phrases)
    text = text.replace(phrase, (_, ...rest: readonly unknown[]) => {
      // The offset and the whole text follow the groups.
      const between = rest.slice(0, -2).find((group) => typeof group === 'string' && group !== '')
      return `${meant}${typeof between === 'string' ? between : ''}`
    })
  return text
}

/** Values and questions in a query, and words for what they are and for what answers them. */
const VALUES: readonly (readonly [RegExp, string])[] = [
  [/\S@\S+\.\w/, 'email'],
  [/https?:\/\//, 'url'],
  [/(?:^|\s)#[a-z]/i, 'channel'],
  [/(?:^|\s)@[a-z]/i, 'user'],
  [/[$€£]\s?\d|\d\s?(?:usd|eur|dollars|euros)\b/i, 'amount'],
  [/\bwho (?:\w+ed|did|made)\b/i, 'history audit log'],
]

/** The terms of a query, each once. */
export function searchedTerms(query: string): readonly string[] {
  const values = VALUES.flatMap(([value, word]) => (value.test(query) ? toolTerms(word) : []))
  return [...new Set([...toolTerms(withPhrases(query)).slice(0, SEARCH_TERMS_MAX), ...values])]
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
