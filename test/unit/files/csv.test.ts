// Guards how the bytes of a CSV become a table: its charset and its delimiter are recognized, also where the file is cut.

import { expect, it } from 'vitest'
import { DOCUMENT_CSV_MAX_BYTES } from '../../../src/files/documents/child/common/limits.ts'
import { TimeBudget } from '../../../src/files/documents/child/common/pace.ts'
import { readCsv } from '../../../src/files/documents/child/office/csv.ts'
import { utf8 } from '../../../src/lib/bytes.ts'

async function linesOf(bytes: Uint8Array): Promise<readonly string[]> {
  return (await readCsv(bytes, new TimeBudget(() => true))).text.split('\n')
}

it('reads a long file as UTF-8, also if the limit is inside a character', async () => {
  const line = utf8(`Zoë,${'ü'.repeat(50_000)}\n`)
  for (const shift of [0, 1]) {
    const bytes = new Uint8Array(DOCUMENT_CSV_MAX_BYTES + line.length)
    bytes.fill(0x20, 0, shift)
    for (let at = shift; at + line.length <= bytes.length; at += line.length) bytes.set(line, at)
    expect((await linesOf(bytes))[0]).toMatch(/^\| Zoë \| ü+…/)
  }
})

it.each([
  ['1,5;2,5\n3,25;4,75', '| 1,5 | 2,5 |'],
  ['1,5\t2,5\n3,25\t4,75', '| 1,5 | 2,5 |'],
  ['1,5|2,5\n3,25|4,75', '| 1,5 | 2,5 |'],
  ['Price;Stock\n1,5;2\n3,25;4', '| Price | Stock |'],
  ['name,tags\nbob,a;b\nann,c;d', '| name | tags |'],
  ['"a;b","c"\n"d;e","f"', '| a;b | c |'],
])('finds the delimiter of %j', async (text, first) => {
  expect((await linesOf(utf8(text)))[0]).toBe(first)
})
