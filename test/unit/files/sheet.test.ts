// Guards where the cells of a sheet are placed: row and column references are optional, and empty cells and rows count.

import { expect, it } from 'vitest'
import { packageOf } from '../../../src/files/documents/child/office/package.ts'
import { readSheet } from '../../../src/files/documents/child/office/sheet.ts'
import { xmlBudget } from '../../../src/files/documents/child/office/xml.ts'
import { TimeBudget } from '../../../src/files/documents/child/common/pace.ts'
import { Zip } from '../../../src/files/documents/child/office/zip.ts'
import { sheetOf, xlsxOf } from '../../workers/hostile-documents.ts'

/** The number of each row with its cells. */
async function positionsOf(rows: string): Promise<readonly unknown[]> {
  const zip = new Zip(xlsxOf(sheetOf(rows)), new TimeBudget(() => true))
  const parts = packageOf(zip, xmlBudget(), 'xl/workbook.xml')
  const context = { shared: [], formatNumber: String }
  const sheet = await readSheet(parts, 'xl/worksheets/sheet1.xml', context)
  return sheet.rows.map(({ number, cells }) => [number, cells])
}

const cell = (value: string | number): string => `<c t="str"><v>${value}</v></c>`

it('counts empty cells and rows without references', async () => {
  const header = `<row>${cell('Name')}${cell('Price')}${cell('Stock')}</row>`
  expect(await positionsOf(`${header}<row/><row><c/>${cell(5)}${cell(7)}</row>`)).toEqual([
    [
      1,
      [
        [1, 'Name'],
        [2, 'Price'],
        [3, 'Stock'],
      ],
    ],
    [
      3,
      [
        [2, '5'],
        [3, '7'],
      ],
    ],
  ])
})

it('continues after a reference, also of an empty cell or row', async () => {
  const rows = `<row r="4"/><row><c r="C5"/>${cell('d')}</row><row>${cell('a')}</row>`
  expect(await positionsOf(rows)).toEqual([
    [5, [[4, 'd']]],
    [6, [[1, 'a']]],
  ])
})
