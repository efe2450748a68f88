// `column -t`: a table with columns as wide as their contents.

import { Failed, Unsupported, type CommandIo } from '../command.ts'
import { displayWidth } from '../display-width.ts'
import type { Parsed } from '../options.ts'

/** The width of a cell. Control characters have no width. */
export function cellWidth(text: string): number {
  return displayWidth(text.replaceAll(/\p{Cc}/gu, ''))
}

export async function table(io: CommandIo, lines: readonly string[], given: Parsed): Promise<void> {
  const separators = given.value('-s')
  const between = given.value('-o') ?? '  '
  const limit = Number(given.value('-l') ?? Infinity)
  if (given.has('-l') && !(limit >= 1)) throw new Failed('columns limit must be greater than zero')
  const names =
    given
      .value('-N')
      ?.split(',')
      .filter((name) => name !== '') ?? []
  const rows = lines.map((line) => cellsOf(line, separators, limit))
  let count = names.length
  for (const row of rows) count = Math.max(count, row.length)
  if (rows.some((row) => row.some((cell) => cell.includes('\t'))))
    throw new Unsupported('column -t with tabs within cells', 'expand before it')
  const hidden = columnsOf(given.value('-H'), names, count)
  const right = columnsOf(given.value('-R'), names, count)
  const shown = Array.from({ length: count }, (_, at) => at).filter((at) => !hidden.has(at))
  const all = names.length > 0 && !given.has('-d') && rows.length > 0 ? [names, ...rows] : rows
  const widths: number[] = Array.from({ length: count }, () => 0)
  // Names count toward the width even if they are not shown.
  for (const row of [names, ...rows])
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cellWidth(cell))
  let text = ''
  for (const row of all) {
    text += `${shown
      .map((at, position) => {
        const cell = row[at] ?? ''
        // An empty last cell takes no space, even if it is aligned to the right.
        if (cell === '' && position === shown.length - 1) return ''
        const room = ' '.repeat(Math.max(0, (widths[at] ?? 0) - cellWidth(cell)))
        if (right.has(at)) return room + cell
        return position === shown.length - 1 ? cell : cell + room
      })
      .join(between)}\n`
    if (text.length < 32_768) continue
    await io.stdout.write(text)
    text = ''
  }
  await io.stdout.write(text)
}

/** Splits a line into cells. Each character of `separators` is a separator; if undefined, any number of blanks is. */
function cellsOf(line: string, separators: string | undefined, limit: number): readonly string[] {
  const cells: string[] = []
  const isSeparator = (char: string | undefined): boolean =>
    char !== undefined &&
    (separators === undefined ? char === ' ' || char === '\t' : separators.includes(char))
  let at = 0
  const skip = (): void => {
    if (separators === undefined) while (isSeparator(line[at])) at++
  }
  skip()
  for (;;) {
    if (cells.length === limit - 1) {
      cells.push(line.slice(at))
      return cells
    }
    let end = at
    while (end < line.length && !isSeparator(line[end])) end++
    cells.push(line.slice(at, end))
    if (end >= line.length) return cells
    at = end + 1
    skip()
    if (separators === undefined && at >= line.length) return cells
  }
}

/** Parses a list of column names or numbers to indexes, starting at 0. */
function columnsOf(list: string | undefined, names: readonly string[], count: number): ReadonlySet<number> {
  const found = new Set<number>()
  for (const word of list === undefined ? [] : list.split(',')) {
    if (word === '0') for (let at = 0; at < count; at++) found.add(at)
    if (word === '0') continue
    const named = names.indexOf(word)
    const number = named !== -1 ? named : /^\d+$/.test(word) ? Number(word) - 1 : -1
    if (number < 0 || (names.length > 0 && number >= count)) {
      if (word === '-' || /^-?\d/.test(word))
        throw new Unsupported(
          `column with the column list '${list ?? ''}'`,
          'column numbers from 1, or names',
        )
      throw new Failed(`undefined column name '${word}'`)
    }
    found.add(number)
  }
  return found
}
