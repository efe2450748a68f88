// What a command changed, as changes of the thread's files: all of it or nothing. Judges paths and sizes; quotas are the
// files' own.

import type { FileChange } from '../agent/tool.ts'
import type { FileAccess, Rewrite } from '../files/access.ts'
import { DATA_ROOT, filePath, fullPath, underRoot } from '../files/path.ts'
import { err, type Result } from '../lib/result.ts'
import { SANDBOX_CHANGES_SHOWN, SANDBOX_FILES_MAX, SANDBOX_WRITE_BYTES } from './limits.ts'
import type { GuestChange } from './guest.ts'
import type { CommandTree } from './tree.ts'

/** Fails with words: nothing is written then. What lies outside of /mnt/user-data is dropped, as /tmp is. */
export async function changesOf(
  changes: readonly GuestChange[],
  tree: Pick<CommandTree, 'before'>,
  files: Pick<FileAccess, 'rewrite'>,
): Promise<Result<readonly FileChange[], string>> {
  const wanted: Rewrite[] = []
  const refused: string[] = []
  let bytesAll = 0
  for (const { path, bytes } of changes) {
    const under = underRoot(path)
    if (under === null) continue
    const place = filePath(under)
    if (!place.ok) {
      refused.push(`${JSON.stringify(path)}: ${place.error}`)
      continue
    }
    const expect = tree.before(place.value)
    if (bytes === null && expect === null) continue
    bytesAll += bytes?.length ?? 0
    // It came over from another isolate: the buffer is its own.
    wanted.push({ path: place.value, bytes: bytes as Uint8Array<ArrayBuffer> | null, expect })
  }
  if (refused.length > 0)
    return err(`these names cannot be kept below ${DATA_ROOT}: ${shown(refused, ' · ')}`)
  if (wanted.length > SANDBOX_FILES_MAX || bytesAll > SANDBOX_WRITE_BYTES)
    return err(
      `${wanted.length} files with ${bytesAll} bytes were written; ${SANDBOX_FILES_MAX} files and ${SANDBOX_WRITE_BYTES} bytes are the most of one command. Write less`,
    )
  return files.rewrite(wanted)
}

/** What of the thread's files is another now, for the model; empty where nothing is. */
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
