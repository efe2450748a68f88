// Matches Perl patterns that no linear engine supports: look-arounds, back-references, `\K`. Tries alternatives in
// Perl's order. Limits the number of steps.

import type { CharSet } from '../pattern/char-set.ts'
import { TooManySteps } from '../pattern/backtrack.ts'
import { lengthOf, type PerlMark, type PerlTree } from './tree.ts'

/** Maximum number of steps of one search. */
const STEPS = 1_000_000
/** Maximum depth of nested repeated groups, which use the stack. */
const DEPTH = 1_000

type Then = (at: number) => boolean

export class PerlBacktracker {
  readonly #tree: PerlTree
  #text = ''
  #groups = new Map<number, readonly [number, number]>()
  #kept = -1
  #steps = 0
  #depth = 0

  constructor(tree: PerlTree) {
    this.#tree = tree
  }

  /** Returns the start and end of the match. Throws a `TooManySteps`. */
  find(text: string, from: number): readonly [number, number] | null {
    this.#text = text
    this.#steps = 0
    for (let start = from; start <= text.length; start++) {
      if (isLow(text.charCodeAt(start)) && isHigh(text.charCodeAt(start - 1))) continue
      this.#groups = new Map()
      this.#kept = -1
      this.#depth = 0
      let end = -1
      const found = this.#match(this.#tree, start, (at) => {
        end = at
        return true
      })
      if (found) return [this.#kept === -1 ? start : Math.min(this.#kept, end), end]
    }
    return null
  }

  #step(): void {
    if (++this.#steps > STEPS || this.#depth > DEPTH) throw new TooManySteps()
  }

  #match(tree: PerlTree, at: number, then: Then): boolean {
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
      case 'group': {
        const before = this.#groups.get(tree.index)
        return (
          this.#match(tree.body, at, (end) => {
            const inner = this.#groups.get(tree.index)
            this.#groups.set(tree.index, [at, end])
            if (then(end)) return true
            this.#restore(tree.index, inner)
            return false
          }) || this.#restore(tree.index, before)
        )
      }
      case 'repeat':
        if (tree.body.kind === 'char')
          return this.#run(tree.body.set, tree.min, tree.max, tree.lazy, at, then)
        return this.#rounds(tree.body, tree.min, tree.max, tree.lazy, at, then)
      case 'mark':
        return this.#isAt(tree.mark, at) && then(at)
      case 'look':
        return this.#look(tree.body, tree.behind, at) !== tree.negated && then(at)
      case 'atomic': {
        let end = -1
        const found = this.#match(tree.body, at, (next) => {
          end = next
          return true
        })
        return found && then(end)
      }
      case 'keep': {
        const before = this.#kept
        this.#kept = at
        if (then(at)) return true
        this.#kept = before
        return false
      }
      case 'reference':
      default:
        return this.#reference(tree.index, tree.ignoreCase, at, then)
    }
  }

  #restore(index: number, group: readonly [number, number] | undefined): false {
    if (group) this.#groups.set(index, group)
    else this.#groups.delete(index)
    return false
  }

  #sequence(items: readonly PerlTree[], index: number, at: number, then: Then): boolean {
    const item = items[index]
    if (!item) return then(at)
    return this.#match(item, at, (next) => this.#sequence(items, index + 1, next, then))
  }

  #run(set: CharSet, min: number, max: number, lazy: boolean, at: number, then: Then): boolean {
    const ends = [at]
    const grow = (): boolean => {
      this.#step()
      const last = ends.at(-1) ?? at
      const length = ends.length <= max ? this.#charAt(set, last) : 0
      if (length > 0) ends.push(last + length)
      return length > 0
    }
    if (lazy) {
      while (ends.length <= min) if (!grow()) return false
      do {
        if (then(ends.at(-1) ?? at)) return true
      } while (grow())
      return false
    }
    while (grow());
    for (let count = ends.length - 1; count >= min; count--) {
      this.#step()
      if (then(ends[count] ?? at)) return true
    }
    return false
  }

  #rounds(body: PerlTree, min: number, max: number, lazy: boolean, at: number, then: Then): boolean {
    this.#step()
    const again = (): boolean => {
      if (max <= 0) return false
      this.#depth++
      const found = this.#match(body, at, (end) => {
        // A repetition without characters would never end.
        if (end === at && min <= 0) return false
        return this.#rounds(body, min - 1, max - 1, lazy, end, then)
      })
      this.#depth--
      return found
    }
    if (min > 0) return again()
    return lazy ? then(at) || again() : again() || then(at)
  }

  #look(body: PerlTree, behind: boolean, at: number): boolean {
    if (!behind) return this.#match(body, at, () => true)
    const options = body.kind === 'choice' ? body.options : [body]
    return options.some((option) => {
      let start = at
      for (let left = lengthOf(option) ?? 0; left > 0; left--) {
        if (start === 0) return false
        start -= isLow(this.#text.charCodeAt(start - 1)) && isHigh(this.#text.charCodeAt(start - 2)) ? 2 : 1
      }
      return this.#match(option, start, (end) => end === at)
    })
  }

  #reference(index: number, ignoreCase: boolean, at: number, then: Then): boolean {
    const group = this.#groups.get(index)
    if (!group) return false
    const wanted = this.#text.slice(group[0], group[1])
    const found = this.#text.slice(at, at + wanted.length)
    const same = found === wanted || (ignoreCase && found.toLowerCase() === wanted.toLowerCase())
    return same && then(at + wanted.length)
  }

  #charAt(set: CharSet, at: number): number {
    const code = this.#text.codePointAt(at)
    if (code === undefined || !set.has(code)) return 0
    return code > 0xffff ? 2 : 1
  }

  #isAt(mark: PerlMark, at: number): boolean {
    const text = this.#text
    switch (mark) {
      case 'textStart':
        return at === 0
      case 'textEnd':
        return at === text.length
      case 'lineStart':
        return at === 0 || text[at - 1] === '\n'
      case 'lineEnd':
        return at === text.length || text[at] === '\n'
      case 'lastLineEnd':
        return at === text.length || (at === text.length - 1 && text[at] === '\n')
      case 'noWordBefore':
      case 'noWordAfter':
      case 'wordEdge':
      case 'noWordEdge':
      default: {
        const before = isWord(text.charCodeAt(at - 1))
        const after = isWord(text.charCodeAt(at))
        if (mark === 'noWordBefore') return !before
        if (mark === 'noWordAfter') return !after
        return (before !== after) === (mark === 'wordEdge')
      }
    }
  }
}

function isWord(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
  )
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
