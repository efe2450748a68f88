// view_image: shows the model an image from the thread's files. Whether the model accepts images, and whether there is
// space for another, is decided when the result is stored.

import * as z from 'zod'
import { imageBytesFault, imageMediaType } from '../../agent/image.ts'
import type { ToolCall, ToolResult } from '../../agent/tool.ts'
import type { FileAccess, FileRow } from '../../files/access.ts'
import { fullPath } from '../../files/path.ts'
import { BUSY_READING, whileReading } from '../../files/reading-queue.ts'
import { IMAGE_FILE_MAX_BYTES } from './limits.ts'
import { builtin, errorResult } from '../record/builtin.ts'
import { findThreadFile } from './thread-path.ts'
import { runInTurn } from './scheduling.ts'

/** Media types by file extension. */
const IMAGE_TYPES: Readonly<Record<string, string>> = {
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
  description: 'Shows you an image of this conversation: a PNG, JPEG, GIF or WebP file under /mnt/user-data.',
  input: z.strictObject({
    path: z.string().min(1).describe('Full path, such as /mnt/user-data/uploads/photo.jpg.'),
  }),
  effect: 'read',
  run: ({ files }, { path }, call) => runInTurn(files, call, () => view(files, path, call)),
})

async function view(files: FileAccess, writtenPath: string, call: ToolCall): Promise<ToolResult> {
  const file = findThreadFile(writtenPath, files)
  if (!file.ok) return errorResult(file.error)
  const row = file.value
  const full = fullPath(row.path)
  const extension = row.path.slice(row.path.lastIndexOf('.') + 1).toLowerCase()
  const declaredType = Object.hasOwn(IMAGE_TYPES, extension) ? IMAGE_TYPES[extension] : undefined
  if (declaredType === undefined)
    return errorResult(
      `${full} does not have the extension of an image. Only PNG, JPEG, GIF and WebP files can be shown.`,
    )
  if (row.bytes > IMAGE_FILE_MAX_BYTES)
    return errorResult(
      `${full} has ${row.bytes} bytes, and only images up to ${IMAGE_FILE_MAX_BYTES} bytes can be shown. Ask the user for a smaller image.`,
    )
  return whileReading(call, row.bytes, errorResult(BUSY_READING), () => imageResult(files, row, declaredType))
}

/** `declaredType` is the media type that the extension of the file stands for. */
async function imageResult(files: FileAccess, row: FileRow, declaredType: string): Promise<ToolResult> {
  const full = fullPath(row.path)
  const bytes = await files.read(row)
  if (!bytes.ok) return errorResult(bytes.error)
  const actualType = imageMediaType(bytes.value)
  if (actualType === null)
    return errorResult(`${full} is not an image: its first bytes are not those of a PNG, JPEG, GIF or WebP.`)
  if (actualType !== declaredType)
    return errorResult(
      `${full} contains ${actualType}, but its extension stands for ${declaredType}. Ask the user for the file with the correct extension.`,
    )
  const fault = imageBytesFault(actualType, bytes.value)
  if (fault !== null) return errorResult(`${full} cannot be shown: ${fault}.`)
  const content = [
    { type: 'text', text: `${full} (${actualType}, ${row.bytes} bytes):` } as const,
    files.image(row, actualType),
  ]
  return { content, isError: false }
}
