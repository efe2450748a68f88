// `expand`: converts tabs to spaces.

import type { Command } from '../command.ts'
import { inputsOf } from '../io/inputs.ts'
import { byteLinesOf, bytesOfLatin1 } from '../io/latin1.ts'
import { parseOptions } from '../options.ts'
import { tabStops, type TabStops } from './tab-stops.ts'

const OPTIONS = [{ flags: '-i --initial' }, { flags: '-t --tabs', value: 'required' }] as const

export const expand: Command = {
  async run(io) {
    // `-4` means `-t 4`.
    const args = io.args.map((arg) => (/^-\d[\d,]*$/.test(arg) ? `-t${arg.slice(1)}` : arg))
    const given = parseOptions('expand', args, OPTIONS)
    const stops = tabStops(given.values('-t'))
    let exitCode = 0
    for await (const { reader } of inputsOf(io, given.operands, () => (exitCode = 1)))
      for await (const { lines, unterminated } of byteLinesOf(reader)) {
        const expanded = lines.map((line) =>
          line.includes('\t') ? spread(line, stops, given.has('-i')) : line,
        )
        await io.stdout.write(bytesOfLatin1(expanded.join('\n') + (unterminated ? '' : '\n')))
      }
    return exitCode
  },
}

function spread(line: string, stops: TabStops, initial: boolean): string {
  let text = ''
  let column = 0
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? ''
    if (char === '\t') {
      const next = stops.after(column) ?? column + 1
      text += ' '.repeat(next - column)
      column = next
    } else {
      if (initial && char !== ' ') return text + line.slice(at)
      text += char
      column = char === '\b' ? Math.max(0, column - 1) : column + 1
    }
  }
  return text
}
