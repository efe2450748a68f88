// The types of `od -t`: how values are formatted.

import { Failed, Unsupported } from '../command.ts'
import { general } from '../awk/digits.ts'

export interface DumpType {
  /** Bytes per value. */
  readonly size: number
  /** Characters per value, without the preceding space. */
  readonly width: number
  readonly text: (view: DataView, at: number) => string
  /** Whether printable characters are shown at the end of the line. */
  readonly shown: boolean
}

const INTEGER_SIZES: Readonly<Record<string, number>> = { C: 1, S: 2, I: 4, L: 8 }
const FLOAT_SIZES: Readonly<Record<string, number>> = { F: 4, D: 8 }
const WIDTHS: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  o: { 1: 3, 2: 6, 4: 11, 8: 22 },
  d: { 1: 4, 2: 6, 4: 11, 8: 20 },
  u: { 1: 3, 2: 5, 4: 10, 8: 20 },
  x: { 1: 2, 2: 4, 4: 8, 8: 16 },
  f: { 4: 15, 8: 24 },
}

/** Parses a list of types such as `x1z` or `d4x2`. `little` is true for little-endian byte order. */
export function typesOf(text: string, little: boolean): readonly DumpType[] {
  const types: DumpType[] = []
  let rest = text
  while (rest !== '') {
    const found = /^(?:([ac])|([doux])([CSIL]|\d*)|(f)([FDL]|\d*))(z?)/.exec(rest)
    if (!found || text === '') throw new Failed(`invalid type string ‘${text}’`)
    const [all, letter, integer, integerSize = '', float, floatSize = '', shown] = found
    rest = rest.slice(all.length)
    const z = shown === 'z'
    if (letter !== undefined) {
      types.push({ size: 1, width: 3, text: letter === 'a' ? named : escaped, shown: z })
      continue
    }
    const sizes = float === undefined ? INTEGER_SIZES : FLOAT_SIZES
    const written = float === undefined ? integerSize : floatSize
    const size =
      (Object.hasOwn(sizes, written) ? sizes[written] : undefined) ??
      (written === '' ? (float === undefined ? 4 : 8) : Number(written))
    const kind = float ?? integer ?? ''
    const width = WIDTHS[kind]?.[size]
    if (width === undefined) {
      if (float !== undefined) throw new Unsupported(`od -t ${text}`, 'od -t f4 or f8')
      throw new Failed(
        `invalid type string ‘${text}’;\nthis system doesn't provide a ${size}-byte integral type`,
      )
    }
    types.push({ size, width, text: valueText(kind, size, little), shown: z })
  }
  return types
}

function valueText(kind: string, size: number, little: boolean): DumpType['text'] {
  if (kind === 'f')
    return size === 4
      ? (view, at) => realText(view.getFloat32(at, little), Math.fround, 6)
      : (view, at) => realText(view.getFloat64(at, little), Number, 15)
  const width = WIDTHS[kind]?.[size] ?? 0
  return (view, at) => {
    const value = unsigned(view, at, size, little)
    if (kind === 'u') return String(value)
    if (kind === 'd')
      return String(
        typeof value === 'bigint'
          ? BigInt.asIntN(64, value)
          : value >= 2 ** (8 * size - 1)
            ? value - 2 ** (8 * size)
            : value,
      )
    return value.toString(kind === 'o' ? 8 : 16).padStart(width, '0')
  }
}

function unsigned(view: DataView, at: number, size: number, little: boolean): number | bigint {
  if (size === 1) return view.getUint8(at)
  if (size === 2) return view.getUint16(at, little)
  return size === 4 ? view.getUint32(at, little) : view.getBigUint64(at, little)
}

/** The shortest text that represents the same number. */
function realText(value: number, rounded: (value: number) => number, digits: number): string {
  if (Number.isNaN(value)) throw new Unsupported('od of a NaN', 'od -t x8')
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const size = Math.abs(value)
  if (size === Infinity) return `${sign}inf`
  const least = digits === 6 ? 1.175_494_350_822_287_5e-38 : 2.225_073_858_507_201_4e-308
  for (let precision = size < least ? 1 : digits; ; precision++) {
    const text = general(size, precision, false)
    if (rounded(Number(text)) === size || precision > 20) return sign + text
  }
}

const NAMES =
  'nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us sp'.split(
    ' ',
  )
const ESCAPES: Readonly<Record<number, string>> = {
  0: String.raw`\0`,
  7: String.raw`\a`,
  8: String.raw`\b`,
  9: String.raw`\t`,
  10: String.raw`\n`,
  11: String.raw`\v`,
  12: String.raw`\f`,
  13: String.raw`\r`,
}

function named(view: DataView, at: number): string {
  const code = view.getUint8(at) & 0x7f
  return code === 127 ? 'del' : (NAMES[code] ?? String.fromCharCode(code))
}

function escaped(view: DataView, at: number): string {
  const code = view.getUint8(at)
  return (
    ESCAPES[code] ??
    (code >= 32 && code < 127 ? String.fromCharCode(code) : code.toString(8).padStart(3, '0'))
  )
}
