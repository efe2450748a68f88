// `column`: formats text in columns, or as a table.

import { Failed, Unsupported, type Command, type CommandIo } from '../command.ts'
import { inputsOf } from '../io/inputs.ts'
import { readLines } from '../io/reader.ts'
import { parseOptions, type Parsed } from '../options.ts'
import { cellWidth, table } from './table.ts'

const PYTHON = 'python3, or awk with printf'
const OPTIONS = [
  { flags: '-t --table' },
  { flags: '-n --table-name', value: 'required', refused: 'jq' },
  { flags: '-O --table-order', value: 'required', refused: 'cut or awk before it' },
  { flags: '-C --table-column', value: 'required', refused: '-N NAMES' },
  { flags: '-N --table-columns', value: 'required' },
  { flags: '-l --table-columns-limit', value: 'required' },
  { flags: '-E --table-noextreme', value: 'required', refused: PYTHON },
  { flags: '-d --table-noheadings' },
  { flags: '-m --table-maxout', refused: PYTHON },
  { flags: '-e --table-header-repeat' },
  { flags: '-H --table-hide', value: 'required' },
  { flags: '-R --table-right', value: 'required' },
  { flags: '-T --table-truncate', value: 'required', refused: PYTHON },
  { flags: '-W --table-wrap', value: 'required', refused: PYTHON },
  { flags: '-L --keep-empty-lines' },
  { flags: '-J --json', refused: 'jq -R with split' },
  { flags: '-r --tree', value: 'required', refused: PYTHON },
  { flags: '-i --tree-id', value: 'required', refused: PYTHON },
  { flags: '-p --tree-parent', value: 'required', refused: PYTHON },
  { flags: '-c --output-width --columns', value: 'required' },
  { flags: '-o --output-separator', value: 'required' },
  { flags: '-s --separator', value: 'required' },
  { flags: '-x --fillrows' },
] as const

// oxlint-disable-next-line no-control-regex -- those are the characters that are refused
const UNPRINTABLE = /[\0\x1b]|[\uDC80-\uDCFF]/u

export const column: Command = {
  async run(io) {
    const given = parseOptions('column', io.args, OPTIONS)
    const width = widthOf(given, io)
    let exitCode = 0
    const lines: string[] = []
    for await (const { reader } of inputsOf(io, given.operands, () => (exitCode = 1)))
      for await (const batch of readLines(reader))
        for (const line of batch.lines) if (given.has('-L') || /[^ \t\r\v\f]/.test(line)) lines.push(line)
    if (lines.some((line) => UNPRINTABLE.test(line)))
      throw new Unsupported(
        'column of NUL, ESC or bytes that are not UTF-8',
        `tr -d or iconv before it, or python3`,
      )
    if (given.has('-t')) await table(io, lines, given)
    else if (lines.length > 0) await io.stdout.write(filled(lines, width, given.has('-x')))
    return exitCode
  },
}

function widthOf(given: Parsed, io: CommandIo): number {
  const text = given.value('-c') ?? io.env['COLUMNS'] ?? '80'
  if (given.has('-c') && !/^\d+$/.test(text)) throw new Failed(`invalid columns argument: '${text}'`)
  return Number(text) || 80
}

/** Arranges entries in columns of equal width, with tabs between them. */
function filled(entries: readonly string[], width: number, byRows: boolean): string {
  const widths = entries.map((entry) => {
    if (entry.includes('\t')) throw new Unsupported('column of lines with tabs', 'expand before it')
    return cellWidth(entry)
  })
  let longest = 0
  for (const one of widths) longest = Math.max(longest, one)
  if (longest >= width) return entries.map((entry) => `${entry}\n`).join('')
  const cell = (longest + 8) & ~7
  const columns = Math.max(1, Math.floor(width / cell))
  const rows = Math.ceil(entries.length / columns)
  let text = ''
  for (let row = 0; row < rows; row++) {
    let at = 0
    for (let columnIndex = 0; columnIndex < columns; columnIndex++) {
      const index = byRows ? row * columns + columnIndex : columnIndex * rows + row
      const next = byRows ? index + 1 : index + rows
      text += entries[index] ?? ''
      at += widths[index] ?? 0
      if (columnIndex === columns - 1 || next >= entries.length) break
      for (let stop = (at + 8) & ~7; stop <= cell * (columnIndex + 1); stop = (at + 8) & ~7) {
        text += '\t'
        at = stop
      }
    }
    text += '\n'
  }
  return text
}
