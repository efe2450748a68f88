// Decides how a file is previewed, and reads the beginning of a file as text.

import type { Client } from '../../../client/client.ts'
import type { ClientFailure } from '../../../client/types.ts'
import { err, ok, type Result } from '../../../lib/result.ts'
import { PREVIEW_MAX_BYTES } from '../../lib/limits.ts'
import { extensionOf, nameOf, pictureType } from '../../run/files.ts'

export type PreviewKind = 'picture' | 'table' | 'prose' | 'page' | 'text'

/** File extensions of text files. */
const TEXT_EXTENSIONS = new Set(
  (
    'txt log ini toml env cfg conf json jsonl yaml yml xml css js mjs cjs jsx ts tsx py rb go rs java kt cs c h ' +
    'cpp hpp swift php sh bash zsh sql diff patch r lua pl tex rst'
  ).split(' '),
)
/** Names of text files that have no extension. */
const TEXT_FILE_NAMES = new Set(['dockerfile', 'makefile', 'license', 'readme'])

/** How a file is previewed, or null if it has no preview. */
export function previewKind(path: string): PreviewKind | null {
  const extension = extensionOf(path)
  if (pictureType(path)) return 'picture'
  if (extension === 'csv' || extension === 'tsv') return 'table'
  if (extension === 'md' || extension === 'markdown') return 'prose'
  if (extension === 'html' || extension === 'htm') return 'page'
  return TEXT_EXTENSIONS.has(extension) || TEXT_FILE_NAMES.has(nameOf(path).toLowerCase()) ? 'text' : null
}

/** The text of a file, up to PREVIEW_MAX_BYTES. `isCut`: the file is longer. */
export interface TextPreview {
  readonly text: string
  readonly isCut: boolean
}

/** Reads the beginning of a file as text. The value is null if the bytes are not text. */
export async function readText(
  client: Client,
  threadId: string,
  path: string,
): Promise<Result<TextPreview | null, ClientFailure>> {
  const response = await client.requestFile(threadId, path)
  if (!response.ok) return response
  const body = response.value.body
  if (!body) return ok({ text: '', isCut: false })
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    while (bytes <= PREVIEW_MAX_BYTES) {
      const { done, value } = await reader.read()
      if (done) break
      chunks.push(value)
      bytes += value.byteLength
    }
  } catch {
    return err({ kind: 'unreachable', detail: 'The connection was lost.' })
  }
  await reader.cancel().catch(() => {}) // may already be closed
  const joined = new Uint8Array(bytes)
  let offset = 0
  for (const chunk of chunks) {
    joined.set(chunk, offset)
    offset += chunk.byteLength
  }
  if (joined.subarray(0, 4_096).includes(0)) return ok(null)
  // In stream mode, the decoder drops an incomplete character at the end.
  const decoder = new TextDecoder()
  return ok({
    text: decoder.decode(joined.subarray(0, PREVIEW_MAX_BYTES), { stream: true }),
    isCut: bytes > PREVIEW_MAX_BYTES,
  })
}
