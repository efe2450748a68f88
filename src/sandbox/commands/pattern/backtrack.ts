// A small backtracking matcher for patterns that no linear engine supports: back-references, and word boundaries
// beyond ASCII. Finds the leftmost, longest match. Limits the number of steps.

import { WORD } from './char-set.ts'
import type { Mark, Tree } from './tree.ts'

/** Maximum number of steps of one search. */
const STEPS = 1_000_000
/** Maximum depth of nested repeated groups, which use the stack. */
const DEPTH = 1_500

/** A search needed too many steps. */
export class TooManySteps extends Error {
  override readonly name = 'TooManySteps'
}

export interface BacktrackRules {
  readonly byLine: boolean
  readonly ignoreCase: boolean
}

type Then = (at: number) => boolean

export class Backtracker {
  readonly #tree: Tree
  readonly #rules: BacktrackRules
  readonly #groupCount: number
  #text = ''
  #groups: number[] = []
  #best: number[] | null = null
  #steps = 0
  #depth = 0

  constructor(tree: Tree, groups: number, rules: BacktrackRules) {
    this.#tree = tree
    this.#groupCount = groups
    this.#rules = rules
  }

  /** Returns the start and end of the match and of its groups; -1 for groups without text. Throws a `TooManySteps`. */
  find(text: string, from: number): readonly number[] | null {
    this.#text = text
    this.#steps = 0
    this.#depth = 0
    for (let start = from; start <= text.length; start++) {
      if (start > from && inPair(text, start)) continue
      this.#best = null
      this.#groups = Array.from({ length: 2 * this.#groupCount + 2 }, () => -1)
      this.#match(this.#tree, start, (end) => {
        if (!this.#best || end > (this.#best[1] ?? -1)) this.#best = [start, end, ...this.#groups.slice(2)]
        return end === text.length
      })
      // The callback above may have set it, which TypeScript does not see.
      const best = this.#best as number[] | null
      if (best) return best
    }
    return null
  }

  #step(): void {
    if (++this.#steps > STEPS || this.#depth > DEPTH) throw new TooManySteps()
  }

  #match(tree: Tree, at: number, then: Then): boolean {
    this.#step()
    switch (tree.kind) {
      case 'char': {
        const length = this.#charAt(tree.set, at)
        return length > 0 && then(at + length)
      }
      case 'sequence':
        return this.#sequence(tree.items, 0, at, then)
      case 'choice':
        return tree.options.some((option) => this.#match(option, at, then))
      case 'group':
        return this.#group(tree.index, tree.body, at, then)
      case 'repeat':
        return tree.body.kind === 'char'
          ? this.#run(tree.body.set, tree.min, tree.max, at, then)
          : this.#rounds(tree.body, tree.min, tree.max, at, then)
      case 'mark':
        return this.#isAt(tree.mark, at) && then(at)
      case 'reference':
      default:
        return this.#reference(tree.index, at, then)
    }
  }

  #sequence(items: readonly Tree[], index: number, at: number, then: Then): boolean {
    const item = items[index]
    if (!item) return then(at)
    return this.#match(item, at, (next) => this.#sequence(items, index + 1, next, then))
  }

  #group(index: number, body: Tree, at: number, then: Then): boolean {
    const before = [this.#groups[2 * index] ?? -1, this.#groups[2 * index + 1] ?? -1] as const
    if (
      this.#match(body, at, (end) => {
        const inner = [this.#groups[2 * index] ?? -1, this.#groups[2 * index + 1] ?? -1] as const
        this.#groups[2 * index] = at
        this.#groups[2 * index + 1] = end
        if (then(end)) return true
        ;[this.#groups[2 * index], this.#groups[2 * index + 1]] = inner
        return false
      })
    )
      return true
    ;[this.#groups[2 * index], this.#groups[2 * index + 1]] = before
    return false
  }

  #run(set: { has(code: number): boolean }, min: number, max: number, at: number, then: Then): boolean {
    const ends = [at]
    for (let next = at; ends.length <= max;) {
      this.#step()
      const length = this.#charAt(set, next)
      if (length === 0) break
      next += length
      ends.push(next)
    }
    for (let count = ends.length - 1; count >= min; count--) {
      this.#step()
      if (then(ends[count] ?? at)) return true
    }
    return false
  }

  #rounds(body: Tree, min: number, max: number, at: number, then: Then): boolean {
    this.#step()
    if (max > 0) {
      this.#depth++
      const found = this.#match(body, at, (end) => {
        // A repetition without characters would never end.
        if (end === at && min <= 0) return false
        return this.#rounds(body, min - 1, max - 1, end, then)
      })
      this.#depth--
      if (found) return true
    }
    return min <= 0 && then(at)
  }

  #reference(index: number, at: number, then: Then): boolean {
    const [from, to] = [this.#groups[2 * index] ?? -1, this.#groups[2 * index + 1] ?? -1]
    if (from === -1) return false
    const wanted = this.#text.slice(from, to)
    const found = this.#text.slice(at, at + wanted.length)
    const same = found === wanted || (this.#rules.ignoreCase && found.toLowerCase() === wanted.toLowerCase())
    return same && then(at + wanted.length)
  }

  #charAt(set: { has(code: number): boolean }, at: number): number {
    const code = this.#text.codePointAt(at)
    if (code === undefined || !set.has(code)) return 0
    return code > 0xffff ? 2 : 1
  }

  #isAt(mark: Mark, at: number): boolean {
    const text = this.#text
    switch (mark) {
      case 'textStart':
        return at === 0
      case 'textEnd':
        return at === text.length
      case 'lineStart':
        return at === 0 || (this.#rules.byLine && text[at - 1] === '\n')
      case 'lineEnd':
        return at === text.length || (this.#rules.byLine && text[at] === '\n')
      case 'noWordAfter':
      case 'noWordBefore':
      case 'noWordEdge':
      case 'wordEdge':
      case 'wordEnd':
      case 'wordStart':
      default: {
        const before = at > 0 && WORD.has(codeBefore(text, at))
        const after = at < text.length && WORD.has(text.codePointAt(at) ?? 0)
        if (mark === 'wordEdge') return before !== after
        if (mark === 'noWordEdge') return before === after
        if (mark === 'wordStart') return !before && after
        if (mark === 'wordEnd') return before && !after
        return mark === 'noWordBefore' ? !before : !after
      }
    }
  }
}

function codeBefore(text: string, at: number): number {
  return text.codePointAt(inPair(text, at - 1) ? at - 2 : at - 1) ?? 0
}

/** Whether `at` is inside a surrogate pair. */
function inPair(text: string, at: number): boolean {
  const low = text.charCodeAt(at)
  const high = text.charCodeAt(at - 1)
  return low >= 0xdc00 && low <= 0xdfff && high >= 0xd800 && high <= 0xdbff
}
