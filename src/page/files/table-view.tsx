// Shows a CSV or TSV file as a table of limited size.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

import { counted } from '../../lib/counted.ts'
import { SHORT_CELL_CHARS } from './limits.ts'
import { formatNumber } from '../lib/format.ts'
import { useScrollable } from '../markdown/scrollable.ts'
import { parseTable, type Table } from '../state/files/table.ts'

export function TableView({ text, isCut }: { readonly text: string; readonly isCut: boolean }) {
  const table = useSignal<Table | null>(null)
  useEffect(() => {
    let isCancelled = false
    void parseTable(text, isCut).then((result) => {
      if (!isCancelled) table.value = result
    })
    return () => {
      isCancelled = true
    }
  }, [text, isCut])
  if (!table.value) return <p class="quiet">Preparing the table…</p>
  return <TableContent table={table.value} isCut={isCut} />
}

function TableContent({ table, isCut }: { readonly table: Table; readonly isCut: boolean }) {
  const box = useScrollable<HTMLDivElement>()
  const { head, rows, isNumeric, rowCount, columnCount } = table
  return (
    <>
      <p class="quiet">{describeSize(table, isCut)}</p>
      <div ref={box} class="table-room" role="group" aria-label={`Table, ${counted(columnCount, 'column')}`}>
        <table>
          <thead>
            <tr>
              {head.map((cell, column) => (
                <th key={column} scope="col" class={isNumeric[column] ? 'number' : widthOf(cell)} dir="auto">
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, rowIndex) => (
              <tr key={rowIndex}>
                {row.map((cell, column) => (
                  <td key={column} class={isNumeric[column] ? 'number' : widthOf(cell)} dir="auto">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rowCount === 0 && <p class="quiet">The table has no rows.</p>}
    </>
  )
}

/** A short value, such as a time or a name, does not break. */
function widthOf(cell: string): string {
  return cell.length <= SHORT_CELL_CHARS ? 'short' : 'long'
}

function describeSize({ rows, rowCount, columnCount, head }: Table, isCut: boolean): string {
  const total = `${isCut ? 'more than ' : ''}${counted(rowCount, 'row')}`
  const shown = rows.length < rowCount || isCut ? `The first ${formatNumber(rows.length)} of ${total}` : total
  return `${shown}, ${head.length < columnCount ? `the first ${head.length} of ` : ''}${counted(columnCount, 'column')}`
}
