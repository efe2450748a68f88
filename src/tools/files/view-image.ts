// view_image: an image among the thread's files, for the model to look at. Whether the model sees images, and has room for
// one more, is decided where the result is written down.

import * as z from 'zod'
import { bytesFault, imageKind } from '../../agent/image.ts'
import type { ToolCall, ToolResult } from '../../agent/tool.ts'
import type { FileAccess, FileRow } from '../../files/access.ts'
import { fullPath } from '../../files/path.ts'
import { BUSY_READING, whileReading } from '../../files/reading-queue.ts'
import { IMAGE_FILE_MAX_BYTES } from './limits.ts'
import { builtin, errorResult } from '../record/builtin.ts'
import { ownFile } from './own-path.ts'
import { inTurn } from './turns.ts'

/** By the ending of a name. */
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

async function view(files: FileAccess, asked: string, call: ToolCall): Promise<ToolResult> {
  const found = ownFile(asked, files)
  if (!found.ok) return errorResult(found.error)
  const row = found.value
  const full = fullPath(row.path)
  const ending = row.path.slice(row.path.lastIndexOf('.') + 1).toLowerCase()
  const named = Object.hasOwn(KINDS, ending) ? KINDS[ending] : undefined
  if (named === undefined)
    return errorResult(`${full} is not named as an image. PNG, JPEG, GIF and WebP can be shown.`)
  if (row.bytes > IMAGE_FILE_MAX_BYTES)
    return errorResult(
      `${full} has ${row.bytes} bytes; images up to ${IMAGE_FILE_MAX_BYTES} can be shown. Ask the user for a smaller one.`,
    )
  return whileReading(call, row.bytes, errorResult(BUSY_READING), () => viewed(files, row, named))
}

/** `named`: the kind that its name says. */
async function viewed(files: FileAccess, row: FileRow, named: string): Promise<ToolResult> {
  const full = fullPath(row.path)
  const bytes = await files.read(row)
  if (!bytes.ok) return errorResult(bytes.error)
  const kind = imageKind(bytes.value)
  if (kind === null)
    return errorResult(`${full} is no image: its first bytes are not those of a PNG, JPEG, GIF or WebP.`)
  if (kind !== named)
    return errorResult(
      `${full} holds ${kind}, but its name says ${named}. Ask the user for it under a name that says what it is.`,
    )
  const fault = bytesFault(kind, bytes.value)
  if (fault !== null) return errorResult(`${full} cannot be shown: ${fault}.`)
  const content = [
    { type: 'text', text: `${full} (${kind}, ${row.bytes} bytes):` } as const,
    files.image(row, kind),
  ]
  return { content, isError: false }
}
