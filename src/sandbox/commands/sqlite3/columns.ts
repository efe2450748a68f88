// Formats output in columns: the modes column, table, box and markdown.

import { fieldWidth } from '../number-size.ts'

export type ColumnMode = 'column' | 'table' | 'box' | 'markdown'

const TAB_WIDTH = 8

/** Splits a cell into lines of at most `max` characters: a control character ends a line, a tab becomes spaces. */
function linesOf(text: string, max: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  let length = 0
  const characters = Array.from(text)
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? ''
    if (length >= max && character >= ' ') {
      lines.push(line)
      line = ''
      length = 0
    }
    if (character >= ' ') {
      line += character
      length += 1
    } else if (character === '\t')
      do {
        line += ' '
        length += 1
      } while (length % TAB_WIDTH !== 0 && length < max)
    else {
      if (character === '\r' && characters[index + 1] === '\n') index += 1
      lines.push(line)
      line = ''
      length = 0
      if (index === characters.length - 1) return lines
    }
  }
  return [...lines, line]
}

const lengthOf = (text: string): number => Array.from(text).length

function padded(text: string, width: number): string {
  const spaces = ' '.repeat(Math.max(0, Math.abs(width) - lengthOf(text)))
  return width < 0 ? spaces + text : text + spaces
}

function centred(text: string, width: number): string {
  const spaces = Math.max(0, Math.abs(width) - lengthOf(text))
  return ' '.repeat(Math.floor(spaces / 2)) + text + ' '.repeat(Math.ceil(spaces / 2))
}

/** Formats all rows. `widths` are the widths that were set; a negative width aligns to the right. */
export function columnText(
  mode: ColumnMode,
  names: readonly string[],
  rows: readonly (readonly string[])[],
  widths: readonly number[],
  header: boolean,
): string {
  const linesIn = (text: string, column: number): readonly string[] =>
    linesOf(text, Math.abs(widths[column] ?? 0) || Infinity)
  const cells = rows.map((row) => row.map(linesIn))
  const titles = names.map((name, column) => linesIn(name, column)[0] ?? '')
  const sizes = names.map((_, column) => {
    const set = widths[column] ?? 0
    if (set !== 0) return Math.sign(set) * fieldWidth(Math.abs(set))
    return Math.max(
      lengthOf(titles[column] ?? ''),
      ...cells.map((row) => Math.max(...(row[column] ?? ['']).map(lengthOf))),
    )
  })
  const line = (texts: readonly string[], pad: (text: string, width: number) => string): string =>
    frame(
      mode,
      texts.map((text, column) => pad(text, sizes[column] ?? 0)),
    )
  const rule = (kind: 'top' | 'middle' | 'bottom'): string => ruleOf(mode, sizes.map(Math.abs), kind)
  const several = cells.some((row) => row.some((lines) => lines.length > 1))
  const parts: string[] = []
  if (mode === 'column') {
    if (header)
      parts.push(line(titles, padded), `${sizes.map((size) => '-'.repeat(Math.abs(size))).join('  ')}\n`)
  } else parts.push(rule('top'), line(titles, centred), rule('middle'))
  for (const [index, row] of cells.entries()) {
    const height = Math.max(...row.map((lines) => lines.length))
    for (let number = 0; number < height; number += 1)
      parts.push(
        line(
          row.map((lines) => lines[number] ?? ''),
          padded,
        ),
      )
    const last = index === cells.length - 1
    if (several && (mode === 'table' || mode === 'box') && !last) parts.push(rule('middle'))
    else if (several && mode === 'column' && !last) parts.push('\n')
  }
  if (mode !== 'column') parts.push(rule('bottom'))
  return parts.join('')
}

function frame(mode: ColumnMode, cells: readonly string[]): string {
  if (mode === 'column') return `${cells.join('  ')}\n`
  const bar = mode === 'box' ? '│' : '|'
  return `${bar} ${cells.join(` ${bar} `)} ${bar}\n`
}

const BOX = { top: '┌┬┐', middle: '├┼┤', bottom: '└┴┘' }

function ruleOf(mode: ColumnMode, sizes: readonly number[], kind: 'top' | 'middle' | 'bottom'): string {
  if (mode === 'markdown')
    return kind === 'middle' ? `|${sizes.map((size) => '-'.repeat(size + 2)).join('|')}|\n` : ''
  if (mode === 'table') return `+${sizes.map((size) => '-'.repeat(size + 2)).join('+')}+\n`
  const [left = '', cross = '', right = ''] = BOX[kind]
  return `${left}${sizes.map((size) => '─'.repeat(size + 2)).join(cross)}${right}\n`
}
