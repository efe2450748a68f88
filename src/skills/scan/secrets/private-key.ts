// Tells whether the text after a private-key header could be a real key or is an invented example. Neither
// stores nor returns any of the text.

import { isInvented } from './secret-values.ts'

/** Maximum length of a key. An RSA key of 16,384 bits has fewer than 13,000 characters. */
export const KEY_CHARS_MAX = 16_384
/** Minimum length of a key. An Ed25519 key, the shortest in use, has 64 characters of base64. */
const KEY_CHARS_MIN = 40
/** Ellipses and placeholders, which appear only in samples. */
const LEFT_OUT =
  /\.{3}|…|<[^>\n]{1,60}>|\$\{|\{\{|x{6}|X{6}|\*{3}|\byour\b|example|redacted|placeholder|truncated/i
/**
 * Quotation marks, operators, escapes and comment markers between the lines of a key in code and in
 * documents.
 */
const BETWEEN = /[\s"'`+,;|>#\\()[\]]/g
/** Minimum share of a key that counts, because the rest of half a key can be computed. */
const SHARE_MIN = 0.5

/** `after` is the text after the header. */
export function isPrivateKey(after: string): boolean {
  const end = after.slice(0, KEY_CHARS_MAX).search(/-----END/)
  const body = end < 0 ? after.slice(0, KEY_CHARS_MAX) : after.slice(0, end)
  // Encrypted keys have further header lines.
  const plain = body
    .replace(/\\[nr]/g, '\n')
    .replace(/\b(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[^\n"']{0,200}/g, ' ')
  const first = plain.replace(BETWEEN, '').match(/^[A-Za-z0-9+/=]*/)?.[0] ?? ''
  if (first.length < KEY_CHARS_MIN) return false
  // Without an END line, `plain` includes unrelated text, so placeholders in it mean nothing.
  if (end >= 0 && LEFT_OUT.test(plain)) return false
  return !isShortened(first, end >= 0) && !isInvented(first.slice(0, INVENTED_CHARS).replace(LONG_RUNS, ''))
}

const INVENTED_CHARS = 200
/**
 * Runs of zero bytes, which occur at the beginning of numbers in real keys. Other runs do not occur by
 * chance.
 */
const LONG_RUNS = /A{5,}/g

/** True if a DER key is much shorter than the length that it declares. */
function isShortened(body: string, ended: boolean): boolean {
  if (!ended || !body.startsWith('MI')) return false
  let head: string
  try {
    head = atob(body.slice(0, 8))
  } catch {
    return false
  }
  const kind = head.charCodeAt(1)
  const declared =
    kind === 0x82 ? head.charCodeAt(2) * 256 + head.charCodeAt(3) : kind === 0x81 ? head.charCodeAt(2) : kind
  return body.length * 0.75 < declared * SHARE_MIN
}
