// `paste`: merges lines of several files side by side, or all lines of a file into one.

import { Failed, type Command, type CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'
import { inputsOf } from '../io/inputs.ts'
import { byteLinesOf, bytesOfLatin1, latin1OfText } from '../io/latin1.ts'
import { LineCursor } from '../io/line-cursor.ts'
import type { ByteReader } from '../io/reader.ts'
import { parseOptions } from '../options.ts'

const OPTIONS = [
  { flags: '-d --delimiters', value: 'required' },
  { flags: '-s --serial' },
  { flags: '-z --zero-terminated' },
] as const

export const paste: Command = {
  async run(io) {
    const given = parseOptions('paste', io.args, OPTIONS)
    const marks = delimitersOf(latin1OfText(given.value('-d') ?? '\t'))
    const end = given.has('-z') ? '\0' : '\n'
    const names = given.operands.length === 0 ? ['-'] : given.operands
    return given.has('-s') ? serial(io, names, marks, end) : parallel(io, names, marks, end)
  },
}

const ESCAPES: Readonly<Record<string, string>> = {
  '0': '',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** Parses the delimiters, which are used in turn; `\0` means no delimiter. */
function delimitersOf(list: string): readonly string[] {
  const marks: string[] = []
  for (let at = 0; at < list.length; at++) {
    const char = list[at] ?? ''
    if (char !== '\\') {
      marks.push(char)
      continue
    }
    const escaped = list[++at]
    if (escaped === undefined) throw new Failed(`delimiter list ends with an unescaped backslash: ${list}`)
    marks.push((Object.hasOwn(ESCAPES, escaped) ? ESCAPES[escaped] : undefined) ?? escaped)
  }
  return marks.length === 0 ? [''] : marks
}

async function parallel(
  io: CommandIo,
  names: readonly string[],
  marks: readonly string[],
  end: string,
): Promise<number> {
  const readers: ByteReader[] = []
  const input = new LineCursor(io.stdin, end)
  const cursors: LineCursor[] = []
  for (const name of names)
    if (name === '-') cursors.push(input)
    else {
      const reader = await opened(io, name)
      readers.push(reader)
      cursors.push(new LineCursor(reader, end))
    }
  const ended = cursors.map(() => false)
  for (let text = ''; ;) {
    let row = ''
    let any = false
    for (let at = 0; at < cursors.length; at++) {
      const next = ended[at] === true ? null : cursors[at]?.next()
      const line = next instanceof Promise ? await next : next
      if (line === null || line === undefined) ended[at] = true
      else {
        any = true
        row += line
      }
      if (at < cursors.length - 1) row += marks[at % marks.length] ?? ''
    }
    if (any) text += row + end
    if (!any || text.length > 32_768) {
      await io.stdout.write(bytesOfLatin1(text))
      text = ''
    }
    if (!any) break
  }
  for (const reader of readers) reader.close()
  return 0
}

async function opened(io: CommandIo, name: string): Promise<ByteReader> {
  try {
    return await io.files.open(name)
  } catch (error) {
    if (error instanceof FileError) throw new Failed(`${name}: ${error.message}`)
    throw error
  }
}

async function serial(
  io: CommandIo,
  names: readonly string[],
  marks: readonly string[],
  end: string,
): Promise<number> {
  let exitCode = 0
  for await (const { reader } of inputsOf(io, names, () => (exitCode = 1))) {
    let count = 0
    for await (const { lines } of byteLinesOf(reader, end)) {
      let text = ''
      for (const line of lines) {
        if (count > 0) text += marks[(count - 1) % marks.length] ?? ''
        text += line
        count++
      }
      await io.stdout.write(bytesOfLatin1(text))
    }
    await io.stdout.write(end)
  }
  return exitCode
}
