// Parses the patterns of `grep -P`. Refuses syntax that it does not support.

import { CharSet, type CharPart } from '../pattern/char-set.ts'
import { UnsupportedPattern } from '../pattern/brackets.ts'
import { PatternError } from '../pattern/tree.ts'
import { bracketAt } from './brackets.ts'
import { classAt, othersOf } from './classes.ts'
import { codeAt } from './escapes.ts'
import { withFlags, type Flags } from './flags.ts'
import { lengthOf, type PerlMark, type PerlTree } from './tree.ts'

export interface PerlPatternTree {
  readonly tree: PerlTree
  readonly groups: number
}

const DEPTH = 100
const MOST = 65_535

/** Throws a `PatternError` for an invalid pattern, and an `UnsupportedPattern` for syntax that this engine lacks. */
export function parsePerl(text: string, ignoreCase: boolean, bytesOnly = false): PerlPatternTree {
  const flags = { ignoreCase, dotAll: false, multiline: false, extended: false, bytesOnly }
  return new Parser(text).parse(flags)
}

class Parser {
  readonly #text: string
  readonly #names = new Map<string, number>()
  #at = 0
  #groups = 0
  #depth = 0
  #references: number[] = []

  constructor(text: string) {
    this.#text = text
  }

  parse(flags: Flags): PerlPatternTree {
    if (this.#text.startsWith('(*')) throw new UnsupportedPattern('(*VERB)')
    const tree = this.#choice(flags)
    if (this.#at < this.#text.length) throw new PatternError('unmatched closing parenthesis')
    if (this.#references.some((index) => index > this.#groups))
      throw new PatternError('reference to non-existent subpattern')
    return { tree, groups: this.#groups }
  }

  #choice(given: Flags): PerlTree {
    if (++this.#depth > DEPTH) throw new UnsupportedPattern('so deep a nesting')
    const options: PerlTree[] = []
    let items: PerlTree[] = []
    let flags = given
    const text = this.#text
    while (this.#at < text.length && text[this.#at] !== ')') {
      if (text[this.#at] === '|') {
        this.#at++
        options.push({ kind: 'sequence', items })
        items = []
        continue
      }
      const set = this.#flagsHere(flags)
      if (set) {
        flags = set
        continue
      }
      if (flags.extended && this.#skipsBlank()) continue
      const item = this.#item(flags)
      if (item) items.push(...this.#repeated(item, flags))
    }
    this.#depth--
    options.push({ kind: 'sequence', items })
    const [only] = options
    return only && options.length === 1 ? only : { kind: 'choice', options }
  }

  /** The flags that `(?i)` sets for the rest of the group; null if there are none. */
  #flagsHere(flags: Flags): Flags | null {
    const found = /^\(\?([a-zA-Z]*)(?:-([a-zA-Z]*))?\)/.exec(this.#text.slice(this.#at, this.#at + 20))
    if (!found || found[0] === '(?R)') return null
    this.#at += found[0].length
    return withFlags(flags, found[1] ?? '', found[2] ?? '')
  }

  /** Skips blanks and comments of extended patterns. Returns whether there were any. */
  #skipsBlank(): boolean {
    const [found] = /^(?:\s+|#[^\n]*)/.exec(this.#text.slice(this.#at)) ?? ['']
    this.#at += found.length
    return found !== ''
  }

  /** Parses an item with its repetition; null for a comment. */
  #item(flags: Flags): PerlTree | null {
    const text = this.#text
    const code = text.codePointAt(this.#at) ?? 0
    const char = String.fromCodePoint(code)
    switch (char) {
      case '(':
        return this.#group(flags)
      case '[': {
        const { set, end } = bracketAt(text, this.#at + 1, flags)
        this.#at = end
        return { kind: 'char', set, ignoreCase: flags.ignoreCase }
      }
      case '.':
        this.#at++
        return charOf(othersOf(flags.dotAll ? [] : [[10, 10]], flags.bytesOnly), flags)
      case '^':
        this.#at++
        return { kind: 'mark', mark: flags.multiline ? 'lineStart' : 'textStart' }
      case '$':
        this.#at++
        return { kind: 'mark', mark: flags.multiline ? 'lineEnd' : 'textEnd' }
      case '\\':
        return this.#escaped(flags)
      case '*':
      case '+':
      case '?':
        throw new PatternError('quantifier does not follow a repeatable item')
      default:
        this.#at += char.length
        return charOf([[code, code]], flags)
    }
  }

  #group(flags: Flags): PerlTree | null {
    const text = this.#text
    const begins = (mark: string): boolean => {
      if (!text.startsWith(mark, this.#at)) return false
      this.#at += mark.length
      return true
    }
    const look = (behind: boolean, negated: boolean): PerlTree => {
      const body = this.#body(flags)
      const options = body.kind === 'choice' ? body.options : [body]
      if (behind && options.some((option) => lengthOf(option) === null))
        throw new PatternError('lookbehind assertion is not fixed length')
      return { kind: 'look', behind, negated, body }
    }
    if (begins('(?#')) {
      const end = text.indexOf(')', this.#at)
      if (end === -1) throw new PatternError('missing ) after (?# comment')
      this.#at = end + 1
      return null
    }
    if (begins('(?:')) return this.#body(flags)
    if (begins('(?=')) return look(false, false)
    if (begins('(?!')) return look(false, true)
    if (begins('(?<=')) return look(true, false)
    if (begins('(?<!')) return look(true, true)
    if (begins('(?>')) return { kind: 'atomic', body: this.#body(flags) }
    const named = /^\(\?(?:P?<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')/.exec(text.slice(this.#at, this.#at + 60))
    if (named) {
      this.#at += named[0].length
      return this.#captured(flags, named[1] ?? named[2])
    }
    const same = /^\(\?P=([A-Za-z_]\w*)\)/.exec(text.slice(this.#at, this.#at + 60))
    if (same) {
      this.#at += same[0].length
      return this.#named(same[1] ?? '', flags)
    }
    const inner = /^\(\?([imsx]*)(?:-([imsx]*))?:/.exec(text.slice(this.#at, this.#at + 20))
    if (inner) {
      this.#at += inner[0].length
      return this.#body(withFlags(flags, inner[1] ?? '', inner[2] ?? ''))
    }
    if (text.startsWith('(?', this.#at) || text.startsWith('(*', this.#at))
      throw new UnsupportedPattern(`the group ${text.slice(this.#at, this.#at + 3)}`)
    this.#at++
    return this.#captured(flags, undefined)
  }

  #captured(flags: Flags, name: string | undefined): PerlTree {
    const index = ++this.#groups
    if (name !== undefined) this.#names.set(name, index)
    return { kind: 'group', index, body: this.#body(flags) }
  }

  /** Parses the contents of a group and its closing parenthesis. */
  #body(flags: Flags): PerlTree {
    const tree = this.#choice(flags)
    if (this.#text[this.#at] !== ')') throw new PatternError('missing closing parenthesis')
    this.#at++
    return tree
  }

  #repeated(item: PerlTree, flags: Flags): readonly PerlTree[] {
    let tree = item
    for (;;) {
      if (flags.extended) this.#skipsBlank()
      const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})([?+]?)/.exec(this.#text.slice(this.#at, this.#at + 20))
      if (!found) return [tree]
      const [all, sign, low = '', comma, high = '', more] = found
      if (tree.kind === 'mark' || tree.kind === 'look' || tree.kind === 'keep')
        throw new UnsupportedPattern('a repeated position')
      if (tree !== item) throw new PatternError('quantifier does not follow a repeatable item')
      const min = sign === undefined ? Number(low) : sign === '+' ? 1 : 0
      const max =
        sign === undefined
          ? comma === ''
            ? min
            : high === ''
              ? Infinity
              : Number(high)
          : sign === '?'
            ? 1
            : Infinity
      if (min > MOST || (max !== Infinity && max > MOST))
        throw new PatternError('number too big in {} quantifier')
      if (max < min) throw new PatternError('numbers out of order in {} quantifier')
      this.#at += all.length
      tree = { kind: 'repeat', body: item, min, max, lazy: more === '?' }
      if (more === '+') tree = { kind: 'atomic', body: tree }
    }
  }

  #named(name: string, { ignoreCase }: Flags): PerlTree {
    const index = this.#names.get(name)
    if (index === undefined) throw new UnsupportedPattern('a reference to a later group')
    return { kind: 'reference', index, ignoreCase }
  }

  #escaped(flags: Flags): PerlTree | null {
    const rest = this.#text.slice(this.#at, this.#at + 60)
    const letter = rest[1]
    if (letter === undefined) throw new PatternError(String.raw`\ at end of pattern`)
    const mark = Object.hasOwn(MARKS, letter) ? MARKS[letter] : undefined
    if (mark) {
      this.#at += 2
      return { kind: 'mark', mark }
    }
    if (letter === 'K') {
      this.#at += 2
      return { kind: 'keep' }
    }
    if (letter === 'E') {
      this.#at += 2
      return null
    }
    if (letter === 'Q') return this.#quoted(flags)
    if (letter === 'N' && rest[2] !== '{') {
      this.#at += 2
      return charOf(othersOf([[10, 10]], flags.bytesOnly), flags)
    }
    const reference =
      /^\\(?:([1-9])(?!\d)|g\{?(-?\d+)\}?|(?:k|g)(?:\{([A-Za-z_]\w*)\}|<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)'))/.exec(
        rest,
      )
    if (reference) {
      this.#at += reference[0].length
      const name = reference[3] ?? reference[4] ?? reference[5]
      if (name !== undefined) return this.#named(name, flags)
      const number = Number(reference[1] ?? reference[2])
      const index = number < 0 ? this.#groups + 1 + number : number
      if (index < 1) throw new UnsupportedPattern(reference[0])
      this.#references.push(index)
      return { kind: 'reference', index, ignoreCase: flags.ignoreCase }
    }
    const parts = classAt(rest, flags.bytesOnly)
    if (parts) {
      this.#at += parts.length
      return charOf(parts.parts, flags)
    }
    const { code, length } = codeAt(rest)
    this.#at += length
    return charOf([[code, code]], flags)
  }

  /** Parses `\Q...\E`. */
  #quoted(flags: Flags): PerlTree {
    const from = this.#at + 2
    const end = this.#text.indexOf(String.raw`\E`, from)
    const text = this.#text.slice(from, end === -1 ? undefined : end)
    this.#at = end === -1 ? this.#text.length : end + 2
    return {
      kind: 'sequence',
      items: Array.from(text).map((char) =>
        charOf([[char.codePointAt(0) ?? 0, char.codePointAt(0) ?? 0]], flags),
      ),
    }
  }
}

const MARKS: Readonly<Record<string, PerlMark>> = {
  b: 'wordEdge',
  B: 'noWordEdge',
  A: 'textStart',
  z: 'textEnd',
  Z: 'lastLineEnd',
}

function charOf(parts: readonly CharPart[], { ignoreCase }: Flags): PerlTree {
  return { kind: 'char', set: new CharSet(parts, false, ignoreCase), ignoreCase }
}
