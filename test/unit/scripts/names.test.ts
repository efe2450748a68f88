// Promise: two files may export the same name only if it is on the list of exceptions.

import { expect, test } from 'vitest'

import { repeatedNames, SHARED_NAMES } from '../../../scripts/check/names.ts'

const SOURCES = [
  {
    path: 'src/a/one.ts',
    text: 'export interface Line {}\nexport async function read(): void {}\nconst own = 1\n',
  },
  { path: 'src/b/two.ts', text: 'export class Line {}\nexport const own = 2\nexport function* read() {}\n' },
]

test('a name that two files export is reported with both, unless it is on the list', () => {
  const [output, ...more] = repeatedNames(SOURCES, new Set(['read']))
  expect(output).toMatch(/^Line is exported by src\/a\/one\.ts and src\/b\/two\.ts\. Rename one/)
  expect(more).toEqual([])
})

test('a listed name that is no longer in two files is reported, too', () => {
  expect(repeatedNames([], new Set(['gone']))).toEqual([
    expect.stringMatching(/^gone is exported by only one file/),
  ])
})

test('the list has at most forty names', () => {
  expect(SHARED_NAMES.size).toBeLessThanOrEqual(40)
})
