// Guards the document reader against documents: bombs, loops and damage are refused or truncated with an explanation,
// and the next document is read normally.

import { env } from 'cloudflare:workers'
import { strToU8 } from 'fflate'
import { afterEach, describe, expect, inject, it } from 'vitest'
import type { DocumentKind } from '../../src/files/documents/document.ts'
import { documentReader } from '../../src/files/documents/reader.ts'
import { DOCUMENT_TEXT_MAX_CHARS } from '../../src/files/documents/child/common/limits.ts'
import * as hostile from './hostile-documents.ts'

const NEVER = new AbortController().signal
const FIXTURES = inject('documents')

async function read(kind: DocumentKind, bytes: Uint8Array): Promise<unknown> {
  return documentReader(env.LOADER, env.ASSETS ?? null).read(kind, bytes, { signal: NEVER })
}
function fixture(name: string): Uint8Array {
  return Uint8Array.from(atob(FIXTURES[name] ?? ''), (char) => char.charCodeAt(0))
}
function refused(words: string): unknown {
  return { ok: false, error: expect.stringContaining(words) }
}
function cut(words: string): unknown {
  return { ok: true, value: expect.objectContaining({ cut: expect.stringContaining(words) }) }
}
const page = (text: string): Uint8Array => hostile.streamOf(strToU8(`BT /F 12 Tf 20 200 Td (${text}) Tj ET`))

// Whatever the last document did to the isolate, the next one is read.
afterEach(async () => {
  expect(await read('xlsx', hostile.xlsxOf(hostile.sheetOf('<row><c><v>7</v></c></row>')))).toEqual({
    ok: true,
    value: { text: '## Sheet One\n\n|  | A |\n| --- | --- |\n| 1 | 7 |', parts: 1, cut: null },
  })
})

describe('the zip and XML reader', () => {
  it.each([true, false])('refuses content that unpacks to too much (its list lies: %s)', async (lying) => {
    expect(await read('xlsx', hostile.zipBomb(140, lying))).toEqual(refused('unpacks to more than'))
  })

  it('refuses more parts than a document has', async () => {
    expect(await read('xlsx', hostile.manyParts(10_001))).toEqual(refused('more than 10000 parts'))
  })

  it('refuses endless elements, nested or in a row', async () => {
    expect(await read('docx', hostile.docxOf('<w:p>'.repeat(100_000)))).toEqual(refused('nests elements'))
    const many = hostile.docxOf('<w:r/>'.repeat(8_000_001))
    expect(await read('docx', many)).toEqual(refused('more than 8000000 elements'))
  })

  it('expands no entities', async () => {
    const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`)
    const type = `<!DOCTYPE w [<!ENTITY l0 "ha">${laughs.join('')}]>`
    const bomb = hostile.docxOf('<w:p><w:r><w:t>&l9;</w:t></w:r></w:p>', undefined, type)
    expect(await read('docx', bomb)).toEqual(refused('document type'))
    const undeclared = hostile.docxOf('<w:p><w:r><w:t>&l9; &amp; &#65;</w:t></w:r></w:p>')
    expect(await read('docx', undeclared)).toMatchObject({ value: { text: '&l9; & A' } })
  })

  it('refuses a tag without an end', async () => {
    expect(await read('docx', hostile.docxOf(`<w:${'p'.repeat(25_000_000)}`))).toEqual(refused('no end'))
  })

  it('refuses truncated content, and says where text ends early', async () => {
    const whole = fixture('openpyxl.xlsx')
    for (const part of [0.2, 0.5, 0.99])
      expect(await read('xlsx', whole.subarray(0, whole.length * part))).toEqual(refused('damaged'))
    expect(await read('xlsx', strToU8('PK\u0003\u0004'))).toEqual(refused('damaged'))
    const half = hostile.docxOf('<w:p><w:r><w:t>Half').subarray(0)
    expect(await read('docx', half)).toMatchObject({ ok: true, value: { text: 'Half' } })
    const open = hostile.xlsxOf(
      '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row><c><v>1</v></c></row><row><c><v>2',
    )
    expect(await read('xlsx', open)).toEqual(cut('damaged after row'))
  })

  it('reads damaged bytes to an end', async () => {
    for (const name of ['openpyxl.xlsx', 'pandoc.docx', 'pdfkit.pdf'])
      for (let at = 40; at < fixture(name).length; at += 131) {
        const bytes = fixture(name)
        bytes.fill(0xa5, at, at + 3)
        const kind = name.slice(-4) === '.pdf' ? 'pdf' : 'docx'
        expect(await read(kind, bytes)).toHaveProperty('ok')
      }
  })

  it('names a file that is not a DOCX or XLSX', async () => {
    const ole = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0)
    expect(await read('docx', ole)).toEqual(refused('password'))
    const slides = hostile.docxOf('', 'presentationml.presentation')
    expect(await read('docx', slides)).toEqual(refused('presentation'))
    const binary = hostile.docxOf('', 'application/vnd.ms-excel.sheet.binary.macroEnabled.main')
    expect(await read('xlsx', binary)).toEqual(refused('.xlsb'))
    expect(await read('xlsx', hostile.manyParts(3))).toEqual(refused('not a DOCX or XLSX'))
    expect(await read('docx', hostile.docxOf('<w:p/>'))).toEqual(refused('no text'))
  })
})

describe('the table reader', () => {
  it('cuts a million cells, and says where', async () => {
    const row = `<row>${'<c><v>1</v></c>'.repeat(100)}</row>`
    expect(await read('xlsx', hostile.xlsxOf(hostile.sheetOf(row.repeat(10_000))))).toEqual(cut('rows up to'))
  })

  it('bounds the width of a sheet by its content', async () => {
    const wide = Array.from(
      { length: 5_000 },
      (_, at) => `<row r="${at + 1}"><c r="XFD${at + 1}"><v>1</v></c></row>`,
    )
    const answer = await read('xlsx', hostile.xlsxOf(hostile.sheetOf(wide.join(''))))
    expect(answer).toMatchObject({ ok: true, value: { cut: null } })
    const spread = Array.from({ length: 16_384 }, () => '<c><v>1</v></c>').join('')
    expect(await read('xlsx', hostile.xlsxOf(hostile.sheetOf(`<row>${spread}</row>`)))).toEqual(
      cut('columns up to'),
    )
  })

  it('refuses strings without end', async () => {
    const shared = `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>${'x'.repeat(17_000_000)}</t></si></sst>`
    expect(await read('xlsx', hostile.xlsxOf(hostile.sheetOf(''), shared))).toEqual(refused('more text'))
  })

  it('cuts a long CSV and counts its rows; an open quote is reported', async () => {
    const long = await read('csv', strToU8('id,value\n'.concat('1,something\n'.repeat(200_000))))
    expect(long).toEqual(cut('of 200001 follow'))
    expect((long as { value: { text: string } }).value.text.length).toBeLessThanOrEqual(
      DOCUMENT_TEXT_MAX_CHARS,
    ) // the cast is safe: the value was just checked
    expect(await read('csv', strToU8(`a,b\n1,2\n"${'x,y\n'.repeat(1_000_000)}`))).toEqual(cut('quote'))
    expect(await read('csv', new Uint8Array())).toEqual(refused('empty'))
    expect(await read('csv', Uint8Array.of(1, 2, 0, 0, 0, 7))).toEqual(refused('not text'))
  })
})

