// Benchmark of documents: how long read_file takes for large ones, and how long other requests wait meanwhile.

import { strToU8, zipSync } from 'fflate'

import { ms, plain, waiting, type FigureLine, type PartResult, type ReportProgress } from '../rig/lines.ts'
import { meanwhile, timeOf } from '../rig/meanwhile.ts'
import { callTool, newThread, adminRequest } from '../rig/requests.ts'
import { figures } from '../rig/stats.ts'
import { withSatchel } from '../rig/worker.ts'

const ROUNDS = 5
const PDF_PAGES = 200
const LINES_PER_PAGE = 45
const SHEET_ROWS = 50_000
const PING_PAUSE_MS = 5
const PING_P99_GOAL_MS = 250

/** A PDF with text on every page, and a table of object offsets. */
function pdfOf(seed: number): Uint8Array<ArrayBuffer> {
  const parts = ['%PDF-1.4\n']
  const offsets: number[] = []
  const add = (body: string): void => {
    offsets.push(parts.join('').length)
    parts.splice(0, parts.length, parts.join(''), `${offsets.length} 0 obj\n${body}\nendobj\n`)
  }
  const kids = Array.from({ length: PDF_PAGES }, (_, page) => `${4 + 2 * page} 0 R`).join(' ')
  add('<< /Type /Catalog /Pages 2 0 R >>')
  add(`<< /Type /Pages /Kids [${kids}] /Count ${PDF_PAGES} >>`)
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  for (let page = 0; page < PDF_PAGES; page++) {
    const lines = Array.from(
      { length: LINES_PER_PAGE },
      (_, line) =>
        `(Run ${seed}, page ${page + 1}, line ${line + 1}: what was measured and what it means.) Tj T*`,
    )
    const stream = `BT /F1 10 Tf 14 TL 50 780 Td\n${lines.join('\n')}\nET`
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + 2 * page} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    )
    add(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`)
  }
  const text = parts.join('')
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  return strToU8(
    `${text}xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${offsets.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
  ) as Uint8Array<ArrayBuffer> // The library creates no shared buffers.
}

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A workbook with one sheet of texts and numbers. */
function xlsxOf(seed: number): Uint8Array<ArrayBuffer> {
  const rows = Array.from(
    { length: SHEET_ROWS },
    (_, row) =>
      `<row r="${row + 1}"><c r="A${row + 1}" t="inlineStr"><is><t>item ${seed}-${row}</t></is></c><c r="B${row + 1}"><v>${row * 1.5}</v></c><c r="C${row + 1}"><v>${row % 97}</v></c></row>`,
  ).join('')
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const rels = 'http://schemas.openxmlformats.org/package/2006/relationships'
  const files = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${rels}"><Relationship Id="r1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${RELATIONS}"><sheets><sheet name="Items" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${rels}"><Relationship Id="r1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
  }
  const bytes = Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)]))
  return zipSync(bytes) as Uint8Array<ArrayBuffer> // The library creates no shared buffers.
}

const KINDS = [
  ['a PDF of 200 pages', 'pdf', pdfOf],
  ['an XLSX of 50,000 rows', 'xlsx', xlsxOf],
] as const

/** Each document is new, so that none is cached. */
export async function measureDocuments(tell: ReportProgress): Promise<PartResult> {
  return withSatchel(async ({ url }) => {
    const lines: FigureLine[] = []
    const all: object[] = []
    for (const [what, extension, createDocument] of KINDS) {
      tell(`documents: ${what}`)
      const [readsMs, pingsMs]: [number[], number[]] = [[], []]
      for (let round = 0; round < ROUNDS; round++) {
        const thread = await newThread(url)
        const path = `uploads/large.${extension}`
        const put = await adminRequest(url, `PUT /v1/threads/${thread}/files/${path}`, createDocument(round))
        await put.arrayBuffer()
        const reading = callTool(url, thread, 'read_file', { path: `/mnt/user-data/${path}` })
        const ping = async (): Promise<number> =>
          timeOf(async () => (await fetch(`${url}/healthz`)).arrayBuffer())
        const { took, seen } = await meanwhile(reading, ping, PING_PAUSE_MS)
        const [call] = took
        if (call?.is_error !== false) throw new Error(`${what}: ${call?.preview}`)
        readsMs.push(call.duration_ms)
        pingsMs.push(...seen)
      }
      const [read, pings] = [figures(readsMs), figures(pingsMs)]
      all.push({ what, read, pings })
      lines.push(plain(`read_file of ${what}`, ms(read.median, 0)), waiting(what, pings, PING_P99_GOAL_MS))
    }
    return { lines, figures: all }
  })
}
