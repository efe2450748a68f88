// Promise: read_file gives the text of a document by lines, parses the document once for many ranges, and leaves tables
// in text form as they are.

import { describe, expect, it } from 'vitest'
import type { DocumentReader } from '../../../src/files/documents/document.ts'
import { err, ok } from '../../../src/lib/result.ts'
import { call, filesOf, skillsWith } from './reading-rig.ts'

/** A reader whose text for every document is its kind, in three lines. */
function reader(): DocumentReader & { readonly requested: string[] } {
  const requested: string[] = []
  return {
    requested,
    async read(kind, bytes) {
      requested.push(kind)
      if (bytes.includes(0x21)) return err('It is under a password. Ask for one without.')
      return ok({
        text: `## Page 1\n${kind} it is\nend\n`,
        parts: 2,
        cut: bytes.includes(0x63) ? 'Half is shown.' : null,
      })
    },
  }
}

const NAMES = {
  'uploads/a.pdf': '%PDF-1.7\nx',
  'uploads/locked.pdf': '%PDF-1.7\n!',
  'uploads/cut.pdf': '%PDF-1.7\nc',
  'uploads/no-name': '%PDF-1.7\ny',
  'uploads/a.docx': 'PK\u0003\u0004 word/',
  'uploads/table.csv': 'a,b\n1,2\n',
  'uploads/latin.csv': Uint8Array.from([0x61, 0x2c, 0xe9]),
}

const read = async (input: object, documents: DocumentReader | null): ReturnType<typeof call> =>
  call('read_file', input, await filesOf(NAMES), skillsWith({}), documents)

describe('a document', () => {
  it.each([
    ['a.pdf', 'pdf it is', 'PDF file with 2 pages'],
    ['no-name', 'pdf it is', 'PDF file with 2 pages'],
    ['a.docx', 'docx it is', 'DOCX file,'],
    ['latin.csv', 'csv it is', 'CSV file,'],
    ['cut.pdf', 'pdf it is', 'Half is shown.'],
  ])('%s is read as text', async (name, output, about) => {
    const result = await read({ path: `uploads/${name}` }, reader())
    expect(result).toMatchObject({ isError: false })
    // Reading the extracted text does not count as reading the file, so the model still cannot overwrite it.
    expect(result.notes).toBeUndefined()
    expect(result.content).toContain(output)
    expect(result.content).toContain(about)
  })

  it('is parsed once, whatever ranges of it are requested', async () => {
    const documents = reader()
    const files = await filesOf({ 'uploads/many.pdf': '%PDF-1.7\nranges' })
    const range = async (line: number): Promise<string> => {
      const input = { path: 'uploads/many.pdf', start_line: line, end_line: line }
      return (await call('read_file', input, files, skillsWith({}), documents)).content
    }
    expect(await range(2)).toMatch(/^pdf it is\n\[The text of a PDF/)
    expect(await range(3)).toMatch(/^end\n\[/)
    expect(await range(4)).toContain('the file has 3 lines')
    expect(documents.requested).toEqual(['pdf'])
  })

  it('that cannot be read says why, and does not count as known', async () => {
    const locked = await read({ path: 'uploads/locked.pdf' }, reader())
    expect(locked).toEqual({
      content: '/mnt/user-data/uploads/locked.pdf: It is under a password. Ask for one without.',
      isError: true,
    })
  })

  it('is described if there is no document reader', async () => {
    const locked = await read({ path: 'uploads/locked.pdf' }, null)
    expect(locked).toMatchObject({ isError: true, content: expect.stringContaining('application/pdf') })
  })
})

describe('a table in text form', () => {
  it('is returned unchanged', async () => {
    const documents = reader()
    expect((await read({ path: 'uploads/table.csv' }, documents)).content).toBe('a,b\n1,2')
    expect(documents.requested).toEqual([])
  })
})
