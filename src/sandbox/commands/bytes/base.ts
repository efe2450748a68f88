// `base64`, `base32` and `basenc`: encode and decode bytes.

import { Buffer } from 'node:buffer'

import { Failed, type Command, type CommandIo, usage } from '../command.ts'
import { FileError } from '../io/files.ts'
import { latin1Of } from '../io/latin1.ts'
import { concat } from '../io/bytes.ts'
import type { ByteReader } from '../io/reader.ts'
import { parseOptions } from '../options.ts'

const OPTIONS = [
  { flags: '-d --decode' },
  { flags: '-i --ignore-garbage' },
  { flags: '-w --wrap', value: 'required' },
] as const

/** Complete groups without padding. */
const PLAIN = /^[A-Za-z0-9+/]*$/

interface Base {
  readonly letters: string
  /** Bits per character. */
  readonly bits: number
  /** Bytes per group, and characters per group. */
  readonly bytes: number
  readonly width: number
}

const BASES: Readonly<Record<string, Base>> = {
  base64: {
    letters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
    bits: 6,
    bytes: 3,
    width: 4,
  },
  base64url: {
    letters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
    bits: 6,
    bytes: 3,
    width: 4,
  },
  base32: { letters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', bits: 5, bytes: 5, width: 8 },
  base32hex: { letters: '0123456789ABCDEFGHIJKLMNOPQRSTUV', bits: 5, bytes: 5, width: 8 },
  base16: { letters: '0123456789ABCDEF', bits: 4, bytes: 1, width: 2 },
  base2msbf: { letters: '01', bits: 1, bytes: 1, width: 8 },
}

const NAMED_OPTIONS = [
  ...OPTIONS,
  ...Object.keys(BASES).map((name) => ({ flags: `--${name}` })),
  { flags: '--base2lsbf', refused: 'basenc --base2msbf and rev' },
  { flags: '--z85', refused: 'python3' },
] as const

export const baseEncoding: Command = {
  async run(io) {
    const isNamed = io.name === 'basenc'
    const given = parseOptions(io.name, io.args, isNamed ? NAMED_OPTIONS : OPTIONS)
    const flag = isNamed ? given.last(...Object.keys(BASES).map((name) => `--${name}`)) : null
    const base = BASES[flag?.slice(2) ?? io.name]
    if (!base) throw usage(io.name, 'missing encoding type')
    const [name = '-', extra] = given.operands
    if (extra !== undefined) throw usage(io.name, `extra operand ‘${extra}’`)
    const wrapText = given.value('-w') ?? '76'
    if (!/^\d+$/.test(wrapText)) throw new Failed(`invalid wrap size: ‘${wrapText}’`)
    const reader = await opened(io, name)
    if (given.has('-d')) await decoded(io, reader, base, given.has('-i'))
    else await encoded(io, reader, base, Number(wrapText))
    return 0
  },
}

async function opened(io: CommandIo, name: string): Promise<ByteReader> {
  try {
    return name === '-' ? io.stdin : await io.files.open(name)
  } catch (error) {
    if (error instanceof FileError) throw new Failed(`${name}: ${error.message}`)
    throw error
  }
}

async function encoded(io: CommandIo, reader: ByteReader, base: Base, wrap: number): Promise<void> {
  let open: Uint8Array = new Uint8Array()
  let column = 0
  const write = async (text: string): Promise<void> => {
    if (wrap === 0) {
      await io.stdout.write(text)
      return
    }
    let lines = ''
    for (let at = 0; at < text.length;) {
      const end = Math.min(text.length, at + wrap - column)
      lines += text.slice(at, end)
      column += end - at
      at = end
      if (column === wrap) {
        lines += '\n'
        column = 0
      }
    }
    await io.stdout.write(lines)
  }
  for (let chunk = await reader.read(); chunk; chunk = await reader.read()) {
    const all = open.length > 0 ? concat([open, chunk]) : chunk
    const whole = all.length - (all.length % base.bytes)
    open = all.subarray(whole)
    await write(groups(all.subarray(0, whole), base))
  }
  await write(groups(open, base))
  if (column > 0) await io.stdout.write('\n')
}

function groups(bytes: Uint8Array, { letters, bits, bytes: size, width }: Base): string {
  if (bits === 6) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
    return letters.endsWith('_') ? text.replaceAll('+', '-').replaceAll('/', '_') : text
  }
  let text = ''
  for (let at = 0; at < bytes.length; at += size) {
    let held = 0
    let count = 0
    let written = 0
    for (let index = at; index < Math.min(at + size, bytes.length); index++) {
      held = (held << 8) | (bytes[index] ?? 0)
      count += 8
      for (; count >= bits; written++) {
        count -= bits
        text += letters[(held >> count) & (2 ** bits - 1)] ?? ''
      }
      held &= 2 ** count - 1
    }
    if (count > 0) {
      text += letters[(held << (bits - count)) & (2 ** bits - 1)] ?? ''
      written++
    }
    text += '='.repeat(width - written)
  }
  return text
}

/** Decodes the input and writes the bytes. `lenient` ignores characters outside of the alphabet. */
async function decoded(io: CommandIo, reader: ByteReader, base: Base, lenient: boolean): Promise<void> {
  const values = new Map(Array.from(base.letters).map((letter, value) => [letter, value]))
  let open = ''
  for (let chunk = await reader.read(); chunk; chunk = await reader.read()) {
    let text = latin1Of(chunk)
    text = lenient
      ? Array.from(text)
          .filter((letter) => letter === '=' || values.has(letter))
          .join('')
      : text.replaceAll('\n', '')
    // GNU looks for characters of the other alphabet before it decodes.
    if (base.letters.endsWith('_') && /[+/]/.test(text)) throw new Failed('invalid input')
    open += text
    const whole = open.length - (open.length % base.width)
    const groups = open.slice(0, whole)
    if (base.letters.endsWith('/') && PLAIN.test(groups)) {
      open = open.slice(whole)
      await io.stdout.write(new Uint8Array(Buffer.from(groups, 'base64')))
      continue
    }
    const bytes: number[] = []
    for (let at = 0; at < whole; at += base.width)
      if (!add(bytes, open.slice(at, at + base.width), base, values)) {
        await io.stdout.write(Uint8Array.from(bytes))
        throw new Failed('invalid input')
      }
    open = open.slice(whole)
    await io.stdout.write(Uint8Array.from(bytes))
  }
  if (open === '') return
  const bytes: number[] = []
  if (base.bits === 6) add(bytes, open, base, values)
  await io.stdout.write(Uint8Array.from(bytes))
  throw new Failed('invalid input')
}

/** Adds the bytes of one group. Returns false if it is invalid, after adding the bytes before the error. */
function add(bytes: number[], group: string, base: Base, values: ReadonlyMap<string, number>): boolean {
  const padding = group.length - group.replace(/=+$/, '').length
  let held = 0
  let count = 0
  for (const letter of group.slice(0, group.length - padding)) {
    const value = values.get(letter)
    if (value === undefined) return false
    held = (held << base.bits) | value
    count += base.bits
    if (count < 8) continue
    count -= 8
    bytes.push((held >> count) & 255)
    held &= 2 ** count - 1
  }
  const allowed = base.bits === 6 ? [0, 1, 2] : base.bits === 5 ? [0, 1, 3, 4, 6] : [0]
  return group.length === base.width && allowed.includes(padding)
}
