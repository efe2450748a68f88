// Decodes the character escapes of Perl patterns.

import { UnsupportedPattern } from '../pattern/brackets.ts'

const SIMPLE: Readonly<Record<string, number>> = { t: 9, n: 10, r: 13, f: 12, e: 27, a: 7 }

/** The character at the start of `text`, which begins with a backslash. */
export function codeAt(text: string): { code: number; length: number } {
  const letter = text[1] ?? ''
  const simple = Object.hasOwn(SIMPLE, letter) ? SIMPLE[letter] : undefined
  if (simple !== undefined) return { code: simple, length: 2 }
  const found = /^\\(?:x\{([\da-fA-F]{1,6})\}|x([\da-fA-F]{0,2})|o\{([0-7]+)\}|(0[0-7]{0,2})|c([ -~]))/.exec(
    text,
  )
  if (found) {
    const [all, braced, hex, braces, octal, control] = found
    const code =
      braced !== undefined
        ? Number.parseInt(braced, 16)
        : hex !== undefined
          ? Number.parseInt(hex || '0', 16)
          : control === undefined
            ? Number.parseInt(braces ?? octal ?? '0', 8)
            : control.toUpperCase().charCodeAt(0) ^ 64
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw new UnsupportedPattern(all)
    return { code, length: all.length }
  }
  if (/[A-Za-z0-9]/.test(letter)) throw new UnsupportedPattern(`\\${letter}`)
  const code = text.codePointAt(1) ?? 0
  return { code, length: code > 0xffff ? 3 : 2 }
}
