// `shuf`: prints lines in random order.

import { Failed, type Command, type CommandIo, usage } from '../command.ts'
import { FileError } from '../io/files.ts'
import { latin1Of, bytesOfLatin1, latin1OfText } from '../io/latin1.ts'
import { readAll, type ByteReader } from '../io/reader.ts'
import { parseOptions, type Parsed } from '../options.ts'

const OPTIONS = [
  { flags: '-e --echo' },
  { flags: '-i --input-range', value: 'required' },
  { flags: '-n --head-count', value: 'required' },
  { flags: '-o --output', value: 'required' },
  { flags: '--random-source', value: 'required' },
  { flags: '-r --repeat' },
  { flags: '-z --zero-terminated' },
] as const

/** Returns an integer from 0 to `limit` - 1. */
type Random = (limit: number) => number | Promise<number>

export const shuf: Command = {
  async run(io) {
    const given = parseOptions('shuf', io.args, OPTIONS)
    const end = given.has('-z') ? '\0' : '\n'
    const counts = given.values('-n').map((text) => {
      if (!/^\+?\d+$/.test(text)) throw new Failed(`invalid line count: ‘${text}’`)
      return Number(text)
    })
    const most = Math.min(Infinity, ...counts)
    const lines = await choices(io, given, end)
    const isRepeated = given.has('-r')
    if (isRepeated && lines.length === 0 && most > 0) throw new Failed('no lines to repeat')
    const source = given.value('--random-source')
    const random = source === undefined ? generator(io) : await numbersFrom(io, source)
    const stdin = given.operands.length === 0 || given.operands[0] === '-'
    const isStream = stdin && io.stdin.size === undefined && !given.has('-i') && !given.has('-e')
    if (source !== undefined && isStream && most < Infinity && !isRepeated)
      lines.splice(0, Infinity, ...(await reservoir(lines, most, random)))
    const file = given.value('-o')
    const writer = file === undefined ? io.stdout : await io.files.create(file)
    let text = ''
    const count = isRepeated ? most : Math.min(most, lines.length)
    for (let at = 0; at < count; at++) {
      let line = ''
      const drawn = random(isRepeated ? lines.length : lines.length - at)
      // Most numbers are available immediately, and awaiting each would be slow.
      const number = typeof drawn === 'number' ? drawn : await drawn
      if (isRepeated) line = lines[number] ?? ''
      else {
        const other = at + number
        line = lines[other] ?? ''
        lines[other] = lines[at] ?? ''
      }
      text += line + end
      if (text.length < 32_768) continue
      await writer.write(bytesOfLatin1(text))
      text = ''
    }
    await writer.write(bytesOfLatin1(text))
    await writer.flush()
    return 0
  },
}

async function choices(io: CommandIo, given: Parsed, end: string): Promise<string[]> {
  const range = given.value('-i')
  if (range !== undefined) {
    if (given.has('-e')) throw new Failed('cannot combine -e and -i options')
    if (given.operands.length > 0) throw usage('shuf', `extra operand ‘${given.operands[0] ?? ''}’`)
    const [, low, high] = /^(\d+)-(\d+)$/.exec(range) ?? []
    if (low === undefined || Number(high) < Number(low) - 1)
      throw new Failed(`invalid input range: ‘${range}’`)
    const length = Number(high) - Number(low) + 1
    if (length > 5_000_000) throw new Failed('memory exhausted')
    return Array.from({ length }, (_, at) => String(Number(low) + at))
  }
  if (given.has('-e')) return given.operands.map(latin1OfText)
  const [name = '-', extra] = given.operands
  if (extra !== undefined) throw usage('shuf', `extra operand ‘${extra}’`)
  try {
    const text = latin1Of(name === '-' ? await readAll(io.stdin) : await io.files.read(name))
    if (text === '') return []
    return (text.endsWith(end) ? text.slice(0, -1) : text).split(end)
  } catch (error) {
    if (error instanceof FileError) throw new Failed(`${name}: ${error.message}`)
    throw error
  }
}

/** Selects lines as GNU's shuf does for `-n` with a pipe (reservoir sampling). */
async function reservoir(lines: readonly string[], most: number, random: Random): Promise<string[]> {
  const kept = lines.slice(0, most)
  for (let at = kept.length; at <= lines.length && lines.length >= most; at++) {
    const slot = await random(at + 1)
    const line = lines[at]
    if (slot < most && line !== undefined) kept[slot] = line
  }
  return kept
}

/** For `--random-source`: derives numbers from the bytes of a file as GNU's programs do. */
async function numbersFrom(io: CommandIo, path: string): Promise<Random> {
  let reader: ByteReader
  try {
    reader = await io.files.open(path)
  } catch (error) {
    if (error instanceof FileError) throw new Failed(`${path}: ${error.message}`)
    throw error
  }
  let chunk: Uint8Array = new Uint8Array()
  let [at, number, largest] = [0, 0, 0]
  return async (limit) => {
    const wanted = limit - 1
    for (;;) {
      while (largest < wanted) {
        // The source may be endless, such as `<(yes 42)`.
        if (at >= chunk.length) {
          const next = await reader.read()
          if (!next) throw new Failed(`${path}: end of file`)
          ;[chunk, at] = [next, 0]
        }
        number = number * 256 + (chunk[at++] ?? 0)
        largest = largest * 256 + 255
      }
      if (largest === wanted) {
        const found = number
        number = largest = 0
        return found
      }
      const excess = largest - wanted
      const unusable = excess % limit
      const lastUsable = largest - unusable
      if (number <= lastUsable) {
        const found = number % limit
        number = Math.floor(number / limit)
        largest = Math.floor(excess / limit)
        return found
      }
      number -= lastUsable + 1
      largest = unusable - 1
    }
  }
}

/** Returns integers from 0 to `limit` - 1, generated by sfc32 with a random seed. */
function generator(io: CommandIo): Random {
  let [a, b, c, d] = [0, 1, 2, 3].map(() => Number.parseInt(io.fresh().slice(0, 6), 36) | 0) as [
    number,
    number,
    number,
    number,
  ]
  const next = (): number => {
    const sum = (a + b + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
  for (let round = 0; round < 20; round++) next()
  return (limit) => Math.floor(((next() * 2 ** 21 + (next() >>> 11)) / 2 ** 53) * limit)
}
