// `unexpand`: converts blanks to tabs.

import { Unsupported, type Command } from '../command.ts'
import { inputsOf } from '../io/inputs.ts'
import { byteLinesOf, bytesOfLatin1 } from '../io/latin1.ts'
import { parseOptions } from '../options.ts'
import { tabStops, type TabStops } from './tab-stops.ts'

const OPTIONS = [
  { flags: '-a --all' },
  { flags: '--first-only' },
  { flags: '-t --tabs', value: 'required' },
] as const

export const unexpand: Command = {
  async run(io) {
    const given = parseOptions('unexpand', io.args, OPTIONS)
    const stops = tabStops(given.values('-t'))
    const all = (given.has('-a') || given.has('-t')) && !given.has('--first-only')
    let exitCode = 0
    for await (const { reader } of inputsOf(io, given.operands, () => (exitCode = 1)))
      for await (const { lines, unterminated } of byteLinesOf(reader)) {
        const packed = lines.map((line) => (/[ \t]/.test(line) ? packedLine(line, stops, all) : line))
        await io.stdout.write(bytesOfLatin1(packed.join('\n') + (unterminated ? '' : '\n')))
      }
    return exitCode
  },
}

function packedLine(line: string, stops: TabStops, all: boolean): string {
  if (line.includes('\b')) throw new Unsupported('unexpand of a backspace', 'python3')
  let text = ''
  let column = 0
  let at = 0
  while (at < line.length) {
    const from = at
    const start = column
    while (line[at] === ' ' || line[at] === '\t') {
      column = line[at] === '\t' ? (stops.after(column) ?? column + 1) : column + 1
      at++
    }
    if (at > from) text += blanks(start, column, line.slice(from, at), stops)
    const [word] = /^[^ \t]+/.exec(line.slice(at)) ?? ['']
    text += word
    column += word.length
    at += word.length
    if (!all) return text + line.slice(at)
  }
  return text
}

/** The tabs and spaces for the columns `start` to `end`. `written` is the original text. */
function blanks(start: number, end: number, written: string, stops: TabStops): string {
  let text = ''
  let column = start
  for (let next = stops.after(column); next !== null && next <= end; next = stops.after(column)) {
    // Keep a single space before a tab stop, unless more blanks follow.
    text += next - column === 1 && written.startsWith(' ') && end === next && start === column ? ' ' : '\t'
    column = next
  }
  return text + ' '.repeat(end - column)
}
