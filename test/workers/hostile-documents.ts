// Hostile documents: bombs, loops and damage, generated here because they are small to generate and large to store.

import { strToU8, Zip, ZipDeflate, zipSync, zlibSync } from 'fflate'

const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'

/** The parts of a package around a main part of this type. */
function around(main: string, type: string): Record<string, Uint8Array> {
  const full = type.includes('/') ? type : `application/vnd.openxmlformats-officedocument.${type}.main+xml`
  return {
    '[Content_Types].xml': strToU8(
      `<Types xmlns="${TYPES}"><Override PartName="/${main}" ContentType="${full}"/></Types>`,
    ),
    '_rels/.rels': strToU8(
      `<Relationships xmlns="${RELATIONS}"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="${main}"/></Relationships>`,
    ),
  }
}

function workbook(): Record<string, Uint8Array> {
  return {
    ...around('xl/workbook.xml', 'spreadsheetml.sheet'),
    'xl/_rels/workbook.xml.rels': strToU8(
      `<Relationships xmlns="${RELATIONS}"><Relationship Id="s1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="t" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    ),
    'xl/workbook.xml': strToU8(
      `<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheets><sheet name="One" sheetId="1" r:id="s1"/></sheets></workbook>`,
    ),
  }
}

/** A workbook whose one sheet is this XML. */
export function xlsxOf(sheet: string, shared?: string): Uint8Array {
  return zipSync({
    ...workbook(),
    'xl/worksheets/sheet1.xml': strToU8(sheet),
    ...(shared === undefined ? {} : { 'xl/sharedStrings.xml': strToU8(shared) }),
  })
}

export function sheetOf(rows: string): string {
  return `<worksheet xmlns="${SHEET}"><sheetData>${rows}</sheetData></worksheet>`
}

/** A DOCX whose body is this XML. `type`: another content type of its main part. */
export function docxOf(body: string, type = 'wordprocessingml.document', before = ''): Uint8Array {
  return zipSync({
    ...around('word/document.xml', type),
    'word/document.xml': strToU8(
      `${before}<w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`,
    ),
  })
}

/** A workbook whose sheet unpacks to `megabytes` of spaces. `lying`: its directory states a small size. */
export function zipBomb(megabytes: number, lying: boolean): Uint8Array {
  const pieces: Uint8Array[] = []
  const zip = new Zip((_, piece) => pieces.push(piece))
  for (const [name, bytes] of Object.entries(workbook())) {
    const file = new ZipDeflate(name)
    zip.add(file)
    file.push(bytes, true)
  }
  const bomb = new ZipDeflate('xl/worksheets/sheet1.xml', { level: 1 })
  zip.add(bomb)
  bomb.push(strToU8(`<worksheet xmlns="${SHEET}">`))
  const spaces = new Uint8Array(1_048_576).fill(32)
  for (let at = 0; at < megabytes; at++) bomb.push(spaces)
  bomb.push(strToU8('</worksheet>'), true)
  zip.end()
  const bytes = joined(pieces)
  if (lying) declareSmall(bytes)
  return bytes
}

/** Writes 1,000 as the unpacked size of each part in the directory. */
function declareSmall(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < bytes.length - 46; at++)
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 1_000, true)
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** Each byte as the character with its number. */
export function latin(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

/** A zip of very many empty parts. */
export function manyParts(count: number): Uint8Array {
  return zipSync(
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`xl/${at}.xml`, new Uint8Array()])),
    { level: 0 },
  )
}

/** A PDF with these objects, numbered from 1, and a correct cross-reference table. */
export function pdfOf(objects: readonly (string | Uint8Array)[]): Uint8Array {
  const pieces: Uint8Array[] = [strToU8('%PDF-1.7\n')]
  const offsets: number[] = []
  let length = pieces[0]?.length ?? 0
  const add = (bytes: Uint8Array): void => {
    pieces.push(bytes)
    length += bytes.length
  }
  for (const [at, object] of objects.entries()) {
    offsets.push(length)
    add(strToU8(`${at + 1} 0 obj\n`))
    add(typeof object === 'string' ? strToU8(object, true) : object)
    add(strToU8('\nendobj\n'))
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const start = length
  add(
    strToU8(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`,
    ),
  )
  return joined(pieces)
}

/** A stream object, compressed `times` times. */
export function streamOf(content: Uint8Array, times = 1, more = ''): Uint8Array {
  let bytes = content
  for (let at = 0; at < times; at++) bytes = zlibSync(bytes, { level: 6 })
  const filters = Array<string>(times).fill('/FlateDecode').join(' ')
  return joined([
    strToU8(`<< ${more} /Length ${bytes.length} /Filter [${filters}] >>\nstream\n`),
    bytes,
    strToU8('\nendstream'),
  ])
}

export const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>'
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'

/** A page with this content stream as object 4; its font is object 5. */
export function onePage(content: Uint8Array, resources = '/Font << /F 5 0 R >>'): Uint8Array {
  return pdfOf([
    CATALOG,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources << ${resources} >> >>`,
    content,
    FONT,
  ])
}

/** Nested forms that each draw the next ten times: with `levels` levels, ten to that power drawings. */
export function formsInForms(levels: number): Uint8Array {
  const form = (at: number): Uint8Array => {
    const content = at === levels - 1 ? 'BT /F 12 Tf (a) Tj ET' : '/X Do '.repeat(10)
    const more = `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${at + 7} 0 R >> /Font << /F 5 0 R >> >>`
    return streamOf(strToU8(content), 1, more)
  }
  return pdfOf([
    CATALOG,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /XObject << /X 6 0 R >> >> >>',
    streamOf(strToU8('/X Do')),
    FONT,
    ...Array.from({ length: levels }, (_, at) => form(at)),
  ])
}
