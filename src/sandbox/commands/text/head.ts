// `head`: prints the first lines or bytes, or all but the last.

import type { Command, CommandIo } from '../command.ts'
import { inputsOf, shownByEnds } from '../io/inputs.ts'
import type { ByteReader } from '../io/reader.ts'
import { parseCount } from '../numbers.ts'
import { parseOptions } from '../options.ts'

const OPTIONS = [
  { flags: '-c --bytes', value: 'required' },
  { flags: '-n --lines', value: 'required' },
  { flags: '-q --quiet --silent' },
  { flags: '-v --verbose' },
  { flags: '-z --zero-terminated' },
] as const

export const head: Command = {
  async run(io) {
    const given = parseOptions('head', io.args, OPTIONS, { digits: '-n' })
    const unit = given.last('-c', '-n') ?? '-n'
    const value = given.value(unit) ?? '10'
    const allBut = value.startsWith('-')
    const what = unit === '-c' ? 'invalid number of bytes' : 'invalid number of lines'
    const count = parseCount(value.replace(/^[+-]/, ''), what)
    const names = given.has('-v') || (given.operands.length > 1 && !given.has('-q'))
    const end = given.has('-z') ? 0 : 10
    let exitCode = 0
    let first = true
    for await (const { name, reader } of inputsOf(io, given.operands, () => (exitCode = 1), shownByEnds)) {
      if (names)
        await io.stdout.write(`${first ? '' : '\n'}==> ${name === '-' ? 'standard input' : name} <==\n`)
      first = false
      if (allBut) await allButLast(io, reader, count, unit === '-c' ? null : end)
      else if (unit === '-c') await firstBytes(io, reader, count)
      else await firstLines(io, reader, count, end)
    }
    return exitCode
  },
}

async function firstBytes(io: CommandIo, reader: ByteReader, count: number): Promise<void> {
  let left = count
  while (left > 0) {
    const chunk = await reader.read()
    if (!chunk) return
    await io.stdout.write(chunk.subarray(0, left))
    left -= Math.min(left, chunk.length)
  }
}

async function firstLines(io: CommandIo, reader: ByteReader, count: number, end: number): Promise<void> {
  let left = count
  while (left > 0) {
    const chunk = await reader.read()
    if (!chunk) return
    let to = 0
    while (left > 0) {
      const mark = chunk.indexOf(end, to)
      if (mark === -1) break
      to = mark + 1
      left--
    }
    await io.stdout.write(left > 0 ? chunk : chunk.subarray(0, to))
  }
}

/** Holds back the last `count` lines, or bytes if `end` is null. */
async function allButLast(
  io: CommandIo,
  reader: ByteReader,
  count: number,
  end: number | null,
): Promise<void> {
  const held: Uint8Array[] = []
  let units = 0
  const unitsOf = (piece: Uint8Array): number => (end === null ? piece.length : 1)
  let open: Uint8Array | null = null
  for (let chunk = await reader.read(); chunk; chunk = await reader.read()) {
    for (const piece of end === null ? [chunk] : pieces(joined(open, chunk), end)) {
      held.push(piece)
      units += unitsOf(piece)
    }
    // The last piece of a chunk may continue in the next chunk.
    open = null
    if (end !== null && held.at(-1)?.at(-1) !== end) {
      open = held.pop() ?? null
      units--
    }
    while (held[0] && units - unitsOf(held[0]) >= count) {
      const piece = held.shift() ?? new Uint8Array()
      units -= unitsOf(piece)
      await io.stdout.write(piece)
    }
  }
  if (open) {
    held.push(open)
    units++
  }
  for (const piece of held) {
    const spare = units - count
    if (spare <= 0) return
    await io.stdout.write(end === null ? piece.subarray(0, spare) : piece)
    units -= unitsOf(piece)
  }
}

function joined(open: Uint8Array | null, chunk: Uint8Array): Uint8Array {
  if (!open) return chunk
  const both = new Uint8Array(open.length + chunk.length)
  both.set(open)
  both.set(chunk, open.length)
  return both
}

/** Splits bytes into lines with their line ends. */
function pieces(bytes: Uint8Array, end: number): readonly Uint8Array[] {
  const found: Uint8Array[] = []
  let from = 0
  for (let mark = bytes.indexOf(end); mark !== -1; mark = bytes.indexOf(end, from)) {
    found.push(bytes.subarray(from, mark + 1))
    from = mark + 1
  }
  if (from < bytes.length) found.push(bytes.subarray(from))
  return found
}
