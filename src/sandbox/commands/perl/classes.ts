// Character classes of Perl patterns. They know ASCII only, as in PCRE without Unicode properties.

import { UnsupportedPattern } from '../pattern/brackets.ts'
import type { CharPart } from '../pattern/char-set.ts'

const DIGIT: readonly CharPart[] = [[48, 57]]
const UPPER: readonly CharPart[] = [[65, 90]]
const LOWER: readonly CharPart[] = [[97, 122]]
const ALPHA = [...UPPER, ...LOWER]
const SPACE: readonly CharPart[] = [
  [9, 13],
  [32, 32],
]
export const WORD: readonly CharPart[] = [...ALPHA, ...DIGIT, [95, 95]]

/** Classes such as `\d` and `\w`. An upper-case letter means the complement. */
const LETTERS: Readonly<Record<string, readonly CharPart[]>> = {
  d: DIGIT,
  w: WORD,
  s: SPACE,
  h: [
    [9, 9],
    [32, 32],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x180e, 0x180e],
    [0x2000, 0x200a],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
  ],
  v: [
    [10, 13],
    [0x85, 0x85],
    [0x2028, 0x2029],
  ],
}

/** The classes for `[[:NAME:]]`. */
export const NAMED: Readonly<Record<string, readonly CharPart[]>> = {
  alpha: ALPHA,
  digit: DIGIT,
  alnum: [...ALPHA, ...DIGIT],
  upper: UPPER,
  lower: LOWER,
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
  print: [[32, 126]],
  graph: [[33, 126]],
  cntrl: [
    [0, 31],
    [127, 127],
  ],
  xdigit: [...DIGIT, [65, 70], [97, 102]],
  word: WORD,
  ascii: [[0, 127]],
}

/** The complement of `parts`, which are ranges. It contains escaped bytes only with `bytesOnly`. */
export function othersOf(parts: readonly CharPart[], bytesOnly: boolean): readonly CharPart[] {
  const never: readonly (readonly [number, number])[] = bytesOnly ? [] : [[0xdc80, 0xdcff]]
  const ranges = parts.filter((part) => typeof part !== 'string').toSorted(([one], [other]) => one - other)
  const others: CharPart[] = []
  let next = 0
  const add = (from: number, to: number): void => {
    if (from <= to) others.push([from, to])
  }
  for (const [from, to] of [...ranges, ...never, [0x110000, 0x110000]].toSorted(
    ([one = 0], [other = 0]) => one - other,
  )) {
    add(next, (from ?? 0) - 1)
    next = Math.max(next, (to ?? 0) + 1)
  }
  return others
}

/** Whether Unicode has a script with this name. */
function isScript(name: string): boolean {
  try {
    return new RegExp(String.raw`\p{Script=${name}}`, 'u').unicode
  } catch {
    return false
  }
}

/** The class at a backslash: `\d`, `\S`, `\p{Lu}`, `\p{Greek}`; null if there is none. */
export function classAt(
  text: string,
  bytesOnly: boolean,
): { parts: readonly CharPart[]; length: number } | null {
  const letter = text[1] ?? ''
  const lower = letter.toLowerCase()
  const known = Object.hasOwn(LETTERS, lower) ? LETTERS[lower] : undefined
  if (known) return { parts: letter === lower ? known : othersOf(known, bytesOnly), length: 2 }
  const property = /^\\p(?:\{([A-Z][a-z]?)\}|([A-Z]))/.exec(text)
  if (
    property &&
    /^(?:L[ulmto]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?)$/.test(property[1] ?? property[2] ?? '')
  )
    return { parts: [property[1] ?? property[2] ?? ''], length: property[0].length }
  const script = /^\\p\{([A-Z][A-Za-z]+(?:_[A-Z][a-z]+)*)\}/.exec(text)
  if (script?.[1] !== undefined && isScript(script[1]))
    return { parts: [`scx=${script[1]}`], length: script[0].length }
  if (lower === 'p') throw new UnsupportedPattern(text.slice(0, text.indexOf('}') + 1 || 3))
  return null
}
