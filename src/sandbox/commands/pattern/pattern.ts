// A compiled pattern, which finds the leftmost, longest match. Chooses an engine depending on the pattern and the
// text.

import { RE2JS, RE2JSException } from 're2js'

import { Backtracker } from './backtrack.ts'
import { textLimit } from './simple.ts'
import { sourceOf } from './source.ts'
import type { Tree } from './tree.ts'

export interface Match {
  readonly start: number
  readonly end: number
  /** The text of a group; empty if it did not participate. */
  group(index: number): string
}

export interface CompileRules {
  readonly groups: number
  readonly ignoreCase: boolean
  /** Whether `^` and `$` match at line ends within the text. */
  readonly byLine?: boolean
}

const ASCII = /^[\0-\x7f]*$/

export class Pattern {
  readonly groups: number
  readonly #tree: Tree
  readonly #rules: CompileRules
  readonly #literal: string | null
  readonly #simple: RegExp | null = null
  readonly #limit: number
  /** Compiled on first use; null if RE2 cannot express the pattern. */
  #linear: RE2JS | null | undefined
  #backtracker: Backtracker | null = null
  readonly #edges: boolean

  constructor(tree: Tree, rules: CompileRules) {
    this.groups = rules.groups
    this.#tree = tree
    this.#rules = rules
    this.#literal = rules.ignoreCase ? null : literalOf(tree)
    this.#edges = hasEdges(tree)
    this.#limit = textLimit(tree)
    if (this.#limit > 0) {
      const source = sourceOf(tree, { engine: 'js', byLine: rules.byLine ?? false })
      // The length of the text is limited (simple.ts), which limits the time.
      if (source !== null) this.#simple = new RegExp(source, rules.ignoreCase ? 'giu' : 'gu')
    }
  }

  /** Whether there is a match. */
  test(text: string): boolean {
    if (this.#literal !== null) return isIn(text, this.#literal)
    const simple = this.#simpleFor(text)
    if (simple) {
      simple.lastIndex = 0
      return simple.test(text)
    }
    const linear = this.#linearFor(text)
    return linear ? linear.test(text) : this.#backtrack().find(text, 0) !== null
  }

  /** The first match at or after `from`. May throw a `TooManySteps` (backtrack.ts). */
  find(text: string, from = 0): Match | null {
    if (this.#literal !== null) return literalMatch(text, this.#literal, from)
    const simple = this.#simpleFor(text)
    if (simple) {
      simple.lastIndex = from
      const found = simple.exec(text)
      if (!found) return null
      return {
        start: found.index,
        end: found.index + found[0].length,
        group: (index) => found[index] ?? '',
      }
    }
    const linear = this.#linearFor(text)
    if (linear) {
      if (from === 0 && !linear.test(text)) return null
      const matcher = linear.matcher(text)
      if (!matcher.find(from)) return null
      return {
        start: matcher.start(),
        end: matcher.end(),
        group: (index) => (index > this.groups ? '' : (matcher.group(index) ?? '')),
      }
    }
    const ends = this.#backtrack().find(text, from)
    if (!ends) return null
    return {
      start: ends[0] ?? 0,
      end: ends[1] ?? 0,
      group: (index) => ((ends[2 * index] ?? -1) < 0 ? '' : text.slice(ends[2 * index], ends[2 * index + 1])),
    }
  }

  #simpleFor(text: string): RegExp | null {
    return text.length <= this.#limit ? this.#simple : null
  }

  #linearFor(text: string): RE2JS | null {
    if (this.#linear === undefined) this.#linear = this.#compile()
    return this.#edges && !ASCII.test(text) ? null : this.#linear
  }

  #compile(): RE2JS | null {
    const source = sourceOf(this.#tree, { engine: 're2', byLine: this.#rules.byLine ?? false })
    if (source === null) return null
    try {
      const flags = RE2JS.LONGEST_MATCH | (this.#rules.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
      return RE2JS.compile(source, flags)
    } catch (error) {
      if (error instanceof RE2JSException) return null
      throw error
    }
  }

  #backtrack(): Backtracker {
    const { groups, ignoreCase, byLine = false } = this.#rules
    this.#backtracker ??= new Backtracker(this.#tree, groups, { ignoreCase, byLine })
    return this.#backtracker
  }
}

/** The text that a pattern without operators matches; null for other patterns. */
function literalOf(tree: Tree): string | null {
  if (tree.kind === 'char') return tree.set.single()
  if (tree.kind !== 'sequence' || tree.items.length === 0) return null
  let text = ''
  for (const item of tree.items) {
    const char = item.kind === 'char' ? item.set.single() : null
    if (char === null) return null
    text += char
  }
  return text
}

function literalMatch(text: string, literal: string, from: number): Match | null {
  const start = text.indexOf(literal, from)
  return start === -1 ? null : { start, end: start + literal.length, group: () => '' }
}

function isIn(text: string, literal: string): boolean {
  return text.includes(literal)
}

function hasEdges(tree: Tree): boolean {
  switch (tree.kind) {
    case 'mark':
      return tree.mark === 'wordEdge' || tree.mark === 'noWordEdge'
    case 'sequence':
      return tree.items.some(hasEdges)
    case 'choice':
      return tree.options.some(hasEdges)
    case 'group':
    case 'repeat':
      return hasEdges(tree.body)
    case 'char':
    case 'reference':
    default:
      return false
  }
}
