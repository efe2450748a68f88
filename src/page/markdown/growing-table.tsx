// A table that is still growing. Rows do not depend on each other, so each row is parsed only once, together with the head.

import type { Token } from 'markdown-it'
import type { ComponentChild, VNode } from 'preact'

import { cellsOf, createColumns, type CellRows } from './columns.ts'
import { parseBlocks, type References } from './parse.ts'
import { TableBox } from './table.tsx'
import { vnodesOf } from './vnodes.tsx'

export interface GrowingTable {
  /**
   * Adds complete lines. Returns null if all of them are rows. Otherwise the table has ended, and the result is the number of
   * characters at the end of `lines` that belong to the next block.
   */
  addLines(lines: string, references: References): number | null
  /** Renders the table, including the incomplete row at the end of `source`. */
  render(source: string, references: References): VNode
}

/** `lines` starts with the table's head. Returns null if the table is indented. */
export function createGrowingTable(tokens: readonly Token[], lines: string): GrowingTable | null {
  const head = lines.split('\n', 2).join('\n') + '\n'
  if (/^\s/.test(head)) return null
  const thead = vnodesOf(between(tokens, 'thead_open', 'thead_close'))
  let rows = rowsOf(tokens)
  const columns = createColumns()
  let cells = cellsOf(tokens)
  columns.add(cells.slice(1))
  return {
    addLines(newLines, references) {
      const blocks = parseBlocks(head + newLines, references)
      const [table, next] = blocks
      if (table?.tokens[0]?.type !== 'table_open') return newLines.length
      rows = [...rows, ...rowsOf(table.tokens)]
      const newCells: CellRows = cellsOf(table.tokens).slice(1)
      columns.add(newCells)
      cells = [...cells, ...newCells]
      const lineCount = newLines.split('\n').length - 1
      const rowCount = table.endLine - 2
      // A blank line or the start of another block ends the table.
      if (!next && rowCount >= lineCount) return null
      return newLines.split('\n').slice(rowCount).join('\n').length
    },
    render(source, references) {
      const lastLine = source.slice(source.lastIndexOf('\n') + 1)
      const [table, next] = lastLine.trim() === '' ? [] : parseBlocks(head + lastLine, { ...references })
      const lastTokens = table?.tokens[0]?.type === 'table_open' && !next ? table.tokens : []
      const body = [...rows, ...rowsOf(lastTokens)]
      return (
        <TableBox
          columns={rows.length > 0 ? columns.classes() : columnsOf(lastTokens, cells)}
          cells={() => cells}
        >
          {thead}
          {body.length > 0 && <tbody>{body}</tbody>}
        </TableBox>
      )
    },
  }
}

/**
 * The column classes of a table. Until its first row is complete, they depend only on the cells before the last one,
 * so that a column does not change its width with each letter.
 */
function columnsOf(row: readonly Token[], [head = []]: CellRows): string {
  const columns = createColumns()
  columns.add(row.length > 0 ? cellsOf(row).slice(1) : [head.map(() => '')])
  return columns.classes()
}

function rowsOf(tokens: readonly Token[]): readonly ComponentChild[] {
  return vnodesOf(between(tokens, 'tbody_open', 'tbody_close').slice(1, -1))
}

function between(tokens: readonly Token[], openType: string, closeType: string): readonly Token[] {
  const from = tokens.findIndex(({ type }) => type === openType)
  return from < 0 ? [] : tokens.slice(from, tokens.findIndex(({ type }) => type === closeType) + 1)
}
