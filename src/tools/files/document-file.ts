// read_file for a document: the text that a reader extracts, by lines. The extracted text is cached for the next range.

import type { ToolCall, ToolResult } from '../../agent/tool.ts'
import type { FileRow } from '../../files/access.ts'
import type { DocumentKind, DocumentReader, DocumentText } from '../../files/documents/document.ts'
import { fullPath } from '../../files/path.ts'
import { utf8 } from '../../lib/bytes.ts'
import { DOCUMENT_TEXTS_KEPT_CHARS } from './limits.ts'
import { errorResult } from '../record/builtin.ts'
import { lineRange, type LineRange } from './lines.ts'

/** By content and type: the same bytes have the same text, whoever owns them. Oldest entries are dropped first. */
const kept = new Map<string, DocumentText>()
let chars = 0

/** `bytes`: of the file. Failure: a text for the model, if it is no such document, or there is no reader. */
export async function readDocument(
  row: FileRow,
  kind: DocumentKind,
  bytes: Uint8Array,
  wanted: LineRange,
  documents: DocumentReader,
  call: Pick<ToolCall, 'signal' | 'queue'>,
): Promise<ToolResult> {
  const key = `${kind} ${row.sha256}`
  let text = kept.get(key)
  if (!text) {
    const read = await documents.read(kind, bytes, call)
    if (!read.ok) return errorResult(`${fullPath(row.path)}: ${read.error}`)
    text = read.value
    keep(key, text)
  }
  const shown = lineRange(utf8(text.text.toWellFormed()), wanted)
  return {
    content: `${shown ?? '(no text)'}\n[${about(kind, text)}]`,
    // Does not mark the file as known: the extracted text is not all that the file contains.
    isError: false,
  }
}

function keep(key: string, text: DocumentText): void {
  if (text.text.length > DOCUMENT_TEXTS_KEPT_CHARS || kept.has(key)) return
  kept.set(key, text)
  chars += text.text.length
  for (const [oldest, { text: gone }] of kept) {
    if (chars <= DOCUMENT_TEXTS_KEPT_CHARS) return
    kept.delete(oldest)
    chars -= gone.length
  }
}

const PARTS: Readonly<Record<DocumentKind, readonly [one: string, many: string] | null>> = {
  pdf: ['page', 'pages'],
  xlsx: ['sheet', 'sheets'],
  docx: null,
  csv: null,
  html: null,
}

function about(kind: DocumentKind, { parts, cut }: DocumentText): string {
  const names = PARTS[kind]
  const size = names ? ` with ${parts} ${parts === 1 ? names[0] : names[1]}` : ''
  return `The text of a ${kind.toUpperCase()} file${size}, as Markdown; lines are counted in this text.${cut === null ? '' : ` ${cut}`}`
}
