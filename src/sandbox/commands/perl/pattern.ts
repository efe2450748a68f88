// A compiled Perl pattern. Chooses an engine depending on the pattern and the text.

import { RE2JS, RE2JSException } from 're2js'

import { PerlBacktracker } from './backtrack.ts'
import { parsePerl } from './parse.ts'
import { caseOf, lengthLimit, sourceOf } from './source.ts'
import type { PerlTree } from './tree.ts'

export interface PerlRules {
  readonly ignoreCase: boolean
  /** Whether each byte is a character, as in the locale C. */
  readonly bytesOnly?: boolean
  /** Whether a match must be a whole word or line. */
  readonly within: 'anything' | 'word' | 'line'
}

export class PerlPattern {
  readonly #simple: RegExp | null = null
  readonly #limit: number
  readonly #linear: RE2JS | null
  readonly #backtracker: PerlBacktracker

  /** Throws a `PatternError` or an `UnsupportedPattern`. */
  constructor(text: string, rules: PerlRules) {
    const tree = bounded(parsePerl(text, rules.ignoreCase, rules.bytesOnly).tree, rules.within)
    const ignoreCase = caseOf(tree)
    this.#limit = ignoreCase === null ? 0 : lengthLimit(tree)
    if (this.#limit > 0) {
      const source = sourceOf(tree, 'js')
      // The length of the text is limited (source.ts), which limits the time.
      if (source !== null) this.#simple = new RegExp(source, ignoreCase ? 'giu' : 'gu')
    }
    this.#linear = ignoreCase === null ? null : linearOf(tree, ignoreCase)
    this.#backtracker = new PerlBacktracker(tree)
  }

  /** The first match at or after `from`. May throw a `TooManySteps` (pattern/backtrack.ts). */
  find(text: string, from: number): readonly [start: number, end: number] | null {
    if (this.#simple && text.length <= this.#limit) {
      this.#simple.lastIndex = from
      const found = this.#simple.exec(text)
      return found && [found.index, found.index + found[0].length]
    }
    if (!this.#linear) return this.#backtracker.find(text, from)
    const matcher = this.#linear.matcher(text)
    return matcher.find(from) ? [matcher.start(), matcher.end()] : null
  }
}

function linearOf(tree: PerlTree, ignoreCase: boolean): RE2JS | null {
  const source = sourceOf(tree, 're2')
  if (source === null) return null
  try {
    return RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  } catch (error) {
    if (error instanceof RE2JSException) return null
    throw error
  }
}

function bounded(body: PerlTree, within: PerlRules['within']): PerlTree {
  if (within === 'anything') return body
  const [before, after] =
    within === 'line' ? (['lineStart', 'lineEnd'] as const) : (['noWordBefore', 'noWordAfter'] as const)
  return {
    kind: 'sequence',
    items: [{ kind: 'mark', mark: before }, body, { kind: 'mark', mark: after }],
  }
}
