// `tr`: translates, squeezes or deletes bytes.

import { Failed, type Command, usage } from '../command.ts'
import { latin1OfText } from '../io/latin1.ts'
import { fieldWidth } from '../number-size.ts'
import { parseOptions } from '../options.ts'

const OPTIONS = [
  { flags: '-c -C --complement' },
  { flags: '-d --delete' },
  { flags: '-s --squeeze-repeats' },
  { flags: '-t --truncate-set1' },
] as const

export const tr: Command = {
  async run(io) {
    const given = parseOptions('tr', io.args, OPTIONS, { operandsLast: true })
    const [one, two, extra] = given.operands
    const remove = given.has('-d')
    const squeeze = given.has('-s')
    if (one === undefined) throw usage('tr', 'missing operand')
    if (two === undefined && !squeeze && !remove) throw new Failed(`missing operand after ‘${one}’`)
    if (two === undefined && remove && squeeze) throw new Failed(`missing operand after ‘${one}’`)
    if (extra !== undefined || (remove && !squeeze && two !== undefined))
      throw new Failed(`extra operand ‘${extra ?? two ?? ''}’`)
    const first = parseSet(one, false)
    const set = given.has('-c') ? complement(first.bytes) : first.bytes
    const translates = two !== undefined && !remove
    const second = two === undefined ? null : parseSet(two, true, translates)
    const map = new Uint8Array(256).map((_, byte) => byte)
    if (second && translates)
      mapTo(map, set, filled(second, set.length), given.has('-t'), given.has('-c') && first.hasClass)
    const deleted = remove ? new Set(set) : new Set<number>()
    const squeezed = squeeze ? new Set(second ? filled(second, set.length) : set) : new Set<number>()
    let previous = -1
    for (let chunk = await io.stdin.read(); chunk; chunk = await io.stdin.read()) {
      const bytes = new Uint8Array(chunk.length)
      let length = 0
      for (const byte of chunk) {
        if (deleted.has(byte)) continue
        const next = map[byte] ?? byte
        if (next === previous && squeezed.has(next)) continue
        bytes[length++] = previous = next
      }
      await io.stdout.write(bytes.subarray(0, length))
    }
    return 0
  },
}

function mapTo(
  map: Uint8Array,
  from: readonly number[],
  to: readonly number[],
  truncate: boolean,
  complementedClass: boolean,
): void {
  if (to.length === 0) throw new Failed('when not truncating set1, string2 must be non-empty')
  if (complementedClass && new Set(to).size > 1)
    throw new Failed(
      'when translating with complemented character classes,\nstring2 must map all characters in the domain to one',
    )
  from.forEach((byte, index) => {
    if (truncate && index >= to.length) return
    map[byte] = to[Math.min(index, to.length - 1)] ?? byte
  })
}

function complement(set: readonly number[]): readonly number[] {
  const without = new Set(set)
  return Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !without.has(byte))
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[^ -~\x80-\xff]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[\t-\r ]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
}
const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92 }

interface ByteSet {
  /** The bytes of the set, in order. */
  readonly bytes: readonly number[]
  readonly hasClass: boolean
  /** For `[x*]`: repeats `byte` at index `at` until the set is as long as the first. */
  readonly fill: { readonly at: number; readonly byte: number } | null
}

function filled({ bytes, fill }: ByteSet, length: number): readonly number[] {
  if (!fill) return bytes
  const missing = Array.from({ length: Math.max(0, length - bytes.length) }, () => fill.byte)
  return bytes.toSpliced(fill.at, 0, ...missing)
}

/** `second` is true for the second set, and `translates` if it contains replacements. */
function parseSet(written: string, second: boolean, translates = false): ByteSet {
  const text = latin1OfText(written)
  const bytes: number[] = []
  let hasClass = false
  let fill: ByteSet['fill'] = null
  for (let at = 0; at < text.length;) {
    const named = /^\[:([a-z]+):\]/.exec(text.slice(at))
    if (named) {
      const matches = Object.hasOwn(CLASSES, named[1] ?? '') ? CLASSES[named[1] ?? ''] : undefined
      if (!matches) throw new Failed(`invalid character class ‘${named[1]}’`)
      hasClass = true
      if (translates && second && named[1] !== 'upper' && named[1] !== 'lower')
        throw new Failed(
          "when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'",
        )
      for (let byte = 0; byte < 256; byte++) if (matches.test(String.fromCharCode(byte))) bytes.push(byte)
      at += named[0].length
      continue
    }
    const repeated = /^\[(\\[0-7]{1,3}|\\.|[^\\])\*(\d*)\]/s.exec(text.slice(at))
    if (repeated) {
      const [byte] = characterAt(repeated[1] ?? '', 0)
      const digits = repeated[2] ?? ''
      const count = digits.startsWith('0') ? parseInt(digits, 8) : Number(digits)
      if (digits === '' || count === 0) {
        if (!second) throw new Failed('the [c*] repeat construct may not appear in string1')
        if (!translates) throw new Failed('the [c*] construct may appear in string2 only when translating')
        fill = { at: bytes.length, byte }
      } else for (let index = fieldWidth(count); index > 0; index--) bytes.push(byte)
      at += repeated[0].length
      continue
    }
    if (/^\[=.=\]/s.test(text.slice(at))) {
      bytes.push(text.charCodeAt(at + 2))
      at += 5
      continue
    }
    const [byte, next] = characterAt(text, at)
    if (text[next] === '-' && next + 1 < text.length) {
      const [last, after] = characterAt(text, next + 1)
      if (last < byte)
        throw new Failed(
          `range-endpoints of '${text.slice(at, after)}' are in reverse collating sequence order`,
        )
      for (let code = byte; code <= last; code++) bytes.push(code)
      at = after
    } else {
      bytes.push(byte)
      at = next
    }
  }
  return { bytes, hasClass, fill }
}

/** Parses a byte. Returns it and the index after it. */
function characterAt(text: string, at: number): readonly [number, number] {
  if (text[at] !== '\\') return [text.charCodeAt(at), at + 1]
  const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))
  if (octal) {
    const code = parseInt(octal[0], 8)
    // If an octal escape exceeds a byte, its last digit is a separate character.
    return code > 255 ? [code >> 3, at + 3] : [code, at + 1 + octal[0].length]
  }
  const letter = text[at + 1]
  if (letter === undefined) return [92, at + 1]
  return [ESCAPES[letter] ?? letter.charCodeAt(0), at + 2]
}
