// view_image: shows the model an image from the thread's files. Whether the model accepts images, and has space for one
// more, is decided when the result is written.

import * as z from 'zod'
import { imageBytesFault, imageMediaType } from '../../agent/image.ts'
import type { ToolCall, ToolResult } from '../../agent/tool.ts'
import type { FileAccess, FileRow } from '../../files/access.ts'
import { fullPath } from '../../files/path.ts'
import { BUSY_READING, whileReading } from '../../files/reading-queue.ts'
import { IMAGE_FILE_MAX_BYTES } from './limits.ts'
import { builtin, errorResult } from '../record/builtin.ts'
import { ownFile } from './own-path.ts'
import { inTurn } from './turns.ts'

/** By file extension. */
const KINDS: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}

export const VIEW_IMAGE = builtin({
  name: 'view_image',
  group: 'files',
  label: {
    icon: 'image',
    now: 'Looking at',
    past: 'Looked at',
    failed: 'Could not look at',
    many: 'pictures',
  },
  always: true,
  description: 'Shows you an image of the thread: PNG, JPEG, GIF or WebP under /mnt/user-data.',
  input: z.strictObject({
    path: z.string().min(1).describe('Full path, such as /mnt/user-data/uploads/photo.jpg.'),
  }),
  effect: 'read',
  run: ({ files }, { path }, call) => inTurn(files, call, () => view(files, path, call)),
})

async function view(files: FileAccess, writtenPath: string, call: ToolCall): Promise<ToolResult> {
  const found = ownFile(writtenPath, files)
  if (!found.ok) return errorResult(found.error)
  const row = found.value
  const full = fullPath(row.path)
  const ending = row.path.slice(row.path.lastIndexOf('.') + 1).toLowerCase()
  const named = Object.hasOwn(KINDS, ending) ? KINDS[ending] : undefined
  if (named === undefined)
    return errorResult(`${full} has no image extension. PNG, JPEG, GIF and WebP can be shown.`)
  if (row.bytes > IMAGE_FILE_MAX_BYTES)
    return errorResult(
      `${full} has ${row.bytes} bytes; images up to ${IMAGE_FILE_MAX_BYTES} can be shown. Ask the user for a smaller one.`,
    )
  return whileReading(call, row.bytes, errorResult(BUSY_READING), () => viewed(files, row, named))
}

/** `named`: the type by its extension. */
async function viewed(files: FileAccess, row: FileRow, named: string): Promise<ToolResult> {
  const full = fullPath(row.path)
  const bytes = await files.read(row)
  if (!bytes.ok) return errorResult(bytes.error)
  const kind = imageMediaType(bytes.value)
  if (kind === null)
    return errorResult(`${full} is not an image: its first bytes are not those of a PNG, JPEG, GIF or WebP.`)
  if (kind !== named)
    return errorResult(
      `${full} contains ${kind}, but its extension says ${named}. Ask the user for it with the right extension.`,
    )
  const fault = imageBytesFault(kind, bytes.value)
  if (fault !== null) return errorResult(`${full} cannot be shown: ${fault}.`)
  const content = [
    { type: 'text', text: `${full} (${kind}, ${row.bytes} bytes):` } as const,
    files.image(row, kind),
  ]
  return { content, isError: false }
}
