// Turns the changes that a command made into changes of the thread's files. Applies either all changes or none. Checks
// paths and sizes; quotas are checked when the files are stored.

import type { FileChange } from '../agent/tool.ts'
import type { FileAccess, Rewrite, StreamedContent } from '../files/access.ts'
import { DATA_ROOT, filePath, fullPath, pathFromRoot } from '../files/path.ts'
import { err, type Result } from '../lib/result.ts'
import {
  SANDBOX_CHANGES_SHOWN_MAX,
  SANDBOX_COPY_PART_BYTES,
  SANDBOX_FILES_MAX,
  SANDBOX_WRITE_MAX_BYTES,
} from './limits.ts'
import type { GuestChange, HostPiece } from './guest.ts'
import type { CommandTree } from './tree.ts'

/**
 * Ignores changes outside /mnt/user-data, such as in /tmp. If it fails with a message, nothing is written.
 */
export async function changesOf(
  changes: readonly GuestChange[],
  tree: Pick<CommandTree, 'sha256Before' | 'read'>,
  files: Pick<FileAccess, 'rewrite'>,
): Promise<Result<readonly FileChange[], string>> {
  const rewrites: Rewrite[] = []
  const refusedNames: string[] = []
  let totalBytes = 0
  for (const { path, bytes, pieces = [] } of changes) {
    const relative = pathFromRoot(path)
    if (relative === null) continue
    const checked = filePath(relative)
    if (!checked.ok) {
      refusedNames.push(`${JSON.stringify(path)}: ${checked.error}`)
      continue
    }
    const expect = tree.sha256Before(checked.value)
    if (bytes === null && expect === null) continue
    if (!pieces.every(isValidPiece)) return err(`${fullPath(checked.value)} has no content`)
    // The cast is safe: the bytes were copied from another isolate, so their buffer is not shared.
    const own = bytes as Uint8Array<ArrayBuffer> | null
    const content = own && pieces.length > 0 ? streamOf(pieces, own, tree) : own
    totalBytes += content instanceof Uint8Array ? content.length : (content?.bytes ?? 0)
    rewrites.push({ path: checked.value, content, expect })
  }
  if (refusedNames.length > 0)
    return err(`these names are not allowed below ${DATA_ROOT}: ${joinFirst(refusedNames, ' · ')}`)
  if (rewrites.length > SANDBOX_FILES_MAX || totalBytes > SANDBOX_WRITE_MAX_BYTES)
    return err(
      `${rewrites.length} files with ${totalBytes} bytes were written, but one command may write at most ${SANDBOX_FILES_MAX} files and ${SANDBOX_WRITE_MAX_BYTES} bytes. Write less`,
    )
  return files.rewrite(rewrites)
}

/** Untrusted: a guest can send any values. */
function isValidPiece({ source, offset, bytes }: HostPiece): boolean {
  return typeof source === 'string' && [offset, bytes].every((one) => Number.isSafeInteger(one) && one >= 0)
}

/** The content of `pieces`, followed by `rest`. */
function streamOf(
  pieces: readonly HostPiece[],
  rest: Uint8Array,
  tree: Pick<CommandTree, 'read'>,
): StreamedContent {
  return {
    bytes: pieces.reduce((sum, piece) => sum + piece.bytes, rest.length),
    parts: () => partsOf(pieces, rest, tree),
  }
}

async function* partsOf(
  pieces: readonly HostPiece[],
  rest: Uint8Array,
  tree: Pick<CommandTree, 'read'>,
): AsyncGenerator<Uint8Array> {
  for (const { source, offset, bytes } of pieces)
    for (let at = 0; at < bytes; at += SANDBOX_COPY_PART_BYTES) {
      const range = { offset: offset + at, length: Math.min(SANDBOX_COPY_PART_BYTES, bytes - at) }
      const part = await tree.read(source, range)
      if (!part) throw new Error(`there is no ${source}`)
      yield part
    }
  if (rest.length > 0) yield rest
}

/** Lists the changed files for the model; empty if none changed. */
export function changeSummary(changes: readonly FileChange[]): string {
  if (changes.length === 0) return ''
  const descriptions = changes.map(({ path, body }) =>
    body ? `${fullPath(path)} (${body.bytes} bytes)` : `${fullPath(path)} removed`,
  )
  return `Files changed: ${joinFirst(descriptions, ', ')}.`
}

function joinFirst(items: readonly string[], separator: string): string {
  const shownItems = items.slice(0, SANDBOX_CHANGES_SHOWN_MAX).join(separator)
  const omittedCount = items.length - SANDBOX_CHANGES_SHOWN_MAX
  return omittedCount > 0 ? `${shownItems}${separator}and ${omittedCount} more` : shownItems
}
