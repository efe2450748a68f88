// `od`: dumps bytes as numbers or characters.

import { Failed, Unsupported, type Command } from '../command.ts'
import { fieldWidth } from '../number-size.ts'
import { parseOptions, type Parsed } from '../options.ts'
import { blocksOf } from './blocks.ts'
import { typesOf, type DumpType } from './od-types.ts'

const OPTIONS = [
  { flags: '-A --address-radix', value: 'required' },
  { flags: '--endian', value: 'required' },
  { flags: '-j --skip-bytes', value: 'required' },
  { flags: '-N --read-bytes', value: 'required' },
  { flags: '-S --strings', value: 'optional', refused: 'strings' },
  { flags: '-t --format', value: 'required' },
  { flags: '-v --output-duplicates' },
  { flags: '-w --width', value: 'optional' },
  { flags: '--traditional', refused: 'od -j OFFSET' },
  { flags: '-a' },
  { flags: '-b' },
  { flags: '-c' },
  { flags: '-d' },
  { flags: '-f' },
  { flags: '-i' },
  { flags: '-l' },
  { flags: '-o' },
  { flags: '-s' },
  { flags: '-x' },
] as const

/** Traditional options, with their equivalent for `-t`. */
const LETTERS: Readonly<Record<string, string>> = {
  '-a': 'a',
  '-b': 'o1',
  '-c': 'c',
  '-d': 'u2',
  '-f': 'fF',
  '-i': 'dI',
  '-l': 'dL',
  '-o': 'o2',
  '-s': 'd2',
  '-x': 'x2',
}

export const od: Command = {
  async run(io) {
    const given = parseOptions('od', io.args, OPTIONS)
    if (
      given.operands.some(
        (operand) => /^\+?0?[xX]?[\da-fA-F]+[.b]*$/.test(operand) && operand.startsWith('+'),
      )
    )
      throw new Unsupported('od with an offset as an operand', 'od -j OFFSET')
    const endian = given.value('--endian') ?? 'little'
    if (endian !== 'little' && endian !== 'big')
      throw new Failed(`invalid argument ‘${endian}’ for ‘--endian’`)
    const specs = given.options.flatMap(({ flag, value }) =>
      flag === '-t' ? [value] : Object.hasOwn(LETTERS, flag) ? [LETTERS[flag] ?? ''] : [],
    )
    const types = (specs.length === 0 ? ['o2'] : specs).flatMap((text) => typesOf(text, endian === 'little'))
    const width = widthOf(given, types)
    const writer = new Writer(types, width, radixOf(given.value('-A') ?? 'o'))
    const skip = bytesOf(given.value('-j') ?? '0', '-j')
    const most = given.has('-N') ? bytesOf(given.value('-N') ?? '', '-N') : Infinity
    let exitCode = 0
    let offset = skip
    let previous = ''
    let repeated = false
    const range = { skip, most }
    for await (const blocks of blocksOf(io, given.operands, width, range, () => (exitCode = 1))) {
      let text = ''
      for (const block of blocks) {
        const line = writer.line(block)
        if (line === previous && block.length === width && !given.has('-v')) {
          if (!repeated) text += '*\n'
          repeated = true
        } else {
          text += writer.lines(line, offset)
          repeated = false
        }
        previous = line
        offset += block.length
      }
      await io.stdout.write(text)
    }
    await io.stdout.write(writer.end(offset))
    return exitCode
  },
}

type Radix = (offset: number) => string

function radixOf(letter: string): Radix | null {
  switch (letter[0] ?? '') {
    case 'd':
      return (offset) => String(offset).padStart(7, '0')
    case 'o':
      return (offset) => offset.toString(8).padStart(7, '0')
    case 'x':
      return (offset) => offset.toString(16).padStart(6, '0')
    case 'n':
      return null
    default:
      throw new Failed(`invalid output address radix '${letter}'; it must be one character from [doxn]`)
  }
}

class Writer {
  readonly #types: readonly DumpType[]
  readonly #width: number
  readonly #radix: Radix | null
  /** Additional spaces per type, so that values of different types are aligned. */
  readonly #pads: readonly number[]

  constructor(types: readonly DumpType[], width: number, radix: Radix | null) {
    this.#types = types
    this.#width = width
    this.#radix = radix
    const widest = Math.max(...types.map((type) => (type.width + 1) * (width / type.size)))
    this.#pads = types.map((type) => widest - type.width * (width / type.size))
  }

  /** Formats a block: one line per type, joined by line feeds. */
  line(block: Uint8Array): string {
    const full = block.length === this.#width ? block : padded(block, this.#width)
    const view = new DataView(full.buffer, full.byteOffset, full.length)
    return this.#types
      .map((type, index) => {
        const fields = this.#width / type.size
        const blank = Math.floor((this.#width - block.length) / type.size)
        const pad = this.#pads[index] ?? 0
        let text = ''
        let left = pad
        for (let field = fields; field > blank; field--) {
          const next = Math.floor((pad * (field - 1)) / fields)
          text += type.text(view, (fields - field) * type.size).padStart(left - next + type.width)
          left = next
        }
        if (!type.shown) return text
        const room = blank * type.width + Math.floor((pad * blank) / fields)
        return `${text}${' '.repeat(room)}  >${printable(block)}<`
      })
      .join('\n')
  }

  lines(line: string, offset: number): string {
    const address = this.#radix?.(offset) ?? ''
    const room = ' '.repeat(address.length)
    return line
      .split('\n')
      .map((one, index) => `${index === 0 ? address : room}${one}\n`)
      .join('')
  }

  end(offset: number): string {
    return this.#radix ? `${this.#radix(offset)}\n` : ''
  }
}

function padded(block: Uint8Array, width: number): Uint8Array {
  const full = new Uint8Array(width)
  full.set(block)
  return full
}

function printable(block: Uint8Array): string {
  return Array.from(block, (byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('')
}

function widthOf(given: Parsed, types: readonly DumpType[]): number {
  // Sizes are powers of two, so the largest is a multiple of all.
  const largest = Math.max(...types.map(({ size }) => size))
  if (!given.has('-w')) return Math.max(16, largest)
  const text = given.value('-w') ?? ''
  const width = text === '' ? 32 : bytesOf(text, '-w')
  if (width === 0) throw new Failed(`invalid -w argument '${text}'`)
  return width % largest === 0 ? fieldWidth(width) : largest
}

/** Parses `10`, `0x1f`, `017` or `2k`. */
function bytesOf(text: string, flag: string): number {
  const [, hex, digits, unit = ''] = /^(?:0[xX]([\da-fA-F]+)|(\d+))(b|[kKMG]B?)?$/.exec(text) ?? []
  if (hex === undefined && digits === undefined) throw new Failed(`invalid ${flag} argument '${text}'`)
  const number =
    hex !== undefined
      ? Number.parseInt(hex, 16)
      : digits?.startsWith('0') === true
        ? Number.parseInt(digits, 8)
        : Number(digits)
  if (Number.isNaN(number)) throw new Failed(`invalid ${flag} argument '${text}'`)
  const base = unit.endsWith('B') ? 1_000 : 1_024
  return (
    number *
    (unit === '' ? 1 : unit === 'b' ? 512 : base ** ('KMG'.indexOf((unit[0] ?? '').toUpperCase()) + 1))
  )
}
