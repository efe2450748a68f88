// A table in a box that scrolls if the table is wider than the column, and a button that copies it as CSV.

import type { ComponentChildren } from 'preact'

import type { CellRows } from './columns.ts'
import { CopyButton } from './copy-button.tsx'
import { useScrollable } from './scrollable.ts'

export interface TableBoxProps {
  /** The layout of the columns (columns.ts). */
  readonly columns: string
  /** The texts of all cells, the head first. */
  readonly cells: () => CellRows
  readonly children: ComponentChildren
}

/** A spreadsheet would run these as formulas. Numbers with a sign stay as they are. */
const FORMULA = /^(?:[=@\t\r]|[-+](?!\d[\d.,]*%?$))/

export function TableBox({ columns, cells, children }: TableBoxProps) {
  const box = useScrollable<HTMLDivElement>()
  return (
    <div class="table-frame" dir="auto">
      <div ref={box} class="table">
        <table class={columns || undefined}>{children}</table>
      </div>
      <CopyButton label="Copy as CSV" caption="Copy as CSV" text={async () => toCsv(cells())} />
    </div>
  )
}

async function toCsv(rows: CellRows): Promise<string> {
  const { default: papa } = await import('papaparse')
  // The library's types ask for arrays that can be changed.
  return papa.unparse(rows as string[][], { escapeFormulae: FORMULA })
}
