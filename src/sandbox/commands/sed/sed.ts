// `sed`: edits lines with a script.

import { Failed, Unsupported, type Command, type CommandIo } from '../command.ts'
import { BufferedWriter } from '../io/writer.ts'
import { concat } from '../io/bytes.ts'
import { countsBytes, textFor } from '../io/locale.ts'
import { decode } from '../io/text.ts'
import { FileError } from '../io/files.ts'
import { readAll } from '../io/reader.ts'
import { parseOptions, type Parsed } from '../options.ts'
import { TooManySteps } from '../pattern/backtrack.ts'
import { LineStream } from './input.ts'
import { SedFiles, SedOutput } from './output.ts'
import { parseScript } from './parse.ts'
import { SedRun } from './run.ts'

const OPTIONS = [
  { flags: '-n --quiet --silent' },
  { flags: '-e --expression', value: 'required' },
  { flags: '-f --file', value: 'required' },
  { flags: '-E -r --regexp-extended' },
  { flags: '-i --in-place', value: 'optional' },
  { flags: '-s --separate' },
  { flags: '-z --null-data' },
  { flags: '-u --unbuffered' },
  { flags: '-b --binary' },
  { flags: '-l --line-length', value: 'required' },
  { flags: '--posix', refused: 'sed without it' },
  { flags: '--debug', refused: 'sed without it' },
  { flags: '--sandbox', refused: 'sed without it' },
  { flags: '--follow-symlinks', refused: 'readlink -f for the path' },
] as const

export const sed: Command = {
  async run(io) {
    const given = parseOptions('sed', io.args, OPTIONS)
    const { text, operands } = await scriptOf(io, given)
    const nulls = given.has('-z')
    const script = parseScript(textFor(io.env, text), {
      extended: given.has('-E'),
      nulls,
      bytesOnly: countsBytes(io.env),
    })
    const separator = nulls ? '\0' : '\n'
    const files = new SedFiles(io, separator)
    for (const { name, text: file, substitution } of script.commands) {
      const wanted = name === 'w' || name === 'W' ? file : (substitution?.file ?? null)
      if (wanted !== null) await files.create(wanted)
    }
    const width = given.value('-l')
    if (width !== undefined && !/^\d+$/.test(width)) throw new Failed(`invalid line length: ${width}`)
    const rules = { quiet: given.has('-n') || script.quiet, separator, width: Number(width ?? 70) }
    const names = operands.length === 0 ? ['-'] : operands
    try {
      const make = (stream: LineStream, output: SedOutput): SedRun =>
        new SedRun(io, script, rules, files, stream, output)
      const exitCode =
        given.has('-i') || given.has('-s')
          ? await separately(io, given, names, separator, make)
          : await together(io, names, separator, make)
      await files.flush()
      return exitCode
    } catch (error) {
      if (error instanceof TooManySteps)
        throw new Unsupported(
          'sed with a pattern that needs this many steps',
          'a simpler pattern, or python3',
        )
      throw error
    }
  },
}

type Make = (stream: LineStream, output: SedOutput) => SedRun

async function together(
  io: CommandIo,
  names: readonly string[],
  separator: string,
  make: Make,
): Promise<number> {
  const stream = new LineStream(io, names, separator.charCodeAt(0))
  const run = make(stream, new SedOutput(io.stdout, separator))
  await run.run()
  stream.end()
  return run.exitCode === 0 && stream.failed ? 2 : run.exitCode
}

async function separately(
  io: CommandIo,
  given: Parsed,
  names: readonly string[],
  separator: string,
  make: Make,
): Promise<number> {
  const suffix = given.value('-i')
  const standard = new SedOutput(io.stdout, separator)
  let run: SedRun | null = null
  let failed = 0
  for (const name of names) {
    if (suffix === undefined) {
      const stream = new LineStream(io, [name], separator.charCodeAt(0))
      if (run) run.turnTo(stream, standard)
      else run = make(stream, standard)
      await run.run()
      stream.end()
      if (stream.failed) failed = 2
    } else {
      const status = await io.files.stat(name)
      if (status?.kind !== 'file') {
        const message = status
          ? `couldn't edit ${name}: not a regular file`
          : `can't read ${name}: No such file or directory`
        await io.stderr.write(`sed: ${message}\n`)
        if (status) return 4
        failed = 2
        continue
      }
      const chunks: Uint8Array[] = []
      const writer = new BufferedWriter((chunk) => {
        chunks.push(chunk)
        return undefined
      })
      const stream = new LineStream(io, [name], separator.charCodeAt(0))
      const output = new SedOutput(writer, separator)
      if (run) run.turnTo(stream, output)
      else run = make(stream, output)
      await run.run()
      stream.end()
      await writer.flush()
      await save(io, name, suffix, concat(chunks))
    }
    if (run.over) break
  }
  return run && run.exitCode !== 0 ? run.exitCode : failed
}

async function save(io: CommandIo, name: string, suffix: string, bytes: Uint8Array): Promise<void> {
  // A link is replaced by a file, and its target does not change.
  const isLink = (await io.files.lstat(name))?.kind === 'link'
  if (suffix !== '') {
    const at = name.lastIndexOf('/') + 1
    const copy = suffix.includes('*') ? suffix.replaceAll('*', name.slice(at)) : name.slice(at) + suffix
    const path = copy.includes('/') ? copy : name.slice(0, at) + copy
    if (isLink) await io.files.rename(name, path)
    else await io.files.copy(name, path)
  }
  try {
    if (isLink && suffix === '') await io.files.remove(name)
    await io.files.write(name, bytes)
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    throw new Failed(`couldn't open file ${name}: ${error.message}`, 4)
  }
}

async function scriptOf(
  io: CommandIo,
  given: Parsed,
): Promise<{ text: string; operands: readonly string[] }> {
  const parts: string[] = []
  for (const { flag, value } of given.options) {
    if (flag === '-e') parts.push(value)
    else if (flag === '-f') parts.push(await scriptFile(io, value))
  }
  if (parts.length > 0) return { text: parts.join('\n'), operands: given.operands }
  const [first, ...operands] = given.operands
  if (first === undefined)
    throw new Failed(
      'no script given\nUsage: sed [OPTION]... {script-only-if-no-other-script} [input-file]...',
    )
  return { text: first, operands }
}

async function scriptFile(io: CommandIo, name: string): Promise<string> {
  try {
    const bytes = name === '-' || name === '/dev/stdin' ? await readAll(io.stdin) : await io.files.read(name)
    return decode(bytes).replace(/\n$/, '')
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    throw new Failed(`couldn't open file ${name}: ${error.message}`, 4)
  }
}
