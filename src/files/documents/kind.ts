// Recognizes documents by their first bytes, or else by their name.

import type { DocumentKind } from './document.ts'

const PDF = '%PDF-'
const ZIP = 'PK\u0003\u0004'
/** Offset of an entry's name in its local header. */
const ZIP_NAME_AT = 26
/** The container of Office files with a password, and of formats from before 2007. */
const OLE = '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1'
/** How far into the file to look for the mark: real PDFs may have other bytes before it. */
const PDF_WITHIN_BYTES = 1_024

const OFFICE: readonly (readonly [names: RegExp, kind: DocumentKind])[] = [
  [/\.(docx|docm|dotx|dotm)$/i, 'docx'],
  [/\.(xlsx|xlsm|xltx|xltm|xlsb)$/i, 'xlsx'],
]
const TABLE_NAMES = /\.(csv|tsv)$/i

/**
 * The kind of a document named `name` whose first bytes are `head` (1 KiB is enough); null if it is not a document.
 * Other zips and HTML files are not documents: HTML is converted only for web pages. A file that only looks like a
 * document is refused when it is read.
 */
export function documentKind(name: string, head: Uint8Array): DocumentKind | null {
  const start = latin(head.subarray(0, PDF_WITHIN_BYTES))
  if (start.startsWith(PDF) || (/\.pdf$/i.test(name) && start.includes(PDF))) return 'pdf'
  const packed = start.startsWith(ZIP)
  if (packed || start.startsWith(OLE)) {
    const named = OFFICE.find(([names]) => names.test(name))?.[1]
    if (named !== undefined) return named
    return packed ? byFirstEntries(start) : null
  }
  return TABLE_NAMES.test(name) && isText(head) ? 'csv' : null
}

/** For an Office file without an extension: most packers put a typical entry first. */
function byFirstEntries(start: string): DocumentKind | null {
  const names = start.split(ZIP).map((entry) => entry.slice(ZIP_NAME_AT))
  if (names.some((name) => name.startsWith('word/'))) return 'docx'
  return names.some((name) => name.startsWith('xl/')) ? 'xlsx' : null
}

/** UTF-16 text has zeros, and either a byte order mark or zeros at every second byte. */
function isText(head: Uint8Array): boolean {
  if (!head.includes(0)) return true
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return true
  return [0, 1].some((parity) => head.every((byte, at) => at % 2 === parity || byte === 0))
}

function latin(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}
