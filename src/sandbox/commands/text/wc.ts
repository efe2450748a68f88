// `wc`: counts lines, words, characters and bytes, and the longest line.

import type { Command } from '../command.ts'
import { FileError } from '../io/files.ts'
import { inputsOf } from '../io/inputs.ts'
import type { ByteReader } from '../io/reader.ts'
import { latin1Of } from '../io/latin1.ts'
import { countsBytes } from '../io/locale.ts'
import { parseOptions } from '../options.ts'
import { Characters } from './characters.ts'
import { lineFeedsIn } from './line-feeds.ts'
import { LongestLine } from './longest-line.ts'
import { Words } from './word-count.ts'

const OPTIONS = [
  { flags: '-c --bytes' },
  { flags: '-m --chars' },
  { flags: '-l --lines' },
  { flags: '-w --words' },
  { flags: '-L --max-line-length' },
  { flags: '--files0-from', value: 'required', refused: 'xargs -0 wc' },
] as const

interface Counts {
  lines: number
  words: number
  chars: number
  bytes: number
  /** Width of the longest line, in columns. */
  columns: number
}

const NONE: Readonly<Counts> = { lines: 0, words: 0, chars: 0, bytes: 0, columns: 0 }

export const wc: Command = {
  async run(io) {
    const given = parseOptions('wc', io.args, OPTIONS)
    const none = given.options.length === 0
    const shown = (counts: Counts): readonly number[] => [
      ...(none || given.has('-l') ? [counts.lines] : []),
      ...(none || given.has('-w') ? [counts.words] : []),
      ...(given.has('-m') ? [counts.chars] : []),
      ...(none || given.has('-c') ? [counts.bytes] : []),
      ...(given.has('-L') ? [counts.columns] : []),
    ]
    let exitCode = 0
    const rows: [readonly number[], string][] = []
    const total: Counts = { ...NONE }
    const failed = (): void => {
      exitCode = 1
    }
    const words = none || given.has('-w')
    const onlyBytes = given.options.every(({ flag }) => flag === '-c') && !none
    for (const operand of given.operands.length === 0 ? ['-'] : given.operands) {
      // A folder can be opened but not read.
      if (operand !== '-' && (await io.files.stat(operand))?.kind === 'directory')
        rows.push([shown(NONE), operand])
      for await (const { reader } of inputsOf(io, [operand], failed)) {
        const wanted = { lines: !onlyBytes, chars: given.has('-m'), words, columns: given.has('-L') }
        const counts = await counted(reader, wanted, onlyBytes)
        if (countsBytes(io.env)) counts.chars = counts.bytes
        for (const name of ['lines', 'words', 'chars', 'bytes'] as const) total[name] += counts[name]
        total.columns = Math.max(total.columns, counts.columns)
        rows.push([shown(counts), given.operands.length === 0 ? '' : operand])
      }
    }
    if (given.operands.length > 1) rows.push([shown(total), 'total'])
    const width = await widthOf(io, given.operands, rows, total)
    for (const [numbers, name] of rows) {
      const columns = numbers.map((number) => String(number).padStart(width)).join(' ')
      await io.stdout.write(`${columns}${name === '' ? '' : ` ${name}`}\n`)
    }
    return exitCode
  },
}

/** The width of the columns: that of the sum of all sizes, 7 if a size is unknown, 1 for a single number. */
async function widthOf(
  io: Parameters<Command['run']>[0],
  operands: readonly string[],
  rows: readonly (readonly [readonly number[], string])[],
  total: Counts,
): Promise<number> {
  if (rows.length <= 1 && (rows[0]?.[0].length ?? 1) === 1 && operands.length <= 1) return 1
  let bytes = 0
  for (const operand of operands.length === 0 ? ['-'] : operands) {
    if (operand === '-') {
      if (io.stdin.size === undefined) return 7
      bytes += io.stdin.size
      continue
    }
    try {
      const status = await io.files.stat(operand)
      if (status && status.kind !== 'file') return 7
      bytes += status?.size ?? 0
    } catch (error) {
      if (!(error instanceof FileError)) throw error
    }
  }
  return String(Math.max(bytes, total.bytes)).length
}

type Counted = Readonly<Record<'lines' | 'chars' | 'words' | 'columns', boolean>>

/** With `bySize`, the size of a file is used, and the file is not read. */
async function counted(reader: ByteReader, wanted: Counted, bySize: boolean): Promise<Counts> {
  const counts: Counts = { ...NONE }
  if (bySize && reader.size !== undefined) return { ...counts, bytes: reader.size }
  const counter = wanted.words ? new Words() : null
  const characters = wanted.chars ? new Characters() : null
  const longest = wanted.columns ? new LongestLine() : null
  for (let chunk = await reader.read(); chunk; chunk = await reader.read()) {
    counts.bytes += chunk.length
    if (wanted.lines) counts.lines += lineFeedsIn(chunk)
    characters?.add(chunk)
    longest?.add(chunk)
    counter?.add(chunk, latin1Of(chunk))
  }
  counts.words = counter?.end() ?? 0
  counts.chars = characters?.end() ?? 0
  counts.columns = longest?.end() ?? 0
  return counts
}
