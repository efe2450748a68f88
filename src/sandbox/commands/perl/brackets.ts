// Parses bracket expressions of Perl patterns: `[a-z\d]`, `[^"]`, `[[:alpha:]]`.

import { UnsupportedPattern } from '../pattern/brackets.ts'
import { CharSet, type CharPart } from '../pattern/char-set.ts'
import { PatternError } from '../pattern/tree.ts'
import { classAt, NAMED, othersOf } from './classes.ts'
import { codeAt } from './escapes.ts'
import type { Flags } from './flags.ts'

/** `at` is the position after the opening bracket, `end` the one after the closing bracket. */
export function bracketAt(
  text: string,
  at: number,
  { ignoreCase, bytesOnly }: Pick<Flags, 'ignoreCase' | 'bytesOnly'>,
): { set: CharSet; end: number } {
  const parts: CharPart[] = []
  const negated = text[at] === '^'
  if (negated) at++
  for (let first = true; text[at] !== ']' || first; first = false) {
    if (at >= text.length) throw new PatternError('missing terminating ] for character class')
    const named = /^\[:(\^?)([a-z]*):\]/.exec(text.slice(at, at + 20))
    if (named) {
      const known = Object.hasOwn(NAMED, named[2] ?? '') ? NAMED[named[2] ?? ''] : undefined
      if (!known) throw new PatternError('unknown POSIX class name')
      parts.push(...(named[1] === '' ? known : othersOf(known, bytesOnly)))
      at += named[0].length
      continue
    }
    if (/^\[[.=]/.test(text.slice(at, at + 2))) throw new UnsupportedPattern('a collating element')
    const low = memberAt(text, at, bytesOnly)
    at = low.end
    if (low.code === null) {
      parts.push(...low.parts)
      continue
    }
    const isRange = text[at] === '-' && text[at + 1] !== ']' && text[at + 1] !== undefined
    const high = isRange && text[at + 1] !== '[' ? memberAt(text, at + 1, bytesOnly) : null
    if (high && high.code !== null) {
      if (high.code < low.code) throw new PatternError('range out of order in character class')
      parts.push([low.code, high.code])
      at = high.end
    } else parts.push([low.code, low.code])
  }
  return { set: new CharSet(parts, negated, ignoreCase, bytesOnly), end: at + 1 }
}

interface Member {
  /** The code point; null for a class. */
  readonly code: number | null
  readonly parts: readonly CharPart[]
  readonly end: number
}

function memberAt(text: string, at: number, bytesOnly: boolean): Member {
  if (text[at] === '\\') {
    const rest = text.slice(at, at + 40)
    if (/^\\[QEBRXNK]/.test(rest)) throw new UnsupportedPattern(`${rest.slice(0, 2)} within brackets`)
    if (rest.startsWith(String.raw`\b`)) return { code: 8, parts: [], end: at + 2 }
    const found = classAt(rest, bytesOnly)
    if (found) return { code: null, parts: found.parts, end: at + found.length }
    const octal = /^\\([0-7]{1,3})/.exec(rest)
    if (octal) return { code: Number.parseInt(octal[1] ?? '0', 8), parts: [], end: at + octal[0].length }
    const { code, length } = codeAt(rest)
    return { code, parts: [], end: at + length }
  }
  const code = text.codePointAt(at) ?? 0
  return { code, parts: [], end: at + (code > 0xffff ? 2 : 1) }
}
