// Decides whether the text after a private-key header could be a real key or is an invented example. Neither
// stores nor returns any of the text.

import { isInvented } from './secret-values.ts'

/** Maximum length of a key. An RSA key of 16,384 bits has fewer than 13,000 characters. */
export const KEY_MAX_CHARS = 16_384
/** Minimum length of a key. An Ed25519 key, the shortest in use, has 64 characters of base64. */
const KEY_MIN_CHARS = 40
/** Ellipses and placeholders, which appear only in samples. */
const PLACEHOLDER =
  /\.{3}|…|<[^>\n]{1,60}>|\$\{|\{\{|x{6}|X{6}|\*{3}|\byour\b|example|redacted|placeholder|truncated/i
/**
 * Quotation marks, operators, escapes and comment markers between the lines of a key in code and in
 * documents.
 */
const FILLER = /[\s"'`+,;|>#\\()[\]]/g
/** The smallest part of a key that counts as a key: from half of a key, the rest can be computed. */
const KEY_SHARE_MIN = 0.5

export function isPrivateKey(textAfterHeader: string): boolean {
  const end = textAfterHeader.slice(0, KEY_MAX_CHARS).search(/-----END/)
  const body = end < 0 ? textAfterHeader.slice(0, KEY_MAX_CHARS) : textAfterHeader.slice(0, end)
  // Encrypted keys have additional header lines.
  const bodyText = body
    .replace(/\\[nr]/g, '\n')
    .replace(/\b(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[^\n"']{0,200}/g, ' ')
  const keyText = bodyText.replace(FILLER, '').match(/^[A-Za-z0-9+/=]*/)?.[0] ?? ''
  if (keyText.length < KEY_MIN_CHARS) return false
  // Without an END line, `bodyText` includes unrelated text, so placeholders in it mean nothing.
  if (end >= 0 && PLACEHOLDER.test(bodyText)) return false
  return (
    !isShortened(keyText, end >= 0) && !isInvented(keyText.slice(0, CHECKED_CHARS).replace(ZERO_RUNS, ''))
  )
}

const CHECKED_CHARS = 200
/**
 * Runs of zero bytes, which occur at the beginning of numbers in real keys. Other runs do not occur by
 * chance.
 */
const ZERO_RUNS = /A{5,}/g

/** True if a DER key is much shorter than the length that it declares. */
function isShortened(body: string, hasEnd: boolean): boolean {
  if (!hasEnd || !body.startsWith('MI')) return false
  let derHead: string
  try {
    derHead = atob(body.slice(0, 8))
  } catch {
    return false
  }
  const lengthByte = derHead.charCodeAt(1)
  const declaredBytes =
    lengthByte === 0x82
      ? derHead.charCodeAt(2) * 256 + derHead.charCodeAt(3)
      : lengthByte === 0x81
        ? derHead.charCodeAt(2)
        : lengthByte
  return body.length * 0.75 < declaredBytes * KEY_SHARE_MIN
}
