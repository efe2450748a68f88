// What the panel shows of a file: as which kind, and its bytes, bounded. Whatever a file says it is, nothing in it is run.

import type { Client } from '../../../client/client.ts'
import type { ClientFailure } from '../../../client/types.ts'
import { err, ok, type Result } from '../../../lib/result.ts'
import { PREVIEW_BYTES } from '../../lib/limits.ts'
import { endingOf, nameOf, pictureType } from '../../run/files.ts'

export type PreviewKind = 'picture' | 'table' | 'prose' | 'text'

/** Endings of files that are text. */
const TEXTS = new Set(
  (
    'txt log ini toml env cfg conf json jsonl yaml yml xml html htm css js mjs cjs jsx ts tsx py rb go rs java kt cs c h ' +
    'cpp hpp swift php sh bash zsh sql diff patch r lua pl tex rst'
  ).split(' '),
)
/** Files whose names say that they are text. */
const NAMES = new Set(['dockerfile', 'makefile', 'license', 'readme'])

/** How a file is shown; null: only a program of its own can show it. */
export function previewKind(path: string): PreviewKind | null {
  const ending = endingOf(path)
  if (pictureType(path)) return 'picture'
  if (ending === 'csv' || ending === 'tsv') return 'table'
  if (ending === 'md' || ending === 'markdown') return 'prose'
  return TEXTS.has(ending) || NAMES.has(nameOf(path).toLowerCase()) ? 'text' : null
}

/** Text of a file, at most PREVIEW_BYTES of it; `cut`: there is more. */
export interface TextRead {
  readonly text: string
  readonly cut: boolean
}

/** The beginning of a file as text; null: its bytes are none. */
export async function readText(
  client: Client,
  threadId: string,
  path: string,
): Promise<Result<TextRead | null, ClientFailure>> {
  const response = await client.file(threadId, path)
  if (!response.ok) return response
  const body = response.value.body
  if (!body) return ok({ text: '', cut: false })
  const reader = body.getReader()
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    while (bytes <= PREVIEW_BYTES) {
      const { done, value } = await reader.read()
      if (done) break
      parts.push(value)
      bytes += value.byteLength
    }
  } catch {
    return err({ kind: 'unreachable', detail: 'The connection was lost.' })
  }
  await reader.cancel().catch(() => {}) // it may be over already
  const all = new Uint8Array(bytes)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.byteLength
  }
  if (all.subarray(0, 4_096).includes(0)) return ok(null)
  // A letter that is cut in two ends as nothing.
  const decoder = new TextDecoder()
  return ok({
    text: decoder.decode(all.subarray(0, PREVIEW_BYTES), { stream: true }),
    cut: bytes > PREVIEW_BYTES,
  })
}
