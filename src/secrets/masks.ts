// Masks used secrets in responses: as they are, and in the forms in which servers repeat input. Cannot recognize a secret that a
// server encrypts or hashes.

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
  // One secret may contain another: the longer one goes first.
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
  // At any offset in the encoded text. The neighbouring characters contain some bits of it too.
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

/** For a value that is not a key: as it is, in JSON and in a URL. */
function plainPattern(value: string): RegExp {
  const forms = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]
  const quoted = forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
  return new RegExp(quoted.join('|'), flagsOf(value))
}

/** The other alphabet of base64. */
const BASE64_URL: Readonly<Record<string, string>> = { '+': '-', '/': '_' }

/** Each character in every spelling that servers use, independent of the others. */
function spelled(text: string, also: Readonly<Record<string, string>> = {}, between = ''): string {
  return Array.from(text, (char) => {
    const other = also[char]
    return other === undefined ? spellingsOf(char) : `(?:${other}|${spellingsOf(char)})`
  }).join(between)
}

/** Base64 in mails and keys is split into lines; JSON escapes the line ends. */
const LINE_END = '(?:\\r?\\n|(?:\\\\r)?\\\\n)?'

/** A server may answer in capitals. Short values keep their case: they would be masked in ordinary words. */
function flagsOf(value: string): string {
  return value.length >= MASK_ANY_CASE_MIN_CHARS ? 'gi' : 'g'
}

/** Basic authentication stores credentials as base64: the decoded pair, and its password. */
function decoded(value: string): readonly string[] {
  if (!/^[\w+/-]+=*$/.test(value)) return []
  const bytes = fromBase64(value.replaceAll('-', '+').replaceAll('_', '/'))
  const text = bytes === null ? '' : (fromUtf8(bytes) ?? '')
  const at = text.indexOf(':')
  if (at < 0 || !/^[\x20-\x7E]+$/.test(text)) return []
  return [text, text.slice(at + 1)].filter((one) => one.length >= SECRET_MIN_CHARS)
}

/** The base64 characters that stay the same whatever surrounds the bytes, after `before` bytes (modulo 3) of other text. */
function base64Within(bytes: Uint8Array, before: number): string {
  const all = new Uint8Array(before + bytes.length)
  all.set(bytes, before)
  return base64(all).slice(Math.ceil((before * 8) / 6), Math.floor((all.length * 8) / 6))
}
