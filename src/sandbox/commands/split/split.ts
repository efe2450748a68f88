// `split`: splits a file into parts.

import { Failed, Unsupported, type Command, type CommandIo, usage } from '../command.ts'
import { FileError } from '../io/files.ts'
import { readAll } from '../io/reader.ts'
import { parseCount } from '../numbers.ts'
import { parseOptions, type Parsed } from '../options.ts'
import { byBytes, byChunks, byLineBytes, byLines } from './parts.ts'
import { namesOf } from './names.ts'

const OPTIONS = [
  { flags: '-a --suffix-length', value: 'required' },
  { flags: '--additional-suffix', value: 'required' },
  { flags: '-b --bytes', value: 'required' },
  { flags: '-C --line-bytes', value: 'required' },
  { flags: '-d' },
  { flags: '--numeric-suffixes', value: 'optional' },
  { flags: '-x' },
  { flags: '--hex-suffixes', value: 'optional' },
  { flags: '-e --elide-empty-files' },
  { flags: '--filter', value: 'required' },
  { flags: '-l --lines', value: 'required' },
  { flags: '-n --number', value: 'required' },
  { flags: '-t --separator', value: 'required' },
  { flags: '-u --unbuffered' },
  { flags: '--verbose' },
] as const

const WAYS = ['-b', '-C', '-l', '-n'] as const

export const split: Command = {
  starts: true,
  async run(io) {
    // `-20` means `-l 20`.
    const args = io.args.map((arg) => (/^-\d+$/.test(arg) ? `-l${arg.slice(1)}` : arg))
    const given = parseOptions('split', args, OPTIONS)
    const [name = '-', prefix = 'x', extra] = given.operands
    if (extra !== undefined) throw usage('split', `extra operand ‘${extra}’`)
    const ways = WAYS.filter((flag) => given.has(flag))
    const [way = '-l'] = ways
    if (ways.length > 1) throw new Failed('cannot split in more than one way')
    let input: Uint8Array
    try {
      input = name === '-' ? await readAll(io.stdin) : await io.files.read(name)
    } catch (error) {
      if (error instanceof FileError) throw new Failed(`cannot open '${name}' for reading: ${error.message}`)
      throw error
    }
    const value = given.value(way) ?? '1000'
    const mark = separatorOf(given.value('-t'))
    const filter = given.value('--filter')
    if (way === '-n') {
      const one = /^(?:[lr]\/)?(\d+)\/(\d+)$/.exec(value)
      if (one) {
        const parts = byChunks(input, value.replace(/\d+\/(\d+)$/, '$1'), mark)
        const wanted = Number(one[1])
        if (wanted < 1 || wanted > parts.length) throw new Failed(`invalid chunk number: ‘${one[1] ?? ''}’`)
        await io.stdout.write(parts[wanted - 1] ?? new Uint8Array())
        return 0
      }
    }
    const parts = partsOf(input, way, value, mark)
    const names = namesOf(nameRules(given, prefix, way === '-n' ? parts.length : null))
    for (const part of parts) {
      if (given.has('-e') && part.length === 0) continue
      const file = names.next().value
      if (given.has('--verbose')) await io.stdout.write(`creating file '${file}'\n`)
      if (filter === undefined) await writeTo(io, file, part)
      else await io.exec(['sh', '-c', filter], { stdin: part, env: { FILE: file } })
    }
    return 0
  },
}

function partsOf(input: Uint8Array, way: string, value: string, mark: number): readonly Uint8Array[] {
  if (way === '-n') return byChunks(input, value, mark)
  const what = way === '-l' ? 'invalid number of lines' : 'invalid number of bytes'
  const count = parseCount(value, what)
  if (count === 0) throw new Failed(`${what}: ‘${value}’`)
  if (way === '-l') return byLines(input, count, mark)
  return way === '-b' ? byBytes(input, count) : byLineBytes(input, count, mark)
}

async function writeTo(io: CommandIo, name: string, part: Uint8Array): Promise<void> {
  try {
    await io.files.write(name, part)
  } catch (error) {
    if (error instanceof FileError) throw new Failed(`${name}: ${error.message}`)
    throw error
  }
}

function separatorOf(text: string | undefined): number {
  if (text === undefined) return 10
  if (text === String.raw`\0`) return 0
  if (text === '') throw new Failed('empty record separator')
  if (text.length > 1) throw new Failed(`multi-character separator ‘${text}’`)
  if (text.charCodeAt(0) > 127) throw new Unsupported('split -t with such a separator', 'an ASCII character')
  return text.charCodeAt(0)
}

function nameRules(given: Parsed, prefix: string, count: number | null): Parameters<typeof namesOf>[0] {
  const kind = given.last('-d', '--numeric-suffixes', '-x', '--hex-suffixes')
  const isHex = kind === '-x' || kind === '--hex-suffixes'
  const digits = kind === undefined ? 'abcdefghijklmnopqrstuvwxyz' : isHex ? '0123456789abcdef' : '0123456789'
  const from = kind === undefined ? '' : (given.value(kind) ?? '')
  if (from !== '' && !(isHex ? /^[\da-f]+$/ : /^\d+$/).test(from))
    throw new Failed(`${from}: invalid start value for numerical suffix`)
  if (isHex && /[a-f]/.test(from)) throw new Unsupported(`split ${kind}=${from}`, 'a start without letters')
  const start = from === '' ? 0 : Number.parseInt(from, isHex ? 16 : 10)
  const more = given.value('--additional-suffix') ?? ''
  if (more.includes('/')) throw usage('split', `invalid suffix ‘${more}’, contains directory separator`)
  const written = given.value('-a') ?? '0'
  if (!/^\d+$/.test(written)) throw new Failed(`invalid suffix length: ‘${written}’`)
  let length: number | null = Number(written) === 0 ? null : Number(written)
  if (count !== null || from !== '') {
    // If the number of files or the first number is given, names do not become longer.
    let needed = 1
    const end = count === null ? 1 : count + (start < count ? start : 0)
    while (digits.length ** needed < end) needed++
    if (length !== null && length < needed && count !== null)
      throw new Failed(`the suffix length needs to be at least ${needed}`)
    length ??= Math.max(2, needed)
  }
  return { prefix, digits, length, start, more }
}
