// Parses one side of the command `y`.

import { Unsupported } from '../command.ts'
import { escapeAt } from '../pattern/escapes.ts'

/** Throws an `Unsupported` for any other character after a backslash. */
export function charactersOf(text: string): readonly string[] {
  const chars: string[] = []
  for (let at = 0; at < text.length;) {
    const escaped = escapeAt(text, at)
    if (text[at] === '\\' && escaped) {
      chars.push(escaped.char)
      at += escaped.length
    } else if (text[at] === '\\') {
      const next = text[at + 1] ?? ''
      if (next !== '\\' && next !== '\n')
        throw new Unsupported(`sed y with \\${next}`, 'the character without a backslash')
      chars.push(next)
      at += 2
    } else {
      const char = String.fromCodePoint(text.codePointAt(at) ?? 0)
      chars.push(char)
      at += char.length
    }
  }
  return chars
}
