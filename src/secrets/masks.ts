// Masks secrets in the responses of servers to which they were sent, in all forms in which servers commonly repeat
// their input. Cannot recognize a secret that a server encrypted or hashed.

import { base64, fromBase64, fromUtf8, hex, utf8 } from '../lib/bytes.ts'
import {
  MASK_ANY_CASE_MIN_CHARS,
  MASK_ALL_SPELLINGS_DENSE_MAX_SIGNS,
  MASK_SPLIT_BASE64_MAX_CHARS,
  MASK_ALL_SPELLINGS_MAX_SIGNS,
  SECRET_MIN_CHARS,
} from './limits.ts'
import { spellingsOf } from './spellings.ts'

/** Returns a function that replaces every known form of these values with `[secret NAME]`. */
export function masker(secrets: ReadonlyMap<string, string>): (text: string) => string {
  // Longer values first, because one secret may contain another.
  const named = [...secrets]
    .filter(([, value]) => value !== '')
    .flatMap(([name, value]) => [value, ...decodeCredentials(value)].map((one) => [name, one] as const))
    .toSorted(([, a], [, b]) => b.length - a.length)
  const masks = named.map(([name, value]) => [patternOf(value), `[secret ${name}]`] as const)
  return (text) =>
    masks.reduce((maskedText, [pattern, replacement]) => maskedText.replace(pattern, () => replacement), text)
}

function patternOf(value: string): RegExp {
  const specialChars = value.match(/[^A-Za-z0-9]/g)?.length ?? 0
  if (
    specialChars >
    (4 * specialChars > value.length ? MASK_ALL_SPELLINGS_DENSE_MAX_SIGNS : MASK_ALL_SPELLINGS_MAX_SIGNS)
  )
    return plainPattern(value)
  const bytes = utf8(value)
  // The value may be at any offset in the encoded text. The characters next to it also contain some of its bits.
  const base64Patterns = [0, 1, 2]
    .map((bytesBefore) => base64Within(bytes, bytesBefore))
    .toSorted((a, b) => b.length - a.length)
    .map(
      (form) =>
        `[\\w+/-]?${spelledPattern(form, BASE64_URL, value.length <= MASK_SPLIT_BASE64_MAX_CHARS ? LINE_END : '')}[\\w+/-]?=*`,
    )
  const hexForm = hex(bytes)
  return new RegExp(
    [...base64Patterns, spelledPattern(value), hexForm, hexForm.toUpperCase()].join('|'),
    flagsOf(value),
  )
}

/** Matches a value as written, in JSON and in a URL. */
function plainPattern(value: string): RegExp {
  const forms = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]
  const escaped = forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
  return new RegExp(escaped.join('|'), flagsOf(value))
}

/** The characters of base64url that differ from those of base64. */
const BASE64_URL: Readonly<Record<string, string>> = { '+': '-', '/': '_' }

/** A pattern for a text in which each character may have any spelling that servers use. */
function spelledPattern(
  text: string,
  alternatives: Readonly<Record<string, string>> = {},
  separatorPattern = '',
): string {
  return Array.from(text, (char) => {
    const other = alternatives[char]
    return other === undefined ? spellingsOf(char) : `(?:${other}|${spellingsOf(char)})`
  }).join(separatorPattern)
}

/** Base64 in emails and keys is split into lines. JSON escapes the line ends. */
const LINE_END = '(?:\\r?\\n|(?:\\\\r)?\\\\n)?'

/**
 * Ignores the case of long values, because a server may return capitals. Short values would then match
 * ordinary words.
 */
function flagsOf(value: string): string {
  return value.length >= MASK_ANY_CASE_MIN_CHARS ? 'gi' : 'g'
}

/** For a value that may be Basic authentication: the decoded credentials, and the password in them. */
function decodeCredentials(value: string): readonly string[] {
  if (!/^[\w+/-]+=*$/.test(value)) return []
  const bytes = fromBase64(value.replaceAll('-', '+').replaceAll('_', '/'))
  const text = bytes === null ? '' : (fromUtf8(bytes) ?? '')
  const colonIndex = text.indexOf(':')
  if (colonIndex < 0 || !/^[\x20-\x7E]+$/.test(text)) return []
  return [text, text.slice(colonIndex + 1)].filter((one) => one.length >= SECRET_MIN_CHARS)
}

/** The base64 characters that depend only on these bytes, if `bytesBefore` other bytes (modulo 3) precede them. */
function base64Within(bytes: Uint8Array, bytesBefore: number): string {
  const padded = new Uint8Array(bytesBefore + bytes.length)
  padded.set(bytes, bytesBefore)
  return base64(padded).slice(Math.ceil((bytesBefore * 8) / 6), Math.floor((padded.length * 8) / 6))
}
