// read_file for the thread's files: text by lines, and the text of documents. Other files get an error that says what
// they are, and what to do.

import type { ToolCall, ToolResult } from '../../agent/tool.ts'
import type { FileRow } from '../../files/access.ts'
import { documentKind } from '../../files/documents/kind.ts'
import { BUSY_READING, whileReading } from '../../files/reading-queue.ts'
import { fullPath } from '../../files/path.ts'
import { BINARY_HEAD_BYTES } from '../../limits/tools.ts'
import { errorResult, type ToolContext } from '../record/builtin.ts'
import { readDocument } from './document-file.ts'
import { lineRange, type LineRange } from './lines.ts'
import { countOf } from './listing.ts'
import { noFile } from './missing.ts'
import { inTurn } from './turns.ts'

/** `path` relative to the root of the thread's files, in canonical form. Parallel reads take turns. */
export async function readDataFile(
  path: string,
  wanted: LineRange,
  context: Pick<ToolContext, 'files' | 'documents'>,
  call: ToolCall,
): Promise<ToolResult> {
  return inTurn(context.files, call, () => readNow(path, wanted, context, call))
}

async function readNow(
  path: string,
  wanted: LineRange,
  { files, documents }: Pick<ToolContext, 'files' | 'documents'>,
  call: ToolCall,
): Promise<ToolResult> {
  const { signal } = call
  // The call ended while it waited for its turn.
  if (signal.aborted) return errorResult(`Reading ${fullPath(path)} was cancelled.`)
  const row = files.get(path)
  if (!row) {
    const folder = !path.includes('/') || files.list().some((other) => other.path.startsWith(`${path}/`))
    return errorResult(
      folder ? `${fullPath(path)} is a folder. Use ls to see what is in it.` : noFile(path, files),
    )
  }
  return whileReading(call, row.bytes, errorResult(BUSY_READING), () =>
    readRow(row, wanted, { files, documents }, call),
  )
}

async function readRow(
  row: FileRow,
  wanted: LineRange,
  { files, documents }: Pick<ToolContext, 'files' | 'documents'>,
  call: ToolCall,
): Promise<ToolResult> {
  const { path } = row
  if (call.signal.aborted) return errorResult(`Reading ${fullPath(path)} was cancelled.`)
  const bytes = await files.read(row)
  if (!bytes.ok) return errorResult(bytes.error)
  const kind = documentKind(path, bytes.value.subarray(0, DOCUMENT_HEAD_BYTES))
  // A CSV file is plain text, so its lines can be edited; only other encodings need conversion.
  const asText = kind === null || kind === 'csv'
  const text = !asText || isBinary(bytes.value) ? null : lineRange(bytes.value, wanted)
  if (text !== null)
    return { content: text, isError: false, notes: [{ type: 'file', path, sha256: row.sha256 }] }
  if (kind !== null && documents) return readDocument(row, kind, bytes.value, wanted, documents, call)
  return errorResult(noText(row, bytes.value))
}

/** Enough of a document to detect its type. */
const DOCUMENT_HEAD_BYTES = 1_024

/** By its first bytes, like deer-flow: text has no NUL. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, BINARY_HEAD_BYTES).includes(0)
}

const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

function noText({ path, type, bytes: size }: FileRow, bytes: Uint8Array): string {
  const what = `${fullPath(path)} cannot be read as text: ${type}, ${countOf(size, 'byte')}.`
  if (IMAGES.has(type)) return `${what} View it with view_image.`
  const [a, b] = bytes
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff))
    return `${what} It starts like UTF-16: ask the user for it as UTF-8.`
  if (!isBinary(bytes)) return `${what} It contains bytes that are not UTF-8: ask the user for it as UTF-8.`
  return `${what} Tell the user, or ask for it in a text format.`
}
