// Saves parts of a result that a model cannot read: audio, other binary data, and images that are too large for a
// result. The model receives the paths of the files.

import type { FileChange } from '../../agent/tool.ts'
import type { FileAccess } from '../../files/access.ts'
import { usualExtension } from '../../files/media-type.ts'
import { fullPath } from '../../files/path.ts'
import { fromBase64, fromUtf8, sha256Hex, utf8 } from '../../lib/bytes.ts'
import { isObject } from '../../lib/json-object.ts'
import { cutText } from '../../lib/text.ts'
import { TOOL_IMAGES_MAX_CHARS } from '../../limits/tools.ts'
import { MCP_RESULT_FILES_MAX } from './limits.ts'

interface SavedBinaries {
  readonly content: readonly unknown[]
  readonly changes: readonly FileChange[]
}

/** Image types that a model accepts. */
const SEEN_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** `tool` is the name of the tool for models; `mask` hides secrets in files of text. Other blocks are returned unchanged. */
export async function saveBinaries(
  content: readonly unknown[],
  tool: string,
  files: FileAccess,
  mask: (text: string) => string = (text) => text,
): Promise<SavedBinaries> {
  const changes = new Map<string, FileChange>()
  const blocks: unknown[] = []
  let room = TOOL_IMAGES_MAX_CHARS
  for (const block of content) {
    const binary = binaryIn(block)
    if (binary === null) {
      blocks.push(block)
      continue
    }
    const { type, data } = binary
    if (SEEN_TYPES.includes(type) && data.length <= room) {
      room -= data.length
      blocks.push(block)
      continue
    }
    const bytes = maskedBytes(fromBase64(data), mask)
    const what = `${cutText(type, 40)}, ${bytes?.length ?? 0} bytes`
    const note = (text: string): unknown => ({ type: 'text', text: `[${what}: ${text}]` })
    if (bytes === null) blocks.push(note('its data is not base64'))
    else if (changes.size >= MCP_RESULT_FILES_MAX)
      blocks.push(note('left out: the result has too many files'))
    else {
      const path = `workspace/results/${tool}-${(await sha256Hex(bytes)).slice(0, 16)}.${usualExtension(type)}`
      const isThere = changes.has(path) || files.get(path) !== undefined
      const written = isThere ? null : await files.write(path, bytes)
      if (written?.ok) changes.set(path, written.value)
      const how = SEEN_TYPES.includes(type) ? '. Look at it with view_image' : ''
      blocks.push(
        written?.ok === false
          ? note(`could not be stored: ${written.error}`)
          : note(`saved as ${fullPath(path)}${how}`),
      )
    }
  }
  return { content: blocks, changes: [...changes.values()] }
}

/** The bytes with secrets masked if they are text; otherwise the same bytes. */
function maskedBytes(
  bytes: Uint8Array<ArrayBuffer> | null,
  mask: (text: string) => string,
): Uint8Array<ArrayBuffer> | null {
  const text = bytes && fromUtf8(bytes)
  return text === null ? bytes : utf8(mask(text))
}

/** The data of an image, of audio, or of an embedded resource that is not text. */
function binaryIn(block: unknown): { readonly type: string; readonly data: string } | null {
  if (!isObject(block)) return null
  const { type, data, mimeType, resource } = block
  if (type === 'resource' && isObject(resource))
    return typeof resource['text'] === 'string' ? null : binaryOf(resource['blob'], resource['mimeType'])
  return type === 'image' || type === 'audio' ? binaryOf(data, mimeType) : null
}

function binaryOf(data: unknown, type: unknown): { readonly type: string; readonly data: string } | null {
  if (typeof data !== 'string') return null
  return { type: typeof type === 'string' ? type.toLowerCase() : 'application/octet-stream', data }
}
