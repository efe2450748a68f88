// Threads with recent writes, by the names and times of their files: messages accepted just before a kill are
// recorded only there. Knows Miniflare's layout of Durable Objects; opens none of the files.

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { WAKE_OBJECTS_MAX } from '../../src/api/routes/limits.ts'

/** `v3/do/<Worker>-<class>/<id of the object>.sqlite-wal`: the log of an open database. */
const THREADS = /-Thread$/
const LOG = /^([0-9a-f]{64})\.sqlite-wal$/

/** Ids of objects, newest first. Never throws: an unreadable folder has none. `since`: epoch ms. */
export function changedThreads(persist: string, since: number): readonly string[] {
  const root = join(persist, 'v3/do')
  const changed = names(root)
    .filter((folder) => THREADS.test(folder))
    .flatMap((folder) =>
      names(join(root, folder)).flatMap((file) => {
        const id = LOG.exec(file)?.[1]
        const at = id ? statSync(join(root, folder, file), { throwIfNoEntry: false })?.mtimeMs : undefined
        return id && at !== undefined && at >= since ? [{ id, at }] : []
      }),
    )
  return changed
    .toSorted((a, b) => b.at - a.at)
    .slice(0, WAKE_OBJECTS_MAX)
    .map(({ id }) => id)
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
