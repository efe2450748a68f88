// Takes secrets that were used out of what comes back: as they are, and in the forms in which servers repeat what they were
// sent. What a server makes of a secret by a cipher or a hash of its own is beyond it.

import { base64, fromBase64, fromUtf8, hex, utf8 } from '../lib/bytes.ts'
import {
  MASK_ANY_CASE_MIN_CHARS,
  MASK_DENSE_SIGNS_MAX,
  MASK_LINES_MAX_CHARS,
  MASK_SIGNS_MAX,
  SECRET_MIN_CHARS,
} from './limits.ts'
import { spellingsOf } from './spellings.ts'

/** Replaces every known form of these values, by name, with `[secret NAME]`. */
export function masker(secrets: ReadonlyMap<string, string>): (text: string) => string {
  // One secret may be within another: the longer one goes first.
  const named = [...secrets]
    .filter(([, value]) => value !== '')
    .flatMap(([name, value]) => [value, ...decoded(value)].map((one) => [name, one] as const))
    .toSorted(([, a], [, b]) => b.length - a.length)
  const masks = named.map(([name, value]) => [patternOf(value), `[secret ${name}]`] as const)
  return (text) => masks.reduce((left, [pattern, shown]) => left.replace(pattern, () => shown), text)
}

function patternOf(value: string): RegExp {
  const signs = value.match(/[^A-Za-z0-9]/g)?.length ?? 0
  if (signs > (4 * signs > value.length ? MASK_DENSE_SIGNS_MAX : MASK_SIGNS_MAX)) return plainPattern(value)
  const bytes = utf8(value)
  // Wherever it stands in what was encoded. The signs beside it hold some bits of it, too.
  const within = [0, 1, 2]
    .map((before) => base64Within(bytes, before))
    .toSorted((a, b) => b.length - a.length)
    .map(
      (form) =>
        `[\\w+/-]?${spelled(form, BASE64_URL, value.length <= MASK_LINES_MAX_CHARS ? LINE_END : '')}[\\w+/-]?=*`,
    )
  const hexed = hex(bytes)
  return new RegExp([...within, spelled(value), hexed, hexed.toUpperCase()].join('|'), flagsOf(value))
}

/** What is no key: as it is, in JSON and in a URL. */
function plainPattern(value: string): RegExp {
  const forms = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]
  const quoted = forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
  return new RegExp(quoted.join('|'), flagsOf(value))
}

/** The other alphabet of base64. */
const BASE64_URL: Readonly<Record<string, string>> = { '+': '-', '/': '_' }

/** Each sign in every way in which servers write it, whatever they do to the others. */
function spelled(text: string, also: Readonly<Record<string, string>> = {}, between = ''): string {
  return Array.from(text, (char) => {
    const other = also[char]
    return other === undefined ? spellingsOf(char) : `(?:${other}|${spellingsOf(char)})`
  }).join(between)
}

/** Base64 in mails and keys is cut into lines, which JSON writes with backslashes. */
const LINE_END = '(?:\\r?\\n|(?:\\\\r)?\\\\n)?'

/** A server may write a whole answer in capitals. A short value would be masked in ordinary words. */
function flagsOf(value: string): string {
  return value.length >= MASK_ANY_CASE_MIN_CHARS ? 'gi' : 'g'
}

/** The credentials of basic authentication are stored in base64: what they are of, and the password in it. */
function decoded(value: string): readonly string[] {
  if (!/^[\w+/-]+=*$/.test(value)) return []
  const bytes = fromBase64(value.replaceAll('-', '+').replaceAll('_', '/'))
  const text = bytes === null ? '' : (fromUtf8(bytes) ?? '')
  const at = text.indexOf(':')
  if (at < 0 || !/^[\x20-\x7E]+$/.test(text)) return []
  return [text, text.slice(at + 1)].filter((one) => one.length >= SECRET_MIN_CHARS)
}

/** What is the same in base64 whatever stands around it, behind `before` bytes (modulo 3) of something else. */
function base64Within(bytes: Uint8Array, before: number): string {
  const all = new Uint8Array(before + bytes.length)
  all.set(bytes, before)
  return base64(all).slice(Math.ceil((before * 8) / 6), Math.floor((all.length * 8) / 6))
}
