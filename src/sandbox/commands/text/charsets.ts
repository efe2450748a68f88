// The encodings of `iconv`: convert bytes to code points and back.

export interface Charset {
  /** The code point at `at` and its length in bytes; null if the bytes are invalid, `short` if bytes are missing. */
  decode(bytes: Uint8Array, at: number): { readonly code: number; readonly length: number } | 'short' | null
  /** The bytes of a code point; null if the encoding lacks this character. */
  encode(code: number): readonly number[] | null
  /** The byte order mark, written before the first character. */
  readonly mark?: readonly number[]
  /** Reads the byte order mark. Returns the encoding that it selects, and its length. */
  readonly marked?: (bytes: Uint8Array) => { readonly charset: Charset; readonly length: number }
}

const utf8: Charset = {
  decode(bytes, at) {
    const first = bytes[at] ?? 0
    if (first < 0x80) return { code: first, length: 1 }
    const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
    if (first < 0xc2 || first > 0xf4) return null
    let code = first & (0xff >> (length + 1))
    for (let next = 1; next < length; next++) {
      const byte = bytes[at + next]
      if (byte === undefined) return 'short'
      if ((byte & 0xc0) !== 0x80) return null
      code = code * 64 + (byte & 0x3f)
    }
    const least = length === 4 ? 0x1_0000 : length === 3 ? 0x800 : 0x80
    return code < least || code > 0x10_ffff || isSurrogate(code) ? null : { code, length }
  },
  encode: (code) => [...new TextEncoder().encode(String.fromCodePoint(code))],
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff
}

/** An encoding with one byte per character. `upper` maps bytes above 127; others are ASCII. */
function oneByte(upper: (byte: number) => number | null): Charset {
  const bytesOf = new Map<number, number>()
  for (let byte = 128; byte < 256; byte++) {
    const code = upper(byte)
    if (code !== null) bytesOf.set(code, byte)
  }
  return {
    decode(bytes, at) {
      const byte = bytes[at] ?? 0
      const code = byte < 128 ? byte : upper(byte)
      return code === null ? null : { code, length: 1 }
    },
    encode(code) {
      const byte = code < 128 ? code : bytesOf.get(code)
      return byte === undefined ? null : [byte]
    },
  }
}

function wide(size: 2 | 4, little: boolean): Charset {
  const unitAt = (bytes: Uint8Array, at: number): number | null => {
    if (at + size > bytes.length) return null
    let value = 0
    for (let index = 0; index < size; index++)
      value = value * 256 + (bytes[at + (little ? size - 1 - index : index)] ?? 0)
    return value
  }
  const unit = (value: number): number[] => {
    const big = Array.from(
      { length: size },
      (_, index) => Math.floor(value / 256 ** (size - 1 - index)) % 256,
    )
    return little ? big.toReversed() : big
  }
  return {
    decode(bytes, at) {
      const value = unitAt(bytes, at)
      if (value === null) return 'short'
      if (size === 4) return value > 0x10_ffff || isSurrogate(value) ? null : { code: value, length: 4 }
      if (!isSurrogate(value)) return { code: value, length: 2 }
      const low = unitAt(bytes, at + 2)
      if (value >= 0xdc00) return null
      if (low === null) return 'short'
      if (low < 0xdc00 || low > 0xdfff) return null
      return { code: 0x1_0000 + (value - 0xd800) * 1_024 + (low - 0xdc00), length: 4 }
    },
    encode(code) {
      if (size === 4 || code < 0x1_0000) return unit(code)
      const rest = code - 0x1_0000
      return [...unit(0xd800 + (rest >> 10)), ...unit(0xdc00 + (rest & 1_023))]
    },
  }
}

/** An encoding with a byte order mark; little-endian if there is none. */
function marked(size: 2 | 4): Charset {
  const [little, big] = [wide(size, true), wide(size, false)]
  const mark = little.encode(0xfeff) ?? []
  const starts = (bytes: Uint8Array, with_: readonly number[]): boolean =>
    with_.every((byte, index) => bytes[index] === byte)
  return {
    ...little,
    mark,
    marked: (bytes) =>
      starts(bytes, mark)
        ? { charset: little, length: size }
        : starts(bytes, mark.toReversed())
          ? { charset: big, length: size }
          : { charset: little, length: 0 },
  }
}

const CP1252 = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ'
const LATIN9: Readonly<Record<number, number>> = {
  164: 0x20ac,
  166: 0x160,
  168: 0x161,
  180: 0x17d,
  184: 0x17e,
  188: 0x152,
  189: 0x153,
  190: 0x178,
}
const NAMES: readonly (readonly [names: string, charset: Charset])[] = [
  ['UTF-8 UTF8', utf8],
  ['ASCII US-ASCII ANSI_X3.4-1968 US', oneByte(() => null)],
  ['ISO-8859-1 ISO8859-1 ISO_8859-1 LATIN1 L1', oneByte((byte) => byte)],
  ['ISO-8859-15 ISO8859-15 ISO_8859-15 LATIN-9 LATIN9', oneByte((byte) => LATIN9[byte] ?? byte)],
  [
    'CP1252 WINDOWS-1252 MS-ANSI',
    oneByte((byte) => (byte >= 160 ? byte : CP1252.charCodeAt(byte - 128) || null)),
  ],
  ['UTF-16LE UTF16LE', wide(2, true)],
  ['UTF-16BE UTF16BE', wide(2, false)],
  ['UTF-32LE UTF32LE', wide(4, true)],
  ['UTF-32BE UTF32BE', wide(4, false)],
  ['UTF-16 UTF16', marked(2)],
  ['UTF-32 UTF32', marked(4)],
]

/** The encoding with this name; null if it is not supported. */
export function charsetOf(name: string): Charset | null {
  return NAMES.find(([names]) => names.split(' ').includes(name.toUpperCase()))?.[1] ?? null
}
