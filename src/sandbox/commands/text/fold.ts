// `fold`: wraps long lines. Columns are bytes, as in GNU's version.

import { Failed, type Command } from '../command.ts'
import { inputsOf } from '../io/inputs.ts'
import { byteLinesOf, bytesOfLatin1 } from '../io/latin1.ts'
import { parseOptions } from '../options.ts'

const OPTIONS = [
  { flags: '-b --bytes' },
  { flags: '-s --spaces' },
  { flags: '-w --width', value: 'required' },
] as const

export const fold: Command = {
  async run(io) {
    // `-20` means `-w 20`.
    const args = io.args.map((arg) => (/^-\d+$/.test(arg) ? `-w${arg.slice(1)}` : arg))
    const given = parseOptions('fold', args, OPTIONS)
    const text = given.value('-w') ?? '80'
    const width = Number(text)
    if (!/^\+?\d+$/.test(text) || width === 0) throw new Failed(`invalid number of columns: ‘${text}’`)
    let exitCode = 0
    for await (const { reader } of inputsOf(io, given.operands, () => (exitCode = 1)))
      for await (const { lines, unterminated } of byteLinesOf(reader)) {
        const folded = lines.map((line) => foldedLine(line, width, given.has('-b'), given.has('-s')))
        await io.stdout.write(bytesOfLatin1(folded.join('\n') + (unterminated ? '' : '\n')))
      }
    return exitCode
  },
}

function foldedLine(line: string, width: number, bytes: boolean, spaces: boolean): string {
  if (line.length <= width && (bytes || !line.includes('\t'))) return line
  const parts: string[] = []
  let start = 0
  let column = 0
  for (let at = 0; at < line.length;) {
    const next = columnAfter(line[at] ?? '', column, bytes)
    if (next <= width) {
      column = next
      at++
      continue
    }
    let cut = at
    if (spaces) {
      const blank = Math.max(line.lastIndexOf(' ', at - 1), line.lastIndexOf('\t', at - 1))
      if (blank >= start) cut = blank + 1
    }
    if (cut === start) {
      // A single character may be wider than a line.
      column = next
      at++
      if (at < line.length) {
        parts.push(line.slice(start, at))
        start = at
        column = 0
      }
      continue
    }
    parts.push(line.slice(start, cut))
    start = cut
    column = 0
    for (const char of line.slice(start, at)) column = columnAfter(char, column, bytes)
  }
  parts.push(line.slice(start))
  return parts.join('\n')
}

function columnAfter(char: string, column: number, bytes: boolean): number {
  if (bytes) return column + 1
  if (char === '\b') return Math.max(0, column - 1)
  if (char === '\r') return 0
  return char === '\t' ? column + 8 - (column % 8) : column + 1
}
