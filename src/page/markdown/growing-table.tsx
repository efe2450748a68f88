// A table that is still written: its rows do not depend on each other, so each is parsed once, below the table's head.

import type { Token } from 'markdown-it'
import type { ComponentChild, VNode } from 'preact'

import { parseBlocks, type References } from './parse.ts'
import { TableBox } from './table.tsx'
import { vnodesOf } from './vnodes.tsx'

export interface GrowingTable {
  /**
   * Takes complete lines that came below. Null: all of them are rows; else the table has ended, and this many characters
   * at their end belong to what follows.
   */
  take(lines: string, references: References): number | null
  /** The table with the row that is being written at the end of `source`, if one is. */
  drawn(source: string, references: References): VNode
}

/** `lines`: of the table, from its first on. Null: it does not begin at the margin. */
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
      // A blank line ends it as well as a block that is none of its rows.
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
