// Recognizes the kind of a document by its first bytes or, if they are ambiguous, by its name.

import type { DocumentKind } from './document.ts'

const PDF_SIGNATURE = '%PDF-'
const ZIP_ENTRY_SIGNATURE = 'PK\u0003\u0004'
/** Offset of an entry's name after the signature of its local header. */
const ZIP_NAME_OFFSET = 26
/** Signature of the container for password-protected Office files and for formats from before 2007. */
const OLE_SIGNATURE = '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1'
/** Number of bytes in which to search for the PDF signature, because real PDFs may have other bytes before it. */
const PDF_SEARCH_BYTES = 1_024

const OFFICE_EXTENSIONS: readonly (readonly [names: RegExp, kind: DocumentKind])[] = [
  [/\.(docx|docm|dotx|dotm)$/i, 'docx'],
  [/\.(xlsx|xlsm|xltx|xltm|xlsb)$/i, 'xlsx'],
]
const TABLE_NAMES = /\.(csv|tsv)$/i

/**
 * The kind of the document with this name and these first bytes (1 KiB is enough), or null if it is not a document. Other zip archives
 * are not documents, and neither are HTML files, because only web pages are converted. A file that merely looks like a document is
 * refused when it is read.
 */
export function documentKind(name: string, head: Uint8Array): DocumentKind | null {
  const start = latin(head.subarray(0, PDF_SEARCH_BYTES))
  if (start.startsWith(PDF_SIGNATURE) || (/\.pdf$/i.test(name) && start.includes(PDF_SIGNATURE))) return 'pdf'
  const isZip = start.startsWith(ZIP_ENTRY_SIGNATURE)
  if (isZip || start.startsWith(OLE_SIGNATURE)) {
    const kind = OFFICE_EXTENSIONS.find(([pattern]) => pattern.test(name))?.[1]
    if (kind !== undefined) return kind
    return isZip ? kindOfEntries(start) : null
  }
  return TABLE_NAMES.test(name) && isText(head) ? 'csv' : null
}

/** The kind of an Office file without an extension, by its first entries: most programs begin with typical ones. */
function kindOfEntries(start: string): DocumentKind | null {
  const names = start.split(ZIP_ENTRY_SIGNATURE).map((entry) => entry.slice(ZIP_NAME_OFFSET))
  if (names.some((name) => name.startsWith('word/'))) return 'docx'
  return names.some((name) => name.startsWith('xl/')) ? 'xlsx' : null
}

/** Whether the bytes are text: they contain no zeros, or are UTF-16 with a byte order mark or with zeros at every second byte. */
function isText(head: Uint8Array): boolean {
  if (!head.includes(0)) return true
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return true
  return [0, 1].some((parity) => head.every((byte, index) => index % 2 === parity || byte === 0))
}

function latin(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}
