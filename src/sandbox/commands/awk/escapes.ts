// Escapes in awk's strings.

import { decode, encode } from '../io/text.ts'

const LETTERS: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  '"': '"',
  '/': '/',
}
const ESCAPE = /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|(\n)|([\s\S]))/g

/** Decodes a text as written between quotes or after `-v`. Drops the backslash of an unknown escape. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  let bytes = false
  const plain = text.replaceAll(
    ESCAPE,
    (_whole: string, octal?: string, hex?: string, newline?: string, letter?: string): string => {
      if (octal !== undefined || hex !== undefined) {
        const code = octal === undefined ? Number.parseInt(hex ?? '', 16) : Number.parseInt(octal, 8) & 255
        if (code < 128) return String.fromCharCode(code)
        bytes = true
        return String.fromCharCode(0xdc00 + code)
      }
      if (newline !== undefined) return ''
      return LETTERS[letter ?? ''] ?? letter ?? ''
    },
  )
  // Escaped bytes that form characters become these characters.
  return bytes ? decode(encode(plain)) : plain
}
