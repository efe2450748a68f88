// Extracts search terms from the body of a skill, once, when its index entry is created. Name, description and tags are
// indexed separately.

import { utf8 } from '../../lib/bytes.ts'
import {
  SEARCH_BODY_MAX_CHARS,
  SEARCH_HEADING_MAX_BYTES,
  SEARCH_CACHED_WORDS_MAX,
  SEARCH_WORD_MAX_CHARS,
  SEARCH_TERMS_MAX_BYTES,
} from './limits.ts'
import { COMMON_WORDS, STOP_WORDS } from './stop-words.ts'
import { isTokenLike, withoutTokens } from './token-like.ts'
import { copyOf, rawTerms, terms } from './tokens.ts'

/** Separates the terms of headings, which weigh more, from those of the text. */
export const GROUP_SEPARATOR = '|'

const INDEX_STOP_WORDS: ReadonlySet<string> = new Set(
  [...STOP_WORDS, ...COMMON_WORDS].flatMap((word) => [word, ...terms(word)]),
)

const termsByWord = new Map<string, readonly string[]>()

/** The distinctive terms of a word, cached: bodies repeat the same few thousand words. */
function distinctiveTerms(rawWord: string): readonly string[] {
  const known = termsByWord.get(rawWord)
  if (known) return known
  const word = copyOf(rawWord)
  const distinctive = terms(word).filter(
    (term) =>
      !isTokenLike(word) &&
      !INDEX_STOP_WORDS.has(word) &&
      !INDEX_STOP_WORDS.has(term) &&
      term.length > 1 &&
      term.length <= SEARCH_WORD_MAX_CHARS &&
      !/^\p{N}+$/u.test(term),
  )
  if (termsByWord.size >= SEARCH_CACHED_WORDS_MAX) termsByWord.clear()
  termsByWord.set(word, distinctive)
  return distinctive
}

// The weight of a word in a line of prose or of code, which says less about a skill's purpose.
const PROSE_WEIGHT = 1
const CODE_WEIGHT = 0.35
// Characters of a line that are indexed. A longer line is data, not text.
const LINE_MAX_CHARS = 4_000

interface Count {
  weight: number
  /** The last line in which it was counted, because a word counts only once per line. */
  line: number
}

type Counts = Map<string, Count>

function addWords(counts: Counts, text: string, line: number, weight: number): void {
  for (const word of rawTerms(withoutTokens(text.slice(0, LINE_MAX_CHARS))))
    for (const term of distinctiveTerms(word)) {
      const known = counts.get(term)
      if (!known) counts.set(term, { weight, line })
      else if (known.line !== line) {
        known.weight += weight
        known.line = line
      }
    }
}

function countWords(text: string): { readonly heading: Counts; readonly body: Counts } {
  const heading: Counts = new Map()
  const body: Counts = new Map()
  let fence = ''
  for (const [number, line] of text.split('\n').entries()) {
    const fenceMark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fenceMark && (fence === '' || fenceMark.startsWith(fence))) fence = fence === '' ? fenceMark : ''
    else if (fence !== '') addWords(body, line, number, CODE_WEIGHT)
    else if (/^#{1,6}\s/.test(line)) addWords(heading, line, number, PROSE_WEIGHT)
    else addWords(body, line.replace(/https?:\/\/\S+/g, ' '), number, PROSE_WEIGHT)
  }
  return { heading, body }
}

/** The terms of greatest weight that fit into the bytes, ties in text order. */
function heaviestTerms(
  counts: ReadonlyMap<string, Count>,
  bytes: number,
  excluded: ReadonlySet<string>,
): readonly string[] {
  const chosen: string[] = []
  let remainingBytes = bytes
  for (const [word] of Array.from(counts).toSorted((a, b) => b[1].weight - a[1].weight)) {
    if (excluded.has(word)) continue
    const size = bytesOf(word)
    if (size > remainingBytes) continue
    remainingBytes -= size
    chosen.push(word)
    if (remainingBytes < MIN_USEFUL_BYTES) break
  }
  return chosen
}

// With fewer bytes left, checking the remaining terms is not worth it.
const MIN_USEFUL_BYTES = 6

/** The bytes of a word and the space after it. */
function bytesOf(word: string): number {
  return (/^[!-~]*$/.test(word) ? word.length : utf8(word).length) + 1
}

/**
 * The search terms of a body, as `headings|body`: stems separated by spaces, those of greatest weight first, at most
 * SEARCH_TERMS_MAX_BYTES of UTF-8, or '' if there are none. Leaves out words in `known` (name and description), which are
 * searched anyway, and text that looks like a secret token, because a purge does not delete indexes.
 */
export function indexTerms(body: string, known = ''): string {
  const { heading, body: text } = countWords(body.slice(0, SEARCH_BODY_MAX_CHARS))
  const excluded = new Set(terms(known))
  const headings = heaviestTerms(heading, SEARCH_HEADING_MAX_BYTES, excluded)
  for (const word of headings) excluded.add(word)
  const headingBytes = headings.reduce((sum, word) => sum + bytesOf(word), 0)
  const words = heaviestTerms(text, SEARCH_TERMS_MAX_BYTES - headingBytes, excluded)
  return headings.length + words.length === 0
    ? ''
    : `${headings.join(' ')}${GROUP_SEPARATOR}${words.join(' ')}`
}
