// Guards the media type with which a file is served: its extension alone decides, and an unknown one is served as
// bytes.

import { expect, it } from 'vitest'
import { mediaTypeOf } from '../../../src/files/media-type.ts'

it.each([
  ['uploads/sales.csv', 'text/csv'],
  ['outputs/Report.FINAL.PDF', 'application/pdf'],
  ['a/b.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['data.json', 'application/json'],
  ['chart.svg', 'image/svg+xml'],
  ['photo.JPG', 'image/jpeg'],
  ['main.ts', 'text/typescript'],
  ['Makefile', 'application/octet-stream'],
  ['csv', 'application/octet-stream'],
  ['folder.csv/file', 'application/octet-stream'],
  ['.gitignore', 'application/octet-stream'],
  ['x.constructor', 'application/octet-stream'],
])('%s is %s', (path, type) => {
  expect(mediaTypeOf(path)).toBe(type)
})
