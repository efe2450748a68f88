// Parses POSIX basic and extended regular expressions with GNU's extensions. Rejects the same patterns as the C
// library, with the same messages.

import { escapeAt } from './escapes.ts'
import { bracketAt, type BracketRules } from './brackets.ts'
import { CharSet, WORD_PARTS, CLASSES, type CharPart } from './char-set.ts'
import { choice, PatternError, sequence, type Mark, type Tree } from './tree.ts'

export interface ParseRules {
  readonly extended: boolean
  readonly ignoreCase: boolean
  readonly bytesOnly?: boolean
  /** Whether `\n`, `\t`, `\x41` and similar are characters, as in sed. */
  readonly escapes?: boolean
  /** Whether to parse like `grep -E`: a repetition of nothing is ignored, invalid intervals and `)` are literal. */
  readonly lenient?: boolean
  /** Number of groups in the patterns before this one, with which it is joined. */
  readonly groupsBefore?: number
}

export interface ParsedPattern {
  readonly tree: Tree
  readonly groups: number
  readonly references: boolean
}

const MOST = 32_767
const MARKS: Readonly<Record<string, Mark>> = {
  '`': 'textStart',
  "'": 'textEnd',
  b: 'wordEdge',
  B: 'noWordEdge',
  '<': 'wordStart',
  '>': 'wordEnd',
}
const SPACE = CLASSES['space'] ?? []
const SETS: Readonly<Record<string, readonly [parts: readonly CharPart[], negated: boolean]>> = {
  w: [WORD_PARTS, false],
  W: [WORD_PARTS, true],
  s: [SPACE, false],
  S: [SPACE, true],
}

// Maximum depth of groups. Deeper nesting would overflow the stack.
const DEPTH = 200

/** Throws a `PatternError`, or an `UnsupportedPattern` (brackets.ts). */
export function parsePattern(text: string, rules: ParseRules): ParsedPattern {
  return new Parser(text, rules).parse()
}

type Token =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'op'; readonly op: '*' | '+' | '?' | '{' | '(' | ')' | '|' | '.' | '[' }
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'mark'; readonly mark: Mark }
  | { readonly kind: 'reference'; readonly index: number }
  | { readonly kind: 'end' }

class Parser {
  readonly #text: string
  readonly #rules: ParseRules
  readonly #brackets: BracketRules
  #at = 0
  #token: Token = { kind: 'end' }
  /** Start of the current token. */
  #from = 0
  #groups = 0
  #closed = new Set<number>()
  #references = false
  #depth = 0

