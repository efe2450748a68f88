// Guards which files count as documents: their first bytes decide, or their name if the bytes do not.

import { expect, it } from 'vitest'
import { documentKind } from '../../../src/files/documents/kind.ts'

function latin(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0))
}
const entry = (name: string): string => `PK\u0003\u0004${'\0'.repeat(26)}${name}`
const OLE = '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1'

it.each([
  ['a.pdf', '%PDF-1.7\n', 'pdf'],
  ['without-an-ending', '%PDF-1.4\n', 'pdf'],
  ['mailed.PDF', '\n\nsome header\n%PDF-1.4\n', 'pdf'],
  ['on-pdf.md', '# How PDFs begin: %PDF-1.7', null],
  ['a.pdf', '<html>not found</html>', null],
  ['a.docx', entry('[Content_Types].xml'), 'docx'],
  ['A.XLSX', entry('docProps/app.xml'), 'xlsx'],
  ['macros.xlsm', entry('_rels/.rels'), 'xlsx'],
  ['nameless', entry('[Content_Types].xml') + entry('word/document.xml'), 'docx'],
  ['nameless', entry('_rels/.rels') + entry('xl/workbook.xml'), 'xlsx'],
  ['skill.zip', entry('SKILL.md'), null],
  ['slides.pptx', entry('ppt/presentation.xml'), null],
  ['protected.xlsx', OLE, 'xlsx'],
  ['old.doc', OLE, null],
  ['a.csv', 'a,b\n', 'csv'],
  ['a.TSV', 'a\tb\n', 'csv'],
  ['utf-16.csv', '\u00ff\u00fea\0,\0b\0', 'csv'],
  ['utf-16-unmarked.csv', 'a\0,\0b\0\n\0', 'csv'],
  ['empty.csv', '', 'csv'],
  ['image.csv', '\u0089PNG\r\n\u001a\n\0\0\0', null],
  ['a.txt', 'a,b\n', null],
])('treats %s that begins with %j as %s', (name, head, kind) => {
  expect(documentKind(name, latin(head))).toBe(kind)
})
