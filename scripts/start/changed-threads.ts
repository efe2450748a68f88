// Finds threads with recent writes by the names and times of their files, because messages that were accepted just before
// a kill are recorded only there. Depends on Miniflare's layout of Durable Objects. Opens none of the files.

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { WAKE_OBJECTS_MAX } from '../../src/api/routes/limits.ts'

/** Together they match `v3/do/<Worker>-<class>/<id of the object>.sqlite-wal`, the log of an open database. */
const THREAD_FOLDER = /-Thread$/
const LOG_FILE = /^([0-9a-f]{64})\.sqlite-wal$/

/** IDs of the objects that changed since `sinceMs` (epoch), newest first. Ignores folders that cannot be read. */
export function changedThreads(persist: string, sinceMs: number): readonly string[] {
  const root = join(persist, 'v3/do')
  const changed = entryNames(root)
    .filter((folder) => THREAD_FOLDER.test(folder))
    .flatMap((folder) =>
      entryNames(join(root, folder)).flatMap((file) => {
        const id = LOG_FILE.exec(file)?.[1]
        const mtimeMs = id
          ? statSync(join(root, folder, file), { throwIfNoEntry: false })?.mtimeMs
          : undefined
        return id && mtimeMs !== undefined && mtimeMs >= sinceMs ? [{ id, mtimeMs }] : []
      }),
    )
  return changed
    .toSorted((a, b) => b.mtimeMs - a.mtimeMs)
    .slice(0, WAKE_OBJECTS_MAX)
    .map(({ id }) => id)
}

function entryNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
