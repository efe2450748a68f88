// Guards how pieces of text on a PDF page become lines: by position, not by number.

import { expect, it } from 'vitest'
import { pdfLines, type PdfTextItem } from '../../../src/files/documents/child/pdf/lines.ts'

function piece(str: string, y: number, more: Partial<PdfTextItem> = {}): PdfTextItem {
  return { str, width: 10, height: 10, transform: [10, 0, 0, 10, 0, y], hasEOL: false, ...more }
}

it('starts a line where the next piece is lower, and a paragraph where it is much lower', () => {
  const pieces = [piece('One', 700), piece('two', 688), piece('Three', 650)]
  expect(pdfLines(pieces)).toEqual(['One', 'two', '', 'Three'])
})

it('joins pieces of a line, and puts a tab between columns', () => {
  const pieces = [
    piece('Name', 700),
    piece(' ', 700, { width: 40, height: 0 }),
    piece('Pri', 700),
    piece('ce', 700, { hasEOL: true }),
    piece('raised', 704),
  ]
  expect(pdfLines(pieces)).toEqual(['Name\tPrice', 'raised'])
})

it('reads the ligatures of TeX if a font has no names for its letters', () => {
  expect(pdfLines([piece('e\u001ecient, \u001cne \u0015 o\u000ece\u0001', 700)])).toEqual([
    'efficient, fine – office',
  ])
})

it('handles very many pieces in a line', () => {
  expect(pdfLines(Array.from({ length: 200_000 }, () => piece('a', 700)))[0]).toHaveLength(200_000)
})
