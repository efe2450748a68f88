// Parses glob patterns: `*`, `?`, brackets, and extended patterns such as `@(a|b)`. A backslash quotes a character.

import type { CharSet } from '../../commands/pattern/char-set.ts'
import { bracketAt } from '../../commands/pattern/brackets.ts'
import { PatternError } from '../../commands/pattern/tree.ts'

export type PatternItem =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'any' }
  | { readonly kind: 'star' }
  | {
      readonly kind: 'group'
      readonly operator: '?' | '*' | '+' | '@' | '!'
      readonly options: readonly (readonly PatternItem[])[]
    }

export interface PatternRules {
  readonly extended: boolean
  readonly ignoreCase: boolean
}

/** Maximum nesting of groups. */
const DEPTH_MAX = 50

export function parsePattern(text: string, rules: PatternRules): PatternItem[] {
  return new PatternParser(text, rules).items(0)
}

class PatternParser {
  readonly #text: string
  readonly #rules: PatternRules
  #position = 0

  constructor(text: string, rules: PatternRules) {
    this.#text = text
    this.#rules = rules
  }

  /** Parses the items of a group up to `|` or `)`. */
  items(depth: number): PatternItem[] {
    const items: PatternItem[] = []
    while (this.#position < this.#text.length) {
      const char = String.fromCodePoint(this.#text.codePointAt(this.#position) ?? 0)
      if (depth > 0 && (char === '|' || char === ')')) break
      if (
        this.#rules.extended &&
        depth < DEPTH_MAX &&
        /[?*+@!]/.test(char) &&
        this.#text[this.#position + 1] === '('
      ) {
        const group = this.#group(char, depth)
        if (group) {
          items.push(group)
          continue
        }
      }
      if (char === '\\' && this.#position + 1 < this.#text.length) {
        const quoted = String.fromCodePoint(this.#text.codePointAt(this.#position + 1) ?? 0)
        items.push({ kind: 'char', char: quoted })
        this.#position += 1 + quoted.length
      } else if (char === '[') items.push(this.#bracket())
      else {
        this.#position += char.length
        if (char === '?') items.push({ kind: 'any' })
        else if (char !== '*') items.push({ kind: 'char', char })
        else if (items.at(-1)?.kind !== 'star') items.push({ kind: 'star' })
      }
    }
    return items
  }

  /** Parses a group; null if it is not closed. */
  #group(operator: string, depth: number): PatternItem | null {
    const start = this.#position
    this.#position += 2
    const options: PatternItem[][] = []
    for (;;) {
      options.push(this.items(depth + 1))
      const end = this.#text[this.#position++]
      // The cast is safe: the caller has checked the operator.
      if (end === ')') return { kind: 'group', operator: operator as '@', options }
      if (end === undefined) break
    }
    this.#position = start
    return null
  }

  /** Parses a bracket expression. If it is not closed, the bracket is a character. */
  #bracket(): PatternItem {
    const start = this.#position
    try {
      // `!` negates, like `^`.
      const negated = this.#text[start + 1] === '!'
      const text = negated ? `${this.#text.slice(0, start + 1)}^${this.#text.slice(start + 2)}` : this.#text
      const escape = (from: string, at: number): { char: string; length: number } | null => {
        const quoted = from[at] === '\\' ? from.codePointAt(at + 1) : undefined
        if (quoted === undefined) return null
        const char = String.fromCodePoint(quoted)
        return { char, length: 1 + char.length }
      }
      const { set, end } = bracketAt(text, start + 1, {
        ignoreCase: this.#rules.ignoreCase,
        bytesOnly: false,
        escape,
      })
      this.#position = end
      return { kind: 'set', set }
    } catch (error) {
      if (!(error instanceof PatternError)) throw error
      this.#position = start + 1
      return { kind: 'char', char: '[' }
    }
  }
}
