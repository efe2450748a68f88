// `fmt`: reformats paragraphs.

import { Failed, type Command } from '../command.ts'
import { inputsOf } from '../io/inputs.ts'
import { bytesOfLatin1, latin1Of } from '../io/latin1.ts'
import { readAll } from '../io/reader.ts'
import { parseOptions, type Parsed } from '../options.ts'
import { lineBreaks } from './breaks.ts'
import { paragraphsOf, type Paragraph } from './paragraphs.ts'

const OPTIONS = [
  { flags: '-c --crown-margin' },
  { flags: '-p --prefix', value: 'required', refused: 'fmt without it, after sed' },
  { flags: '-s --split-only' },
  { flags: '-t --tagged-paragraph' },
  { flags: '-u --uniform-spacing' },
  { flags: '-w --width', value: 'required' },
  { flags: '-g --goal', value: 'required' },
] as const

const WIDTH = 75
const WIDTH_MAX = 2_500

interface Widths {
  readonly width: number
  readonly goal: number
}

export const fmt: Command = {
  async run(io) {
    // `-40` means `-w 40`.
    const args = io.args.map((arg, at) => (at === 0 && /^-\d+$/.test(arg) ? `-w${arg.slice(1)}` : arg))
    const given = parseOptions('fmt', args, OPTIONS)
    const widths = widthsOf(given)
    const style = given.has('-s') ? 'split' : given.has('-c') ? 'crown' : given.has('-t') ? 'tagged' : 'plain'
    let exitCode = 0
    for await (const { reader } of inputsOf(io, given.operands, () => (exitCode = 1))) {
      const text = latin1Of(await readAll(reader))
      const spaces = spacer(text.includes('\t'))
      for (const paragraph of paragraphsOf(text, { style, uniform: given.has('-u') }))
        await io.stdout.write(paragraph ? bytesOfLatin1(filled(paragraph, widths, spaces)) : '\n')
    }
    return exitCode
  },
}

function widthsOf(given: Parsed): Widths {
  const number = (flag: string, most: number): number | null => {
    const text = given.value(flag)
    if (text === undefined) return null
    if (!/^\d+$/.test(text) || Number(text) > most) throw new Failed(`invalid width: ‘${text}’`)
    return Number(text)
  }
  const width = number('-w', WIDTH_MAX)
  const goal = number('-g', width ?? WIDTH)
  if (goal !== null) return { width: width ?? goal + 10, goal }
  return { width: width ?? WIDTH, goal: Math.floor(((width ?? WIDTH) * 187) / 200) }
}

type Spacer = (column: number, count: number) => string

/** Returns a function that fills columns with spaces, or with tabs if the text contains some. */
function spacer(withTabs: boolean): Spacer {
  return (column, count) => {
    const target = column + count
    const stop = Math.floor(target / 8) * 8
    if (!withTabs || column + 1 >= stop) return ' '.repeat(Math.max(0, count))
    const tabs = Math.ceil((stop - column) / 8)
    return '\t'.repeat(tabs) + ' '.repeat(target - stop)
  }
}

function filled({ words, firstIndent, otherIndent }: Paragraph, widths: Widths, spaces: Spacer): string {
  const next = lineBreaks(words, { firstIndent, otherIndent, ...widths })
  let text = ''
  for (let start = 0; start < words.length; start = next[start] ?? words.length) {
    const indent = start === 0 ? firstIndent : otherIndent
    let column = indent
    text += spaces(0, indent)
    const line = words.slice(start, next[start])
    for (const [at, word] of line.entries()) {
      text += word.text
      column += word.text.length
      if (at === line.length - 1) break
      text += spaces(column, word.space)
      column += word.space
    }
    text += '\n'
  }
  return text
}
