// Promise: a table is laid out by the content of its cells, complete or growing, and code is saved under a name that
// its text cannot choose.

import { isValidElement, type ComponentChild } from 'preact'
import { describe, expect, it } from 'vitest'

import { cellKind } from '../../../src/page/lib/numbers.ts'
import { downloadName } from '../../../src/page/markdown/languages.ts'
import { createLiveMarkdown } from '../../../src/page/markdown/live.tsx'
import { TableBox, type TableBoxProps } from '../../../src/page/markdown/table.tsx'

function tableIn(child: ComponentChild): TableBoxProps | null {
  if (Array.isArray(child)) return child.map(tableIn).find((table) => table !== null) ?? null
  if (!isValidElement(child)) return null
  // An element's props can be of any type.
  if (child.type === TableBox) return child.props as unknown as TableBoxProps
  return tableIn((child.props as { readonly children?: ComponentChild }).children)
}

function tableOf(text: string, done = true): TableBoxProps | null {
  const live = createLiveMarkdown(() => 0)
  for (let end = 1; end < text.length; end += 7) live.update(text.slice(0, end), false)
  live.update(text, done)
  return tableIn(live.render())
}

const HEAD = '| Region | Orders | Change | Note |\n|---|---|---|---|\n'
const ROWS =
  '| North | 1,204 | **+12.3 %** | Grew in each month, and faster |\n| South | 306 | — | [New](https://a.example) |\n'

describe('a table', () => {
  it.each([
    ['number', ['12', '-1,204.50', '−41.0 %', '$4.2M', '~12 ms', '1 200', '85%', '3×', '12 km/h']],
    ['empty', ['', '—', 'n/a', '-']],
    ['text', ['2026-01-02', 'v1.2.3', 'North', '12 of 40 orders', '10.0.0.1:80', '1'.repeat(40)]],
  ])('treats as a %s', (kind, cells) => {
    for (const cell of cells) expect([cell, cellKind(cell)]).toEqual([cell, kind])
  })

  it.each([true, false])('has columns that fit numbers and short texts; complete: %s', (done) => {
    expect(tableOf(HEAD + ROWS, done)?.columns).toBe('short-1 number-2 number-3')
  })

  it('returns the texts of its cells, without marks', () => {
    expect(tableOf(HEAD + ROWS)?.cells()).toEqual([
      ['Region', 'Orders', 'Change', 'Note'],
      ['North', '1,204', '+12.3 %', 'Grew in each month, and faster'],
      ['South', '306', '—', 'New'],
    ])
  })

  it('turns a column of numbers into one of text with the first text', () => {
    expect(tableOf(`${HEAD}| a | 1 | 2 | 3 |\n| b | none of these at all | 2 | 3 |\n`)?.columns).toBe(
      'short-1 number-3 number-4',
    )
  })
})

it.each([
  ['py', 'code.py'],
  ['typescript title="x"', 'code.ts'],
  ['tsx', 'code.tsx'],
  ['html', 'code.html'],
  ['docker', 'Dockerfile'],
  ['', 'code.txt'],
  ['../../evil.exe', 'code.txt'],
  ['bat', 'code.txt'],
])('code in "%s" is saved as %s', (info, name) => {
  expect(downloadName(info)).toBe(name)
})
