// Turns the changes that a command made into changes of the thread's files; either all of them are made or
// none. Checks paths and sizes. Quotas are checked when the files are stored.

import type { FileChange } from '../agent/tool.ts'
import type { FileAccess, Rewrite } from '../files/access.ts'
import { DATA_ROOT, filePath, fullPath, underRoot } from '../files/path.ts'
import { err, type Result } from '../lib/result.ts'
import { SANDBOX_CHANGES_SHOWN, SANDBOX_FILES_MAX, SANDBOX_WRITE_BYTES } from './limits.ts'
import type { GuestChange } from './guest.ts'
import type { CommandTree } from './tree.ts'

/**
 * Ignores changes outside /mnt/user-data, such as in /tmp. If it fails with a message, nothing is written.
 */
export async function changesOf(
  changes: readonly GuestChange[],
  tree: Pick<CommandTree, 'before'>,
  files: Pick<FileAccess, 'rewrite'>,
): Promise<Result<readonly FileChange[], string>> {
  const wanted: Rewrite[] = []
  const refused: string[] = []
  let bytesAll = 0
  for (const { path, bytes } of changes) {
    const relative = underRoot(path)
    if (relative === null) continue
    const checked = filePath(relative)
    if (!checked.ok) {
      refused.push(`${JSON.stringify(path)}: ${checked.error}`)
      continue
    }
    const expect = tree.before(checked.value)
    if (bytes === null && expect === null) continue
    bytesAll += bytes?.length ?? 0
    // The cast is safe: the bytes were copied from another isolate, so their buffer is not shared.
    wanted.push({ path: checked.value, bytes: bytes as Uint8Array<ArrayBuffer> | null, expect })
  }
  if (refused.length > 0)
    return err(`these names are not allowed below ${DATA_ROOT}: ${shown(refused, ' · ')}`)
  if (wanted.length > SANDBOX_FILES_MAX || bytesAll > SANDBOX_WRITE_BYTES)
    return err(
      `${wanted.length} files with ${bytesAll} bytes were written, but one command may write at most ${SANDBOX_FILES_MAX} files and ${SANDBOX_WRITE_BYTES} bytes. Write less`,
    )
  return files.rewrite(wanted)
}

/** Lists the changed files for the model; empty if none changed. */
export function changeSummary(changes: readonly FileChange[]): string {
  if (changes.length === 0) return ''
  const each = changes.map(({ path, body }) =>
    body ? `${fullPath(path)} (${body.bytes} bytes)` : `${fullPath(path)} removed`,
  )
  return `Files changed: ${shown(each, ', ')}.`
}

function shown(items: readonly string[], between: string): string {
  const more = items.length - SANDBOX_CHANGES_SHOWN
  return items.slice(0, SANDBOX_CHANGES_SHOWN).join(between) + (more > 0 ? `${between}and ${more} more` : '')
}
