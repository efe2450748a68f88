// Extracts search terms from the body of a skill once, when its entry is made. Name, description and tags are indexed
// separately.

import { utf8 } from '../../lib/bytes.ts'
import {
  SEARCH_BODY_CHARS,
  SEARCH_HEADING_BYTES,
  SEARCH_STEMS_KEPT,
  SEARCH_WORD_MAX_CHARS,
  SEARCH_TERMS_BYTES,
} from './limits.ts'
import { COMMON, STOP } from './stop-words.ts'
import { isTokenLike, withoutTokens } from './token-like.ts'
import { apart, rawTerms, terms } from './tokens.ts'

/** Separates the terms of headings, which weigh more, from those of the text. */
export const GROUP_SEPARATOR = '|'

const SILENT: ReadonlySet<string> = new Set([...STOP, ...COMMON].flatMap((word) => [word, ...terms(word)]))

const seen = new Map<string, readonly string[]>()

/** The distinctive terms of a word, cached: bodies repeat the same few thousand words. */
function tellingTerms(cut: string): readonly string[] {
  const known = seen.get(cut)
  if (known) return known
  const word = apart(cut)
  const made = terms(word).filter(
    (term) =>
      !isTokenLike(word) &&
      !SILENT.has(word) &&
      !SILENT.has(term) &&
      term.length > 1 &&
      term.length <= SEARCH_WORD_MAX_CHARS &&
      !/^\p{N}+$/u.test(term),
  )
  if (seen.size >= SEARCH_STEMS_KEPT) seen.clear()
  seen.set(word, made)
  return made
}

// The weight of a word in one line: code names things, but says less about a skill's purpose than prose does.
const PROSE = 1
const CODE = 0.35
// A longer line is data, not text.
const LINE_MAX = 4_000

interface Count {
  weight: number
  /** The last line in which it was counted: a word counts once a line. */
  line: number
}

type Counts = Map<string, Count>

function add(counts: Counts, text: string, line: number, weight: number): void {
  for (const word of rawTerms(withoutTokens(text.slice(0, LINE_MAX))))
    for (const term of tellingTerms(word)) {
      const known = counts.get(term)
      if (!known) counts.set(term, { weight, line })
      else if (known.line !== line) {
        known.weight += weight
        known.line = line
      }
    }
}

function count(text: string): { readonly heading: Counts; readonly body: Counts } {
  const heading: Counts = new Map()
  const body: Counts = new Map()
  let fence = ''
  for (const [number, line] of text.split('\n').entries()) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark && (fence === '' || mark.startsWith(fence))) fence = fence === '' ? mark : ''
    else if (fence !== '') add(body, line, number, CODE)
    else if (/^#{1,6}\s/.test(line)) add(heading, line, number, PROSE)
    else add(body, line.replace(/https?:\/\/\S+/g, ' '), number, PROSE)
  }
  return { heading, body }
}

/** The most frequent terms that fit into the bytes; ties in text order. */
function best(
  counts: ReadonlyMap<string, Count>,
  bytes: number,
  but: ReadonlySet<string>,
): readonly string[] {
  const kept: string[] = []
  let left = bytes
  for (const [word] of Array.from(counts).toSorted((a, b) => b[1].weight - a[1].weight)) {
    if (but.has(word)) continue
    const size = bytesOf(word)
    if (size > left) continue
    left -= size
    kept.push(word)
    if (left < SHORTEST) break
  }
  return kept
}

// With less space left, checking the remaining terms is not worth it.
const SHORTEST = 6

/** Including the space after it. */
function bytesOf(word: string): number {
  return (/^[!-~]*$/.test(word) ? word.length : utf8(word).length) + 1
}

/**
 * `headings|body`: stems separated by spaces, the most distinctive first, at most SEARCH_TERMS_BYTES of UTF-8. '' for
 * none. Leaves out words of `known` (name and description), which are searched anyway, and text that looks like a
 * token, because a purge does not delete indexes.
 */
export function indexTerms(body: string, known = ''): string {
  const { heading, body: text } = count(body.slice(0, SEARCH_BODY_CHARS))
  const skip = new Set(terms(known))
  const headings = best(heading, SEARCH_HEADING_BYTES, skip)
  for (const word of headings) skip.add(word)
  const spent = headings.reduce((sum, word) => sum + bytesOf(word), 0)
  const words = best(text, SEARCH_TERMS_BYTES - spent, skip)
  return headings.length + words.length === 0
    ? ''
    : `${headings.join(' ')}${GROUP_SEPARATOR}${words.join(' ')}`
}
