// read_file for the thread's files: returns lines of a text file, or of the text extracted from a document. For any
// other file it returns an error that names the file's type and says what to do instead.

import type { ToolCall, ToolResult } from '../../agent/tool.ts'
import type { FileRow } from '../../files/access.ts'
import { documentKind } from '../../files/documents/kind.ts'
import { BUSY_READING, whileReading } from '../../files/reading-queue.ts'
import { fullPath } from '../../files/path.ts'
import { FILE_MAX_BYTES } from '../../limits/settings.ts'
import { BINARY_CHECK_BYTES } from '../../limits/tools.ts'
import { errorResult, type ToolContext } from '../record/builtin.ts'
import { readDocument } from './document-file.ts'
import { lineRange, type LineRange } from './lines.ts'
import { countOf } from './listing.ts'
import { missingFileMessage } from './missing-path.ts'
import { runInTurn } from './scheduling.ts'

/** `path` is canonical and relative to /mnt/user-data. Parallel reads of a thread run one after another. */
export async function readDataFile(
  path: string,
  range: LineRange,
  context: Pick<ToolContext, 'files' | 'documents'>,
  call: ToolCall,
): Promise<ToolResult> {
  return runInTurn(context.files, call, () => readCurrentFile(path, range, context, call))
}

async function readCurrentFile(
  path: string,
  range: LineRange,
  { files, documents }: Pick<ToolContext, 'files' | 'documents'>,
  call: ToolCall,
): Promise<ToolResult> {
  const { signal } = call
  // The call ended while it waited for its turn.
  if (signal.aborted) return errorResult(`Reading ${fullPath(path)} was cancelled.`)
  const row = files.get(path)
  if (!row) {
    const isFolder = !path.includes('/') || files.list().some((file) => file.path.startsWith(`${path}/`))
    return errorResult(
      isFolder ? `${fullPath(path)} is a folder. List its files with ls.` : missingFileMessage(path, files),
    )
  }
  if (row.bytes > FILE_MAX_BYTES)
    return errorResult(
      `${fullPath(path)} has ${row.bytes} bytes, and read_file reads files of up to ${FILE_MAX_BYTES}. Read a part of it with a command, such as head, tail, sed -n or grep.`,
    )
  return whileReading(call, row.bytes, errorResult(BUSY_READING), () =>
    readRow(row, range, { files, documents }, call),
  )
}

async function readRow(
  row: FileRow,
  range: LineRange,
  { files, documents }: Pick<ToolContext, 'files' | 'documents'>,
  call: ToolCall,
): Promise<ToolResult> {
  const { path } = row
  if (call.signal.aborted) return errorResult(`Reading ${fullPath(path)} was cancelled.`)
  const bytes = await files.read(row)
  if (!bytes.ok) return errorResult(bytes.error)
  const kind = documentKind(path, bytes.value.subarray(0, DOCUMENT_HEAD_BYTES))
  // A CSV file is plain text, so its lines can be edited; only other encodings need conversion.
  const isPlainText = kind === null || kind === 'csv'
  const text = !isPlainText || isBinary(bytes.value) ? null : lineRange(bytes.value, range)
  if (text !== null)
    return { content: text, isError: false, notes: [{ type: 'file', path, sha256: row.sha256 }] }
  if (kind !== null && documents) return readDocument(row, kind, bytes.value, range, documents, call)
  return errorResult(notTextMessage(row, bytes.value))
}

/** Number of leading bytes from which the type of a document is detected. */
const DOCUMENT_HEAD_BYTES = 1_024

/** True if one of the first bytes is NUL, which text does not contain (same rule as deer-flow). */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, BINARY_CHECK_BYTES).includes(0)
}

const VIEWABLE_IMAGE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

function notTextMessage({ path, type, bytes: size }: FileRow, bytes: Uint8Array): string {
  const description = `${fullPath(path)} cannot be read as text: ${type}, ${countOf(size, 'byte')}.`
  if (VIEWABLE_IMAGE_TYPES.has(type)) return `${description} View it with view_image.`
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return `${description} It appears to be UTF-16. Ask the user for a UTF-8 version.`
  if (!isBinary(bytes))
    return `${description} It contains bytes that are not valid UTF-8. Ask the user for a UTF-8 version.`
  return `${description} Tell the user, or ask for the file in a text format.`
}
