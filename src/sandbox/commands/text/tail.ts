// `tail`: prints the last lines or bytes, or everything from a given line or byte on.

import { Failed, type Command, type CommandIo } from '../command.ts'
import { concat } from '../io/bytes.ts'
import { inputsOf, shownByEnds } from '../io/inputs.ts'
import type { ByteReader } from '../io/reader.ts'
import { parseCount } from '../numbers.ts'
import { parseOptions } from '../options.ts'

const FOLLOW = 'tail without it: nothing else writes to files while a command runs'
const OPTIONS = [
  { flags: '-c --bytes', value: 'required' },
  { flags: '-n --lines', value: 'required' },
  { flags: '-f', refused: FOLLOW },
  { flags: '-F', refused: FOLLOW },
  { flags: '--follow', value: 'optional', refused: FOLLOW },
  { flags: '-q --quiet --silent' },
  { flags: '-v --verbose' },
  { flags: '-z --zero-terminated' },
] as const

/** Sizes of the first and the largest block read from the end of a file. */
const FIRST_BLOCK_BYTES = 16_384
const BLOCK_MAX_BYTES = 1_048_576

export const tail: Command = {
  async run(io) {
    const [first = '', ...others] = io.args
    // The old form `+5` is allowed only as the first argument.
    const old = /^\+\d+$/.test(first)
    const given = parseOptions('tail', old ? ['-n', first, ...others] : io.args, OPTIONS, { digits: '-n' })
    const unit = given.last('-c', '-n') ?? '-n'
    const value = given.value(unit) ?? '10'
    const what = unit === '-c' ? 'invalid number of bytes' : 'invalid number of lines'
    const count = parseCount(value.replace(/^[+-]/, ''), what)
    const names = given.has('-v') || (given.operands.length > 1 && !given.has('-q'))
    const end = unit === '-c' ? null : given.has('-z') ? 0 : 10
    if (/^-\d/.test(first) && given.operands.length > 1)
      throw new Failed(`option used in invalid context -- ${first[1] ?? ''}`)
    // With a count of 0, files are not even opened.
    if (count === 0 && !value.startsWith('+')) return 0
    let exitCode = 0
    let printed = false
    for await (const { name, reader } of inputsOf(io, given.operands, () => (exitCode = 1), shownByEnds)) {
      if (names) {
        await io.stdout.write(`${printed ? '\n' : ''}==> ${name === '-' ? 'standard input' : name} <==\n`)
        printed = true
      }
      const { size } = reader
      const isSeekable = name !== '-' && size !== undefined && (end === null || !value.startsWith('+'))
      if (isSeekable) {
        const start = value.startsWith('+')
          ? Math.max(0, count - 1)
          : await startOfLast(io, name, size, count, end)
        await copyFrom(io, name, start)
      } else if (value.startsWith('+')) await allFrom(io, reader, Math.max(0, count - 1), end)
      else await last(io, reader, count, end)
    }
    return exitCode
  },
}

/**
 * The position of the last `count` lines of a file, or bytes if `end` is null. Reads backward from the end of the
 * file.
 */
async function startOfLast(
  io: CommandIo,
  name: string,
  size: number,
  count: number,
  end: number | null,
): Promise<number> {
  if (end === null) return Math.max(0, size - count)
  let left = count
  // Ignore the line end of the last line.
  let to = size - 1
  for (let bytes = FIRST_BLOCK_BYTES; to > 0; bytes = Math.min(BLOCK_MAX_BYTES, bytes * 2)) {
    const from = Math.max(0, to - bytes)
    const block = await io.files.readRange(name, from, to)
    for (let at = block.length; at > 0 && left > 0; left--) {
      at = block.lastIndexOf(end, at - 1)
      if (at === -1) break
      if (left === 1) return from + at + 1
    }
    to = from
  }
  return 0
}

async function copyFrom(io: CommandIo, name: string, start: number): Promise<void> {
  const reader = await io.files.open(name, start)
  try {
    for (let chunk = await reader.read(); chunk; chunk = await reader.read()) await io.stdout.write(chunk)
  } finally {
    reader.close()
  }
}

/** Prints everything after the first `count` lines, or bytes if `end` is null. */
async function allFrom(io: CommandIo, reader: ByteReader, count: number, end: number | null): Promise<void> {
  let left = count
  for (let chunk = await reader.read(); chunk; chunk = await reader.read()) {
    let from = 0
    if (end === null) {
      from = Math.min(left, chunk.length)
      left -= from
    } else
      while (left > 0 && from < chunk.length) {
        const mark = chunk.indexOf(end, from)
        from = mark === -1 ? chunk.length : mark + 1
        if (mark !== -1) left--
      }
    if (from < chunk.length) await io.stdout.write(chunk.subarray(from))
  }
}

/** Prints the last `count` lines or bytes. Keeps only the chunks that may contain them. */
async function last(io: CommandIo, reader: ByteReader, count: number, end: number | null): Promise<void> {
  const chunks: { readonly bytes: Uint8Array; readonly units: number }[] = []
  let units = 0
  for (let bytes = await reader.read(); bytes; bytes = await reader.read()) {
    const added = end === null ? bytes.length : marksIn(bytes, end)
    chunks.push({ bytes, units: added })
    units += added
    // Keep one additional line, because the last line may have no line end.
    while (chunks[0] && units - chunks[0].units > count) units -= chunks.shift()?.units ?? 0
  }
  const bytes = concat(chunks.map((chunk) => chunk.bytes))
  if (end === null) {
    await io.stdout.write(bytes.subarray(Math.max(0, bytes.length - count)))
    return
  }
  let from = bytes.at(-1) === end ? bytes.length - 1 : bytes.length
  for (let left = count; left > 0; left--) {
    const mark = from === 0 ? -1 : bytes.lastIndexOf(end, from - 1)
    if (mark === -1) {
      from = -1
      break
    }
    from = mark
  }
  await io.stdout.write(bytes.subarray(from + 1))
}

function marksIn(bytes: Uint8Array, end: number): number {
  let count = 0
  for (let at = bytes.indexOf(end); at !== -1; at = bytes.indexOf(end, at + 1)) count++
  return count
}
