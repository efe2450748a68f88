// A table that is still growing. Rows are independent, so each is parsed once, below the table's head.

import type { Token } from 'markdown-it'
import type { ComponentChild, VNode } from 'preact'

import { parseBlocks, type References } from './parse.ts'
import { TableBox } from './table.tsx'
import { vnodesOf } from './vnodes.tsx'

export interface GrowingTable {
  /**
   * Adds complete lines. Null: all are rows. Otherwise the table has ended, and the result is how many characters at their end
   * belong to the next block.
   */
  take(lines: string, references: References): number | null
  /** The table, including the incomplete row at the end of `source`. */
  drawn(source: string, references: References): VNode
}

/** `lines` starts with the table. Null if the table is indented. */
export function growingTable(tokens: readonly Token[], lines: string): GrowingTable | null {
  const head = lines.split('\n', 2).join('\n') + '\n'
  if (/^\s/.test(head)) return null
  const top = vnodesOf(between(tokens, 'thead_open', 'thead_close'))
  let rows = rowsOf(tokens)
  return {
    take(more, references) {
      const blocks = parseBlocks(head + more, references)
      const [table, next] = blocks
      if (table?.tokens[0]?.type !== 'table_open') return more.length
      rows = [...rows, ...rowsOf(table.tokens)]
      const all = more.split('\n').length - 1
      const taken = table.to - 2
      // A blank line ends the table, as does a block that is not a row.
      if (!next && taken >= all) return null
      return more.split('\n').slice(taken).join('\n').length
    },
    drawn(source, references) {
      const last = source.slice(source.lastIndexOf('\n') + 1)
      const [table, next] = last.trim() === '' ? [] : parseBlocks(head + last, { ...references })
      const half = table?.tokens[0]?.type === 'table_open' && !next ? rowsOf(table.tokens) : []
      const body = [...rows, ...half]
      return (
        <TableBox>
          {top}
          {body.length > 0 && <tbody>{body}</tbody>}
        </TableBox>
      )
    },
  }
}

function rowsOf(tokens: readonly Token[]): readonly ComponentChild[] {
  return vnodesOf(between(tokens, 'tbody_open', 'tbody_close').slice(1, -1))
}

function between(tokens: readonly Token[], first: string, last: string): readonly Token[] {
  const from = tokens.findIndex(({ type }) => type === first)
  return from < 0 ? [] : tokens.slice(from, tokens.findIndex(({ type }) => type === last) + 1)
}
