// A set of characters, which can be tested quickly and written for both engines. Negated sets do not contain escaped
// bytes (io/text.ts).

/** A range of code points, or a Unicode category by its short name. */
export type CharPart = readonly [from: number, to: number] | string

/** Escaped bytes of text that is not UTF-8. */
const ESCAPED: CharPart = [0xdc80, 0xdcff]

export class CharSet {
  readonly parts: readonly CharPart[]
  readonly negated: boolean
  /** Whether each ASCII character is in the set, considering `ignoreCase`. */
  readonly #ascii: readonly boolean[]
  readonly #beyond: RegExp
  /** Whether characters beyond ASCII may be in the set. */
  readonly beyond: boolean

  /** With `bytesOnly`, escaped bytes are characters (io/locale.ts), so negated sets contain them. */
  constructor(parts: readonly CharPart[], negated: boolean, ignoreCase: boolean, bytesOnly = false) {
    this.parts = negated && !bytesOnly ? [...parts, ESCAPED] : parts
    this.negated = negated
    // Constant time, because it tests one character.
    this.#beyond = new RegExp(`^${this.source('u')}$`, ignoreCase ? 'iu' : 'u')
    this.#ascii = Array.from({ length: 128 }, (_, code) => this.#beyond.test(String.fromCharCode(code)))
    this.beyond = negated || ignoreCase || parts.some((part) => typeof part === 'string' || part[1] > 127)
  }

  has(code: number): boolean {
    if (code < 128) return this.#ascii[code] ?? false
    return this.beyond && this.#beyond.test(String.fromCodePoint(code))
  }

  /** Returns false only if the sets definitely have no character in common. */
  meets(other: CharSet): boolean {
    if (this.beyond && other.beyond) return true
    return this.#ascii.some((own, code) => own && other.has(code))
  }

  /** Returns true only if `other` definitely contains all characters. */
  within(other: CharSet): boolean {
    return !this.beyond && this.#ascii.every((own, code) => !own || other.has(code))
  }

  /** The only character of the set; null if it may have several. */
  single(): string | null {
    const [part] = this.parts
    if (this.negated || this.parts.length !== 1 || !part || typeof part === 'string') return null
    return part[0] === part[1] ? String.fromCodePoint(part[0]) : null
  }

  /** The set as a character class: `u` escapes code points as JavaScript does, `x` as RE2. */
  source(letter: 'u' | 'x'): string {
    const code = (value: number): string => `\\${letter}{${value.toString(16)}}`
    const parts = this.parts.map((part) =>
      typeof part === 'string'
        ? String.raw`\p{${part}}`
        : part[0] === part[1]
          ? code(part[0])
          : `${code(part[0])}-${code(part[1])}`,
    )
    return `[${this.negated ? '^' : ''}${parts.join('')}]`
  }
}

const ASCII_ALPHA: readonly CharPart[] = [
  [65, 90],
  [97, 122],
]
/** The C library counts digits of other scripts as letters. */
const OTHER_ALPHA: readonly CharPart[] = [
  'L',
  'Nl',
  'Mn',
  'Mc',
  [0x660, 0x669],
  [0x6f0, 0x6f9],
  [0x966, 0x96f],
]
const DIGIT: readonly CharPart[] = [[48, 57]]
const BLANKS: readonly CharPart[] = [
  [32, 32],
  [9, 9],
  [0x1680, 0x1680],
  [0x2000, 0x2006],
  [0x2008, 0x200a],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
]
const ALPHA = [...ASCII_ALPHA, ...OTHER_ALPHA]

/** The classes for `[[:NAME:]]`. */
export const CLASSES: Readonly<Record<string, readonly CharPart[]>> = {
  alpha: ALPHA,
  digit: DIGIT,
  alnum: [...ALPHA, ...DIGIT],
  upper: [[65, 90], 'Lu', 'Lt'],
  lower: [[97, 122], 'Ll'],
  space: [[9, 13], ...BLANKS, [0x2028, 0x2029]],
  blank: BLANKS,
  punct: [[33, 47], [58, 64], [91, 96], [123, 126], 'P', 'S', 'Me', 'No', 'Cf'],
  print: [[32, 126], 'L', 'M', 'N', 'P', 'S', 'Zs', 'Cf', 'Co'],
  graph: [[33, 126], 'L', 'M', 'N', 'P', 'S', 'Cf', 'Co', [0xa0, 0xa0], [0x2007, 0x2007], [0x202f, 0x202f]],
  cntrl: [
    [0, 31],
    [127, 159],
    [0x2028, 0x2029],
  ],
  xdigit: [
    [48, 57],
    [65, 70],
    [97, 102],
  ],
}

export const WORD_PARTS: readonly CharPart[] = [...ALPHA, ...DIGIT, [95, 95]]
export const WORD = new CharSet(WORD_PARTS, false, false)
