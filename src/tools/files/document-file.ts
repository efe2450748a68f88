// read_file for documents such as PDF: returns lines of the text that a document reader extracts. Caches the extracted
// text, because the model often reads a second range.

import type { ToolCall, ToolResult } from '../../agent/tool.ts'
import type { FileRow } from '../../files/access.ts'
import type { DocumentKind, DocumentReader, DocumentText } from '../../files/documents/document.ts'
import { fullPath } from '../../files/path.ts'
import { utf8 } from '../../lib/bytes.ts'
import { CACHED_DOCUMENTS_MAX_CHARS } from './limits.ts'
import { errorResult } from '../record/builtin.ts'
import { lineRange, type LineRange } from './lines.ts'

/**
 * Extracted texts by type and SHA-256 of the document. All threads share them, because equal bytes give equal text. The
 * oldest entry is evicted first.
 */
const cachedTexts = new Map<string, DocumentText>()
let cachedChars = 0

/** The result is an error if the bytes are not a document of this kind, or if there is no reader for it. */
export async function readDocument(
  row: FileRow,
  kind: DocumentKind,
  bytes: Uint8Array,
  range: LineRange,
  documents: DocumentReader,
  call: Pick<ToolCall, 'signal' | 'queue'>,
): Promise<ToolResult> {
  const key = `${kind} ${row.sha256}`
  let document = cachedTexts.get(key)
  if (!document) {
    const extracted = await documents.read(kind, bytes, call)
    if (!extracted.ok) return errorResult(`${fullPath(row.path)}: ${extracted.error}`)
    document = extracted.value
    cacheText(key, document)
  }
  const shown = lineRange(utf8(document.text.toWellFormed()), range)
  return {
    content: `${shown ?? '(no text)'}\n[${describeDocument(kind, document)}]`,
    // No `file` note: the extracted text is not the complete file, so the model may not overwrite it.
    isError: false,
  }
}

function cacheText(key: string, document: DocumentText): void {
  if (document.text.length > CACHED_DOCUMENTS_MAX_CHARS || cachedTexts.has(key)) return
  cachedTexts.set(key, document)
  cachedChars += document.text.length
  for (const [oldest, { text: evicted }] of cachedTexts) {
    if (cachedChars <= CACHED_DOCUMENTS_MAX_CHARS) return
    cachedTexts.delete(oldest)
    cachedChars -= evicted.length
  }
}

const PART_NAMES: Readonly<Record<DocumentKind, readonly [one: string, many: string] | null>> = {
  pdf: ['page', 'pages'],
  xlsx: ['sheet', 'sheets'],
  docx: null,
  csv: null,
  html: null,
}

function describeDocument(kind: DocumentKind, { parts, cut }: DocumentText): string {
  const names = PART_NAMES[kind]
  const size = names ? ` with ${parts} ${parts === 1 ? names[0] : names[1]}` : ''
  return `The text of a ${kind.toUpperCase()} file${size}, as Markdown; line numbers refer to this text.${cut === null ? '' : ` ${cut}`}`
}
