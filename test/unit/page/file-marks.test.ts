// Promise: each kind of file has one icon, and only files below the thread's root are pictures of a text.

import { expect, it } from 'vitest'

import { iconOf } from '../../../src/page/files/file-mark.tsx'
import { picturePath } from '../../../src/page/files/thread-pictures.tsx'

it.each([
  ['table', ['a.csv', 'a.TSV', 'a.xlsx']],
  ['document', ['a.md', 'a.pdf', 'a.docx', 'page.html', 'a.txt']],
  ['code', ['a.py', 'a.json', 'Dockerfile']],
  ['image', ['a.png', 'a.svg']],
  ['archive', ['a.zip', 'a.tar.gz', 'a.skill']],
  ['file', ['a.bin', 'a', '']],
] as const)('%s', (icon, names) => {
  for (const name of names) expect([name, iconOf(name)]).toEqual([name, icon])
})

it.each([
  ['/mnt/user-data/outputs/a.png', null, 'outputs/a.png'],
  ['/mnt/user-data/outputs/two%20words.png', null, 'outputs/two words.png'],
  ['/mnt/user-data/outputs/100%.png', null, 'outputs/100%.png'],
  ['/mnt/user-data/../secret.png', null, null],
  ['/mnt/user-data/outputs/%2e%2e/%2e%2e/x.png', null, null],
  ['/mnt/other/a.png', null, null],
  ['a.png', null, null],
  ['a.png', 'outputs', 'outputs/a.png'],
  ['img/a.png', 'outputs', 'outputs/img/a.png'],
  ['../uploads/a.png', 'outputs', null],
  ['//evil.example/a.png', 'outputs', null],
  ['https://evil.example/a.png', 'outputs', null],
  ['data:image/png,x', 'outputs', null],
])('the picture at %s, in a file of the folder %s, is %s', (source, folder, path) => {
  expect(picturePath(source, folder)).toBe(path)
})
