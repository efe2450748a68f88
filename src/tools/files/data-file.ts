// read_file of one of the thread's files: text by lines, and documents as the text that is in them. Of
// all else it says what it is, and what to do with it.

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

/** `path` relative to the root of the thread's files, in its one form. Reads side by side take turns. */
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
  // Its turn came too late: nobody waits for it any more.
  if (signal.aborted) return errorResult(`Reading ${fullPath(path)} was called off.`)
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
  if (call.signal.aborted) return errorResult(`Reading ${fullPath(path)} was called off.`)
  const bytes = await files.read(row)
  if (!bytes.ok) return errorResult(bytes.error)
  const kind = documentKind(path, bytes.value.subarray(0, DOCUMENT_HEAD_BYTES))
  // A table is text as it stands, whose lines can be changed; only one in another encoding has to be made that.
  const asText = kind === null || kind === 'csv'
  const text = !asText || isBinary(bytes.value) ? null : lineRange(bytes.value, wanted)
  if (text !== null)
    return { content: text, isError: false, notes: [{ type: 'file', path, sha256: row.sha256 }] }
  if (kind !== null && documents) return readDocument(row, kind, bytes.value, wanted, documents, call)
  return errorResult(noText(row, bytes.value))
}

/** What tells the kind of a document stands in these. */
const DOCUMENT_HEAD_BYTES = 1_024

/** As deer-flow tells it, by its beginning: text has no NUL. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, BINARY_HEAD_BYTES).includes(0)
}

const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

function noText({ path, type, bytes: size }: FileRow, bytes: Uint8Array): string {
  const what = `${fullPath(path)} cannot be read as text: ${type}, ${countOf(size, 'byte')}.`
  if (IMAGES.has(type)) return `${what} Look at it with view_image.`
  const [a, b] = bytes
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff))
    return `${what} It begins as UTF-16 does: ask the person for it as UTF-8.`
  if (!isBinary(bytes)) return `${what} It holds bytes that are not UTF-8: ask the person for it as UTF-8.`
  return `${what} Say so to the person, or ask for it in a form that is text.`
}
