// `grep`, `egrep` and `fgrep`: print lines that match patterns.

import type { Command, CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'
import { bytesOfLatin1 } from '../io/latin1.ts'
import { isOwnOutput } from '../io/own-output.ts'
import { bytesReader, type ByteReader } from '../io/reader.ts'
import { matcherOf } from './matcher.ts'
import { grepOptions, type GrepOptions, type PatternKind } from './options.ts'
import { Search, summary } from './search.ts'
import { targetsOf } from './targets.ts'

export const grep: Command = { run: async (io) => searched(io, 'basic') }
export const egrep: Command = { run: async (io) => searched(io, 'extended') }
export const fgrep: Command = { run: async (io) => searched(io, 'fixed') }

/** `unpacked` transforms the input, for `zgrep`. */
export async function searched(
  io: CommandIo,
  kind: PatternKind,
  unpacked?: (reader: ByteReader) => Promise<ByteReader>,
): Promise<number> {
  const options = await grepOptions(io, kind)
  const matcher = await matcherOf(io, options)
  if (options.most === 0 && options.report !== 'count') return 1
  const withNames =
    options.names ??
    (options.operands.length > 1 ||
      ((options.folders === 'recurse' || options.folders === 'follow') && !(await isOneFile(io, options))))
  let failed = false
  let found = false
  const complain = async (path: string, message: string): Promise<void> => {
    failed = true
    if (options.silent) return
    await io.stdout.flush()
    await io.stderr.write(`${io.name}: ${path}: ${message}\n`)
  }
  for await (const { path } of targetsOf(io, options, complain)) {
    const name = path ?? options.label
    const reader = await opened(io, path, complain)
    if (!reader) continue
    // Skip the output file, because lines written to it would be searched again.
    const shows = options.report === 'lines' && options.most > 1 && !unpacked
    if (shows && (await isOwnOutput(io, path))) {
      await complain(name, 'input file is also the output')
      continue
    }
    try {
      const width = options.aligned ? await widthOf(io, path, options.numbered) : 0
      const search = new Search(io, options, matcher, name, withNames, width)
      const selected = await search.run(unpacked ? await unpacked(reader) : reader)
      if (selected > 0) found = true
      const text = summary(options, name, withNames, selected)
      if (text !== '') await io.stdout.write(bytesOfLatin1(text))
    } finally {
      if (path !== null) reader.close()
    }
    if (found && options.report === 'nothing') return 0
  }
  return failed ? 2 : found ? 0 : 1
}

/** The width of line numbers and offsets: digits of the file size, or of the largest number. */
async function widthOf(io: CommandIo, path: string | null, numbered: boolean): Promise<number> {
  const size = path === null ? io.stdin.size : (await io.files.stat(path))?.size
  return size === undefined ? 19 : String(size + (numbered ? 1 : 0)).length
}

async function isOneFile(io: CommandIo, { operands }: GrepOptions): Promise<boolean> {
  const [only] = operands
  if (operands.length !== 1 || only === undefined) return false
  return only === '-' || (await io.files.stat(only))?.kind !== 'directory'
}

async function opened(
  io: CommandIo,
  path: string | null,
  complain: (path: string, message: string) => Promise<void>,
): Promise<ByteReader | null> {
  if (path === null) return io.stdin
  try {
    return await io.files.open(path)
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    // The error was already reported, but the file's count is still printed.
    if (error.message === 'Is a directory') return bytesReader(new Uint8Array())
    await complain(path, error.message)
    return null
  }
}
