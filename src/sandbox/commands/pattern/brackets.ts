// Parses bracket expressions: `[a-z]`, `[^]x]`, `[[:alpha:]]`.

import { CharSet, CLASSES, type CharPart } from './char-set.ts'
import { PatternError } from './tree.ts'

export interface BracketRules {
  readonly ignoreCase: boolean
  readonly bytesOnly: boolean
  /** Decodes an escape (`[\n]`), as in sed. Returns the character and its length in code units, or null. */
  readonly escape: (text: string, at: number) => { readonly char: string; readonly length: number } | null
}

export class UnsupportedPattern extends Error {
  override readonly name = 'UnsupportedPattern'
}

const UNMATCHED = 'Unmatched [, [^, [:, [., or [='

/** `at` is the position after the opening bracket, `end` the one after the closing bracket. */
export function bracketAt(text: string, at: number, rules: BracketRules): { set: CharSet; end: number } {
  const parts: CharPart[] = []
  const start = at
  let negated = false
  if (text[at] === '^') {
    negated = true
    at++
  }
  for (let first = true; ; first = false) {
    const unit = text[at]
    if (unit === undefined) throw new PatternError(UNMATCHED)
    if (unit === ']' && !first) break
    if (unit === '[' && text[at + 1] === ':') {
      const close = text.indexOf(':]', at + 2)
      if (close === -1) throw new PatternError(UNMATCHED)
      parts.push(...classOf(text.slice(at + 2, close), rules.ignoreCase))
      at = close + 2
      continue
    }
    const low = memberAt(text, at, rules)
    at = low.end
    if (text[at] === '-' && text[at + 1] !== ']' && text[at + 1] !== undefined) {
      const high = memberAt(text, at + 1, rules)
      // The C library orders only ASCII characters in C.UTF-8.
      if (low.code > 127 || high.code > 127) throw new PatternError('Invalid collation character')
      if (high.code < low.code) throw new PatternError('Invalid range end')
      parts.push([low.code, high.code])
      at = high.end
    } else parts.push([low.code, low.code])
  }
  const body = text.slice(start, at)
  if (/^:[a-z]+:$/.test(body)) throw new PatternError('character class syntax is [[:space:]], not [:space:]')
  return { set: new CharSet(parts, negated, rules.ignoreCase, rules.bytesOnly), end: at + 1 }
}

function classOf(name: string, ignoreCase: boolean): readonly CharPart[] {
  const parts = Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined
  if (!parts) throw new PatternError('Invalid character class name')
  return ignoreCase && (name === 'upper' || name === 'lower') ? (CLASSES['alpha'] ?? parts) : parts
}

function memberAt(text: string, at: number, rules: BracketRules): { code: number; end: number } {
  const unit = text[at]
  if (unit === '[' && (text[at + 1] === '.' || text[at + 1] === '=')) {
    const close = text.indexOf(`${text[at + 1] ?? ''}]`, at + 2)
    if (close === -1) throw new PatternError(UNMATCHED)
    const name = text.slice(at + 2, close)
    if (Array.from(name).length !== 1) throw new UnsupportedPattern(`a collating element ([${name}])`)
    return { code: name.codePointAt(0) ?? 0, end: close + 2 }
  }
  const escaped = rules.escape(text, at)
  if (escaped) return { code: escaped.char.codePointAt(0) ?? 0, end: at + escaped.length }
  const code = text.codePointAt(at) ?? 0
  return { code, end: at + (code > 0xffff ? 2 : 1) }
}
