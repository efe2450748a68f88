// Whether a person's message may hold private data: pasted text, or what looks like a key. Pure.

import { redact } from '../../lib/redact.ts'
import { withoutTokens } from '../../skills/search/token-like.ts'
import { PRIVATE_WORDS_CHARS } from './limits.ts'

// No further than people agree that an address goes: Chinese or Thai words stand behind it without a blank, and so may anything
// behind a comma.
const ADDRESS = /https?:\/\/[\w.~:/?#@&=%+-]+/gi

/**
 * More than a question says. Ids in an address look like keys, so that those alone are looked for in what is no
 * address; its length counts.
 */
export function maySayMore(text: string): boolean {
  if (text.length > PRIVATE_WORDS_CHARS || redact(text) !== text) return true
  const words = text.replaceAll(ADDRESS, ' ')
  return withoutTokens(words) !== words
}
