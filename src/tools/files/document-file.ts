// read_file of a document: the text that a reader makes of it, by lines. What was made is kept for the next range.

import type { ToolCall, ToolResult } from '../../agent/tool.ts'
import type { FileRow } from '../../files/access.ts'
import type { DocumentKind, DocumentReader, DocumentText } from '../../files/documents/document.ts'
import { fullPath } from '../../files/path.ts'
import { utf8 } from '../../lib/bytes.ts'
import { DOCUMENT_TEXTS_KEPT_CHARS } from './limits.ts'
import { errorResult } from '../record/builtin.ts'
import { lineRange, type LineRange } from './lines.ts'

/** By what was read and as what: the same bytes are the same text, whosoever they are. The oldest go first. */
const kept = new Map<string, DocumentText>()
let chars = 0

/** `bytes`: of the file. Fails in words where it is no such document, or there is no reader. */
export async function readDocument(
  row: FileRow,
  kind: DocumentKind,
  bytes: Uint8Array,
  wanted: LineRange,
  documents: DocumentReader,
  asked: Pick<ToolCall, 'signal' | 'queue'>,
): Promise<ToolResult> {
  const key = `${kind} ${row.sha256}`
  let text = kept.get(key)
  if (!text) {
    const read = await documents.read(kind, bytes, asked)
    if (!read.ok) return errorResult(`${fullPath(row.path)}: ${read.error}`)
    text = read.value
    keep(key, text)
  }
  const shown = lineRange(utf8(text.text.toWellFormed()), wanted)
  return {
    content: `${shown ?? '(no text)'}\n[${about(kind, text)}]`,
    // No note that the file is known: what was read is made of it, and what it holds besides nobody has seen.
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
