// Tells whether a person's message may contain private data: pasted text, or text that looks like a key.
// Pure.

import { redact } from '../../lib/redact.ts'
import { withoutTokens } from '../../skills/search/token-like.ts'
import { PRIVATE_TEXT_MIN_CHARS } from './limits.ts'

// A match ends at the first character that may not belong to the address. Chinese or Thai text may follow without
// a space, and any text may follow a comma.
const WEB_ADDRESS = /https?:\/\/[\w.~:/?#@&=%+-]+/gi

// Keys that the rule for tokens does not find: card numbers, account numbers, fingerprints, and digits mixed
// with letters of other scripts.
const LONG_NUMBER = /\d{12}|[3-6]\d{3}(?:[ -]\d{4}){2,3}(?!\d)|(?:[\da-f]{2}:){7}/i
const MIXED_TOKEN = /(?=[\p{Lu}\p{Ll}\p{Nd}]{8})[\p{Lu}\p{Ll}]{1,80}\p{Nd}{1,80}[\p{Lu}\p{Ll}]/u

/**
 * Whether the message reveals more than a typical question. IDs in an address look like keys, so the search
 * for keys skips addresses; the length includes them.
 */
export function mayContainPrivateData(text: string): boolean {
  if (text.length > PRIVATE_TEXT_MIN_CHARS || redact(text) !== text) return true
  const withoutAddresses = text.replaceAll(WEB_ADDRESS, ' ')
  return (
    withoutTokens(withoutAddresses) !== withoutAddresses ||
    LONG_NUMBER.test(withoutAddresses) ||
    MIXED_TOKEN.test(withoutAddresses)
  )
}
