// Downloads files of a thread and prints where each was saved, or why it was not. save.ts chooses names and
// paths.

import { basename } from 'node:path'

import { withRetries } from '../../src/client/retries.ts'
import { FILE_CEILING_BYTES } from '../../src/limits/settings.ts'
import { err, ok, type Result } from '../../src/lib/result.ts'
import { fullPath } from '../../src/files/path.ts'
import { complain } from '../lib/command.ts'
import { explainFailure, type Server } from '../lib/server.ts'
import { harmlessLine } from '../lib/terminal.ts'
import { saveFile } from './save.ts'

import type { ClientFailure } from '../../src/client/types.ts'

/**
 * Saves each of `paths` (relative to the root of the thread's files) below `folder`. Returns how many failed.
 */
export async function saveFiles(
  { client, url }: Pick<Server, 'client' | 'url'>,
  threadId: string,
  paths: readonly string[],
  folder: string,
): Promise<number> {
  let failedCount = 0
  for (const path of paths) {
    const bytes = await withRetries(async () => {
      const response = await client.requestFile(threadId, path)
      return response.ok ? readBytes(response.value) : response
    }, client.wait)
    const saved = bytes.ok ? await saveFile(folder, path, bytes.value) : err(explainFailure(bytes.error, url))
    if (saved.ok) console.log(harmlessLine(`saved: ${saved.value}${renameNote(path, saved.value)}`))
    else {
      complain(`${fullPath(path)} was not saved: ${saved.error}`)
      failedCount++
    }
  }
  return failedCount
}

/** A note with the original path if the file could not keep its name; otherwise empty. */
function renameNote(path: string, savedPath: string): string {
  return basename(savedPath) === basename(path) ? '' : `, which is ${fullPath(path)}`
}

/** Reads the entire body, or fails, because a partial file is worse than none. */
async function readBytes(response: Response): Promise<Result<Uint8Array, ClientFailure>> {
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const part of response.body ?? []) {
      bytes += part.length
      if (bytes > FILE_CEILING_BYTES)
        return err({ kind: 'broken', detail: `the file is larger than ${FILE_CEILING_BYTES} bytes` })
      parts.push(part)
    }
    return ok(Buffer.concat(parts))
  } catch (error) {
    return err({ kind: 'unreachable', detail: `the connection broke: ${String(error)}` })
  }
}
