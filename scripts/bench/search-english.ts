// A query of another language as the glossary has it in English, for models of meaning that know nothing else.

import { FOREIGN_STOP, isForeign, segments, translated } from '../../src/skills/search/foreign.ts'
import { glossary } from '../../src/skills/search/lexicon.ts'
import { isUnspaced, rawWords, stemmed } from '../../src/skills/search/tokens.ts'
import type { IndexEntry } from '../../src/skills/skill.ts'

// The first of what a word may mean: a model takes every word at its word.
const MEANINGS = 2

/** The glossary speaks in stems: of each, the word that the catalog uses most. */
function wordsByStem(skills: readonly IndexEntry[]): ReadonlyMap<string, string> {
  const times = new Map<string, number>()
  for (const { name, description } of skills)
    for (const word of rawWords(`${name} ${description}`)) times.set(word, (times.get(word) ?? 0) + 1)
  const best = new Map<string, string>()
  for (const [word, count] of times) {
    const stem = stemmed(word)
    if (count > (times.get(best.get(stem) ?? '') ?? 0)) best.set(stem, word)
  }
  return best
}

/** English queries come back as they are; words that the glossary lacks stay. */
export function toEnglish(skills: readonly IndexEntry[]): (query: string) => string {
  const byStem = wordsByStem(skills)
  return (query) => {
    const words = rawWords(query)
    if (!isForeign(words)) return query
    const english: string[] = []
    const say = (stems: readonly string[], most: number): void => {
      english.push(...stems.slice(0, most).map((stem) => byStem.get(stem) ?? stem))
    }
    for (let at = 0; at < words.length;) {
      const word = words[at] ?? ''
      const meant = isUnspaced(word) || FOREIGN_STOP.has(word) ? null : translated(glossary(), words, at)
      if (isUnspaced(word)) for (const means of segments(glossary(), word)) say(means, 1)
      else if (meant) say(meant.means, MEANINGS)
      else if (!FOREIGN_STOP.has(word)) english.push(word)
      at += meant?.words ?? 1
    }
    return Array.from(new Set(english)).join(' ')
  }
}