  constructor(text: string, rules: ParseRules) {
    this.#text = text
    this.#rules = rules
    this.#brackets = {
      bytesOnly: rules.bytesOnly ?? false,
      ignoreCase: rules.ignoreCase,
      escape: (from, at) => (rules.escapes && from[at] === '\\' ? escapeAt(from, at) : null),
    }
  }

  parse(): ParsedPattern {
    this.#next(true)
    const tree = this.#choice()
    // Parsing ends early only at an unmatched closing parenthesis.
    if (this.#token.kind !== 'end') throw new PatternError(String.raw`Unmatched ) or \)`)
    return { tree, groups: this.#groups, references: this.#references }
  }

  #choice(): Tree {
    const options = [this.#sequence()]
    while (this.#isOp('|')) {
      this.#next(true)
      options.push(this.#sequence())
    }
    return choice(options)
  }

  #sequence(): Tree {
    const items: Tree[] = []
    while (this.#token.kind !== 'end' && !this.#isOp('|') && !(this.#isOp(')') && this.#closes())) {
      const item = this.#item()
      if (item) items.push(item)
    }
    return sequence(items)
  }

  /** Whether `)` closes a group. Without a group it is literal in `grep -E`, and an error elsewhere. */
  #closes(): boolean {
    return this.#depth > 0 || !this.#rules.extended || this.#rules.lenient !== true
  }

  #item(): Tree | null {
    const token = this.#token
    let tree: Tree
    switch (token.kind) {
      case 'char':
        tree = this.#char(token.char)
        this.#next()
        break
      case 'set':
        tree = { kind: 'char', set: token.set }
        this.#next()
        break
      case 'mark':
        this.#next()
        // A position cannot be repeated.
        return { kind: 'mark', mark: token.mark }
      case 'reference':
        if (!this.#closed.has(token.index)) throw new PatternError('Invalid back reference')
        this.#references = true
        tree = { kind: 'reference', index: token.index + (this.#rules.groupsBefore ?? 0) }
        this.#next()
        break
      case 'op': {
        const started = this.#operator(token.op)
        if (!started) return null
        tree = started
        break
      }
      case 'end':
      default:
        return null
    }
    return this.#repeated(tree)
  }

  /** Handles an operator at the start of an expression; null if it is ignored. */
  #operator(op: string): Tree | null {
    if (op === '(') return this.#group()
    if (op === '.') {
      this.#next()
      return { kind: 'char', set: new CharSet([], true, false, this.#rules.bytesOnly) }
    }
    if (op === '[') {
      const { set, end } = bracketAt(this.#text, this.#at, this.#brackets)
      this.#at = end
      this.#next()
      return { kind: 'char', set }
    }
    const { extended, lenient } = this.#rules
    if (op !== ')') {
      if (extended ? !lenient : op === '{') throw new PatternError('Invalid preceding regular expression')
      if (extended && op !== '{') {
        this.#next()
        return null
      }
      if (extended && isInterval(this.#text.slice(this.#at))) {
        // Only the opening brace is ignored.
        this.#next()
        return null
      }
    }
    const char = this.#text[this.#from] === '\\' ? (this.#text[this.#from + 1] ?? '') : op
    this.#next()
    return this.#char(char)
  }

  #group(): Tree {
    if (++this.#depth > DEPTH) throw new PatternError('Regular expression too big')
    const index = ++this.#groups
    this.#next(true)
    const body = this.#choice()
    if (!this.#isOp(')')) throw new PatternError(String.raw`Unmatched ( or \(`)
    this.#depth--
    this.#next()
    this.#closed.add(index)
    return { kind: 'group', index: index + (this.#rules.groupsBefore ?? 0), body }
  }

  #repeated(tree: Tree): Tree {
    for (;;) {
      if (this.#isOp('*')) tree = { kind: 'repeat', body: tree, min: 0, max: Infinity }
      else if (this.#isOp('+')) tree = { kind: 'repeat', body: tree, min: 1, max: Infinity }
      else if (this.#isOp('?')) tree = { kind: 'repeat', body: tree, min: 0, max: 1 }
      else if (this.#isOp('{')) {
        const found = this.#interval()
        if (!found) {
          // The brace is literal text.
          this.#token = { kind: 'char', char: '{' }
          return tree
        }
        tree = { kind: 'repeat', body: tree, ...found }
        continue
      } else return tree
      this.#next()
    }
  }

  /** Reads an interval and the next token; null if this is not an interval and may be literal text. */
  #interval(): { min: number; max: number } | null {
    const close = this.#rules.extended ? '}' : String.raw`\}`
    const end = this.#text.indexOf(close, this.#at)
    const inside = end === -1 ? '' : this.#text.slice(this.#at, end)
    const found = end === -1 ? null : /^(\d*)(,?)(\d*)$/.exec(inside)
    const wrong = !found || inside === '' || (found[2] === '' && found[3] !== '')
    if (wrong) {
      if (this.#rules.extended && this.#rules.lenient) return null
      throw new PatternError(end === -1 ? String.raw`Unmatched { or \{` : String.raw`Invalid content of \{\}`)
    }
    const [, low = '', comma = '', high = ''] = found
    const min = low === '' ? 0 : Number(low)
    const max = comma === '' ? min : high === '' ? Infinity : Number(high)
    if (min > max) throw new PatternError(String.raw`Invalid content of \{\}`)
    if (min > MOST || (max !== Infinity && max > MOST)) throw new PatternError('Regular expression too big')
    this.#at = end + close.length
    this.#next()
    return { min, max }
  }

  #char(char: string): Tree {
    const code = char.codePointAt(0) ?? 0
    return { kind: 'char', set: new CharSet([[code, code]], false, this.#rules.ignoreCase) }
  }

  #isOp(op: string): boolean {
    return this.#token.kind === 'op' && this.#token.op === op
  }

  /** Reads the next token. `fresh` is true at the start of an expression or alternative, where `^` is a position. */
  #next(fresh = false): void {
    this.#from = this.#at
    this.#token = this.#read(fresh)
  }

  #read(fresh: boolean): Token {
    const text = this.#text
    const { extended } = this.#rules
    const code = text.codePointAt(this.#at)
    if (code === undefined) return { kind: 'end' }
    const char = String.fromCodePoint(code)
    this.#at += char.length
    if (char === '\\') return this.#escaped()
    if (char === '*' || char === '.' || char === '[') return { kind: 'op', op: char }
    if (
      extended &&
      (char === '+' || char === '?' || char === '{' || char === '(' || char === ')' || char === '|')
    )
      return { kind: 'op', op: char }
    if (char === '^' && (extended || fresh)) return { kind: 'mark', mark: 'lineStart' }
    if (
      char === '$' &&
      (extended || this.#at === text.length || /^\\[)|]/.test(text.slice(this.#at, this.#at + 2)))
    )
      return { kind: 'mark', mark: 'lineEnd' }
    return { kind: 'char', char }
  }

  /** Reads a token after a backslash. */
  #escaped(): Token {
    const code = this.#text.codePointAt(this.#at)
    if (code === undefined) throw new PatternError('Trailing backslash')
    const char = String.fromCodePoint(code)
    if (this.#rules.escapes) {
      const found = escapeAt(this.#text, this.#at - 1)
      if (found) {
        this.#at += found.length - 1
        return { kind: 'char', char: found.char }
      }
    }
    this.#at += char.length
    if (
      !this.#rules.extended &&
      (char === '+' || char === '?' || char === '{' || char === '(' || char === ')' || char === '|')
    )
      return { kind: 'op', op: char }
    const mark = Object.hasOwn(MARKS, char) ? MARKS[char] : undefined
    if (mark) return { kind: 'mark', mark }
    const set = Object.hasOwn(SETS, char) ? SETS[char] : undefined
    if (set) return { kind: 'set', set: new CharSet(set[0], set[1], false, this.#rules.bytesOnly) }
    if (char >= '1' && char <= '9') return { kind: 'reference', index: Number(char) }
    return { kind: 'char', char }
  }
}

function isInterval(text: string): boolean {
  const [, low = '', comma = '', high = ''] = /^(\d*)(,?)(\d*)\}/.exec(text) ?? []
  return low + comma !== '' && (comma !== '' || high === '')
}
