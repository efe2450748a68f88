// Whether a person's message may hold private data: pasted text, or what looks like a key. Pure.

import { redact } from '../../lib/redact.ts'
import { withoutTokens } from '../../skills/search/token-like.ts'
import { PRIVATE_TEXT_CHARS } from './limits.ts'

// No further than people agree that an address goes: Chinese or Thai words stand behind it without a blank, and so may anything
// behind a comma.
const ADDRESS = /https?:\/\/[\w.~:/?#@&=%+-]+/gi

// What no rule for words knows as a key: numbers of cards and accounts, fingerprints, letters of other scripts among digits.
const NUMBER = /\d{12}|[3-6]\d{3}(?:[ -]\d{4}){2,3}(?!\d)|(?:[\da-f]{2}:){7}/i
const MIXED = /(?=[\p{Lu}\p{Ll}\p{Nd}]{8})[\p{Lu}\p{Ll}]{1,80}\p{Nd}{1,80}[\p{Lu}\p{Ll}]/u

/**
 * More than a question says. Ids in an address look like keys, so that those alone are looked for in what is no
 * address; its length counts.
 */
export function mayRevealMore(text: string): boolean {
  if (text.length > PRIVATE_TEXT_CHARS || redact(text) !== text) return true
  const words = text.replaceAll(ADDRESS, ' ')
  return withoutTokens(words) !== words || NUMBER.test(words) || MIXED.test(words)
}
