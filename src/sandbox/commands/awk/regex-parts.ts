// Parses POSIX extended regular expressions with GNU awk's operators.

import { Failed, Unsupported } from '../command.ts'

export interface CharacterSet {
  /** Ranges of code points, from and to inclusive. */
  readonly ranges: readonly (readonly [number, number])[]
  readonly negated: boolean
}

export type Part =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'start' | 'end' | 'boundary' | 'inside' | 'word-start' | 'word-end' | 'empty' }
  | { readonly kind: 'group'; readonly of: Part }
  | { readonly kind: 'repeat'; readonly of: Part; readonly min: number; readonly max: number }
  | { readonly kind: 'sequence'; readonly parts: readonly Part[] }
  | { readonly kind: 'choice'; readonly parts: readonly Part[] }

type Ranges = (readonly [number, number])[]
export const LAST = 0x10ffff
const DIGIT: Ranges = [[48, 57]]
const UPPER: Ranges = [[65, 90]]
const LOWER: Ranges = [[97, 122]]
const SPACE: Ranges = [
  [9, 13],
  [32, 32],
]
export const WORD: Ranges = [...DIGIT, ...UPPER, [95, 95], ...LOWER]
const CLASSES: Readonly<Record<string, Ranges>> = {
  digit: DIGIT,
  upper: UPPER,
  lower: LOWER,
  alpha: [...UPPER, ...LOWER],
  alnum: [...DIGIT, ...UPPER, ...LOWER],
  space: SPACE,
  blank: [
    [9, 9],
    [32, 32],
  ],
  punct: [
    [33, 47],
    [58, 64],
    [91, 96],
    [123, 126],
  ],
  xdigit: [...DIGIT, [65, 70], [97, 102]],
  cntrl: [
    [0, 31],
    [127, 127],
  ],
  print: [[32, 126]],
  graph: [[33, 126]],
}
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  f: '\f',
  v: '\v',
  b: '\b',
}

export function partsOfRegex(source: string): Part {
  return new RegexParser(source).whole()
}

class RegexParser {
  readonly #chars: readonly string[]
  readonly #source: string
  #at = 0
  constructor(source: string) {
    this.#source = source
    this.#chars = Array.from(source)
  }

  whole(): Part {
    const part = this.#choice(0)
    if (this.#at < this.#chars.length) this.#wrong('Unmatched ) or \\)')
    return part
  }

  #wrong(message: string): never {
    throw new Failed(`fatal: invalid regexp: ${message}: /${this.#source}/`, 2)
  }

  #choice(depth: number): Part {
    if (depth > 200) this.#wrong('Regular expression too big')
    const parts = [this.#sequence(depth)]
    while (this.#chars[this.#at] === '|') {
      this.#at++
      parts.push(this.#sequence(depth))
    }
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'choice', parts }
  }

  #sequence(depth: number): Part {
    const parts: Part[] = []
    for (;;) {
      const char = this.#chars[this.#at]
      if (char === undefined || char === '|' || (char === ')' && depth > 0)) break
      // At the start of an expression, these are ordinary characters.
      const first = parts.length === 0 || parts.at(-1)?.kind === 'start'
      let part = first && (char === '*' || char === '+' || char === '?') ? this.#plain() : this.#one(depth)
      for (let bounds = this.#bounds(); bounds; bounds = this.#bounds())
        part = { kind: 'repeat', of: part, min: bounds[0], max: bounds[1] }
      parts.push(part)
    }
    return parts.length === 1 && parts[0]
      ? parts[0]
      : { kind: parts.length === 0 ? 'empty' : 'sequence', parts }
  }

  #plain(): Part {
    return single(this.#chars[this.#at++] ?? '')
  }

  #bounds(): readonly [number, number] | null {
    const char = this.#chars[this.#at]
    if (char === '*' || char === '+' || char === '?') {
      this.#at++
      return char === '*' ? [0, Infinity] : char === '+' ? [1, Infinity] : [0, 1]
    }
    if (char !== '{') return null
    const end = this.#chars.indexOf('}', this.#at)
    const match =
      end === -1 ? null : /^([0-9]*)(,?)([0-9]*)$/.exec(this.#chars.slice(this.#at + 1, end).join(''))
    if (!match || (match[1] === '' && match[2] === '')) return null
    this.#at = end + 1
    const min = Number(match[1])
    const max = match[2] === '' ? min : match[3] === '' ? Infinity : Number(match[3])
    if (max < min) this.#wrong('Invalid content of \\{\\}')
    if (Math.max(min, max === Infinity ? 0 : max) > 1000)
      throw new Unsupported(`awk with a repetition of more than 1000 (/${this.#source}/)`, 'python3')
    return [min, max]
  }

