// The words by which search finds a skill besides its name, description and tags: taken from its body once, when it is made.

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

/** Between the words of headings, which weigh more, and those of the text. */
export const GROUP_SEPARATOR = '|'

const SILENT: ReadonlySet<string> = new Set([...STOP, ...COMMON].flatMap((word) => [word, ...terms(word)]))

const seen = new Map<string, readonly string[]>()

/** The telling terms of a word, remembered: bodies repeat the same few thousand words. */
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

// What one line adds to a word: code names things, but says less of what a skill is for than prose does.
const PROSE = 1
const CODE = 0.35
// Past this a line is data, not text.
const LINE_MAX = 4_000

interface Count {
  weight: number
  /** The last line that counted: a word counts once in each. */
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

/** The most frequent first, until the bytes are spent. Ties: the one that came first in the text. */
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

// Less room is not worth the walk through the rest.
const SHORTEST = 6

/** With the blank behind it. */
function bytesOf(word: string): number {
  return (/^[!-~]*$/.test(word) ? word.length : utf8(word).length) + 1
}

/**
 * `headings|body`: stemmed words separated by blanks, the telling ones first, at most SEARCH_TERMS_BYTES of UTF-8.
 * '' for none. Words of `known` (name and description) are left out: they are searched anyway. So is what looks like a
 * token, for a purge takes no index away.
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
