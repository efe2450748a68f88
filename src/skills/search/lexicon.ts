// Reads the tables of data-*.ts once an isolate: synonyms by stem, and words of other languages by their beginnings.

import { GLOSSARY_SOFTWARE } from './data-glossary-software.ts'
import { GLOSSARY_WORK } from './data-glossary-work.ts'
import { EVERYDAY } from './data-everyday.ts'
import { OFFICE } from './data-office.ts'
import { TECHNICAL } from './data-technical.ts'
import { isUnspaced, rawWords, stemmed, terms } from './tokens.ts'

export interface Phrase {
  /** Neighbours, as they must stand in a query: stems of English, beginnings of foreign words. */
  readonly parts: readonly string[]
  /** Stems that would do. */
  readonly means: readonly string[]
}

export interface Synonyms {
  /** Stem → stems of what means the same. */
  readonly words: ReadonlyMap<string, ReadonlySet<string>>
  /** English phrases by the stem of their first word, longest first. */
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>
}

export interface Glossary {
  /** Foreign words and phrases by the first two letters of their first word, longest first. */
  readonly foreign: ReadonlyMap<string, readonly Phrase[]>
  /** Words of languages without blanks → English stems. */
  readonly unspaced: ReadonlyMap<string, readonly string[]>
  readonly unspacedMax: number
}

const spaced = (word: string): string => word.replaceAll('_', ' ')

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

function readSynonyms(): Synonyms {
  const words = new Map<string, Set<string>>()
  const phrases = new Map<string, Phrase[]>()
  const say = (said: string, means: readonly string[]): void => {
    const parts = rawWords(spaced(said)).map(stemmed)
    const first = parts[0]
    if (first === undefined) return
    if (parts.length > 1) push(phrases, first, { parts, means })
    else words.set(first, new Set([...(words.get(first) ?? []), ...means.filter((one) => one !== first)]))
  }
  for (const line of `${OFFICE}\n${TECHNICAL}\n${EVERYDAY}`.split('\n')) {
    const [left = '', right] = line.split(' > ')
    const said = left.trim().split(/\s+/).filter(Boolean)
    const means = right === undefined ? null : terms(right)
    for (const word of said)
      say(word, means ?? said.filter((other) => other !== word).flatMap((other) => terms(spaced(other))))
  }
  for (const list of phrases.values()) list.sort((a, b) => b.parts.length - a.parts.length)
  return { words, phrases }
}

function readGlossary(): Glossary {
  const foreign = new Map<string, Phrase[]>()
  const unspaced = new Map<string, readonly string[]>()
  for (const line of `${GLOSSARY_WORK}\n${GLOSSARY_SOFTWARE}`.split('\n')) {
    const colon = line.indexOf(': ')
    if (colon < 0) continue
    const means = line.slice(0, colon).split(' ').map(stemmed)
    for (const key of line.slice(colon + 2).split(' ')) {
      const parts = rawWords(spaced(key))
      const first = parts[0]
      if (first === undefined) continue
      if (isUnspaced(first)) unspaced.set(first, [...(unspaced.get(first) ?? []), ...means])
      else push(foreign, first.slice(0, 2), { parts, means })
    }
  }
  const weight = (phrase: Phrase): number => phrase.parts.length * 100 + phrase.parts.join('').length
  for (const list of foreign.values()) list.sort((a, b) => weight(b) - weight(a))
  const unspacedMax = Math.max(...Array.from(unspaced.keys(), (key) => key.length))
  return { foreign, unspaced, unspacedMax }
}

let english: Synonyms | null = null
let others: Glossary | null = null

/** Read at the first query: a Worker that never searches pays nothing. */
export function synonyms(): Synonyms {
  return (english ??= readSynonyms())
}

/** Read at the first foreign or unknown word. */
export function glossary(): Glossary {
  return (others ??= readGlossary())
}