  #one(depth: number): Part {
    const char = this.#chars[this.#at++] ?? ''
    if (char === '(') {
      const of = this.#choice(depth + 1)
      if (this.#chars[this.#at++] !== ')') this.#wrong('Unmatched ( or \\(')
      return { kind: 'group', of }
    }
    if (char === '.') return { kind: 'set', set: { ranges: [[0, LAST]], negated: false } }
    if (char === '^') return { kind: 'start' }
    if (char === '$') return { kind: 'end' }
    if (char === '[') return { kind: 'set', set: this.#bracket() }
    return char === '\\' ? this.#escape() : single(char)
  }

  #escape(): Part {
    const char = this.#chars[this.#at++]
    const set = (ranges: Ranges, negated: boolean): Part => ({ kind: 'set', set: { ranges, negated } })
    if (char === undefined) return this.#wrong('Trailing backslash')
    if (char === 'y') return { kind: 'boundary' }
    if (char === 'B') return { kind: 'inside' }
    if (char === '<') return { kind: 'word-start' }
    if (char === '>') return { kind: 'word-end' }
    if (char === '`') return { kind: 'start' }
    if (char === "'") return { kind: 'end' }
    if (char === 'w' || char === 'W') return set(WORD, char === 'W')
    if (char === 's' || char === 'S') return set(SPACE, char === 'S')
    return single(this.#escaped(char))
  }

  #escaped(char: string): string {
    if (/[0-7]/.test(char)) {
      let digits = char
      while (digits.length < 3 && /^[0-7]$/.test(this.#chars[this.#at] ?? ''))
        digits += this.#chars[this.#at++]
      return String.fromCodePoint(Number.parseInt(digits, 8) & 255)
    }
    if (char === 'x' && /^[0-9a-fA-F]$/.test(this.#chars[this.#at] ?? '')) {
      let digits = ''
      while (digits.length < 2 && /^[0-9a-fA-F]$/.test(this.#chars[this.#at] ?? ''))
        digits += this.#chars[this.#at++]
      return String.fromCodePoint(Number.parseInt(digits, 16))
    }
    return ESCAPES[char] ?? char
  }

  #bracket(): CharacterSet {
    const negated = this.#chars[this.#at] === '^'
    if (negated) this.#at++
    const ranges: Ranges = []
    for (let first = true; ; first = false) {
      const char = this.#chars[this.#at++]
      if (char === undefined) this.#wrong('Unmatched [, [^, [:, [., or [=')
      if (char === ']' && !first) break
      const named = char === '[' ? this.#named() : null
      if (named) {
        ranges.push(...named)
        continue
      }
      const from = this.#member(char ?? '')
      if (this.#chars[this.#at] !== '-' || [']', undefined].includes(this.#chars[this.#at + 1])) {
        ranges.push([from, from])
        continue
      }
      this.#at++
      const to = this.#member(this.#chars[this.#at++] ?? '')
      if (to < from) this.#wrong('Invalid range end')
      ranges.push([from, to])
    }
    return { ranges, negated }
  }

  #member(char: string): number {
    const member =
      char === '\\' && this.#at < this.#chars.length ? this.#escaped(this.#chars[this.#at++] ?? '') : char
    return member.codePointAt(0) ?? 0
  }

  #named(): Ranges | null {
    const kind = this.#chars[this.#at]
    if (kind !== ':' && kind !== '.' && kind !== '=') return null
    const rest = this.#chars.slice(this.#at + 1)
    const end = rest.findIndex((char, index) => char === kind && rest[index + 1] === ']')
    if (end === -1) return null
    const name = rest.slice(0, end).join('')
    const found = kind === ':' ? CLASSES[name] : null
    if (kind !== ':')
      throw new Unsupported(`awk with [${kind}${name}${kind}] in brackets`, 'the character itself')
    if (!found) this.#wrong('Invalid character class name')
    this.#at += end + 3
    return found ?? []
  }
}

function single(char: string): Part {
  const code = char.codePointAt(0) ?? 0
  return { kind: 'set', set: { ranges: [[code, code]], negated: false } }
}
