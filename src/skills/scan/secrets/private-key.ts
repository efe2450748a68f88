// Whether the text after a private-key header could be a real key, or was written by hand as an example. Keeps and
// returns nothing of it.

import { isInvented } from './secret-values.ts'

/** An RSA key of 16,384 bits has under 13,000 characters. */
export const KEY_CHARS_MAX = 16_384
/** An Ed25519 key, the shortest in use, has 64 characters of base64. */
const KEY_CHARS_MIN = 40
/** What a sample leaves out, or says in place of the key. */
const LEFT_OUT =
  /\.{3}|…|<[^>\n]{1,60}>|\$\{|\{\{|x{6}|X{6}|\*{3}|\byour\b|example|redacted|placeholder|truncated/i
/** Quotes, joints, escapes and quotation marks between the lines of a key in code and in documents. */
const BETWEEN = /[\s"'`+,;|>#\\()[\]]/g
/** Of half a key the rest can be worked out. */
const SHARE_MIN = 0.5

/** `after`: the text after the header. */
export function isPrivateKey(after: string): boolean {
  const end = after.slice(0, KEY_CHARS_MAX).search(/-----END/)
  const body = end < 0 ? after.slice(0, KEY_CHARS_MAX) : after.slice(0, end)
  // Headers of encrypted keys are on lines of their own.
  const plain = body
    .replace(/\\[nr]/g, '\n')
    .replace(/\b(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[^\n"']{0,200}/g, ' ')
  const first = plain.replace(BETWEEN, '').match(/^[A-Za-z0-9+/=]*/)?.[0] ?? ''
  if (first.length < KEY_CHARS_MIN) return false
  // Where the end is missing what follows may be anything: only what begins like a key counts.
  if (end >= 0 && LEFT_OUT.test(plain)) return false
  return !isShortened(first, end >= 0) && !isInvented(first.slice(0, INVENTED_CHARS).replace(LONG_RUNS, ''))
}

const INVENTED_CHARS = 200
/** Numbers in a key begin with noughts, which base64 shows as As; chance makes no other run. */
const LONG_RUNS = /A{5,}/g

/** The length that a DER key declares is not there. */
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