describe('the PDF reader', () => {
  it('reads well-formed files and those without their table; refuses truncated ones', async () => {
    const good = hostile.onePage(page('Hello'))
    expect(await read('pdf', good)).toMatchObject({ value: { text: '## Page 1\n\nHello' } })
    const text = hostile.latin(good)
    const lost = Uint8Array.from(text.replace(/startxref\n\d+/, 'startxref\n7'), (char) => char.charCodeAt(0))
    expect(await read('pdf', lost)).toMatchObject({ value: { text: '## Page 1\n\nHello' } })
    for (const length of [30, text.indexOf('xref\n0')])
      expect(await read('pdf', good.subarray(0, length))).toEqual(refused('damaged'))
  })

  it('refuses or ends loops of pages', async () => {
    const loop = hostile.pdfOf([hostile.CATALOG, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000 >>'])
    expect(await read('pdf', loop)).toMatchObject({ ok: false })
    const itself = hostile.pdfOf(['<< /Type /Catalog /Pages 1 0 R /Kids [1 0 R] /Count 3 >>'])
    expect(await read('pdf', itself)).toMatchObject({ ok: false })
  })

  it('refuses a page that unpacks to too much, compressed once or twice', async () => {
    const spaces = new Uint8Array(80 * 1_048_576).fill(32)
    for (const times of [1, 2])
      expect(await read('pdf', hostile.onePage(hostile.streamOf(spaces, times)))).toEqual(
        refused('unpacks to more'),
      )
  })

  it('refuses an object stream that unpacks to too much', async () => {
    const spaces = new Uint8Array(80 * 1_048_576).fill(32)
    const bomb = hostile.streamOf(spaces, 1, '/Type /ObjStm /N 1 /First 8')
    const start = '%PDF-1.7\n'
    const text = `${start}4 0 obj\n${hostile.latin(bomb)}\nendobj\n`
    // Object 1, the catalog, is the first of stream 4, as the table says; the others are free.
    const free = [0, 0, 0, 0]
    const table = [...free, 2, 0, 4, 0, ...free, ...free, 1, 0, start.length, 0]
    const xref = `5 0 obj\n<< /Type /XRef /Size 5 /W [1 2 1] /Root 1 0 R /Length 20 >>\nstream\n${String.fromCharCode(...table)}\nendstream\nendobj\nstartxref\n${text.length}\n%%EOF`
    const bytes = Uint8Array.from(text + xref, (char) => char.charCodeAt(0))
    expect(await read('pdf', bytes)).toEqual(refused('unpacks to more'))
  })

  it('bounds character tables that are longer than their source', async () => {
    const ranges = Array.from({ length: 400 }, () => '<00000000> <00ffff00> <0041>').join('\n')
    const map = `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00000000> <ffffffff> endcodespacerange 400 beginbfrange ${ranges} endbfrange endcmap`
    const document = hostile.pdfOf([
      hostile.CATALOG,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
      page('Hello'),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>',
      hostile.streamOf(strToU8(map)),
    ])
    expect(await read('pdf', document)).toHaveProperty('ok')
  })

  it('makes way for the next document when its request is cancelled', async () => {
    const reader = documentReader(env.LOADER, env.ASSETS ?? null)
    expect(await reader.read('pdf', hostile.formsInForms(10), { signal: AbortSignal.timeout(300) })).toEqual(
      refused('cancelled'),
    )
    expect(await read('pdf', hostile.onePage(page('Hello')))).toMatchObject({
      value: { text: '## Page 1\n\nHello' },
    })
  })

  it('says that pages have no text', async () => {
    expect(await read('pdf', hostile.onePage(hostile.streamOf(strToU8('0 0 10 10 re f'))))).toEqual(
      refused('Images'),
    )
  })
})
