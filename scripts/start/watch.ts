// Reports changes below some folders: at once with the system's watcher, and by a bounded scan at intervals
// for changes that it misses. One call at a time; a change meanwhile causes one more.

import { watch, type FSWatcher } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { RESCAN_MAX_FILES, RESCAN_MS, WATCH_DEBOUNCE_MS } from './limits.ts'

/**
 * Calls `changed` after each change, never twice at once; scans for missed changes every `lookMs`
 * milliseconds. The returned function stops watching.
 */
export function watchFolders(
  folders: readonly string[],
  changed: () => Promise<void>,
  note: (text: string) => void,
  lookMs = RESCAN_MS,
): () => void {
  let timer: NodeJS.Timeout | null = null
  let busy = false
  let again = false
  let closed = false
  const run = async (): Promise<void> => {
    timer = null
    if (busy) {
      again = true
      return
    }
    busy = true
    do {
      again = false
      listen()
      await changed()
    } while (again && !closed)
    busy = false
  }
  const touch = (): void => {
    if (timer) clearTimeout(timer)
    if (!closed) timer = setTimeout(() => void run(), WATCH_DEBOUNCE_MS)
  }
  let watchers: readonly FSWatcher[] = []
  const deaf = new Set<string>()
  // Renewed before each scan: on Linux a recursive watcher misses changes in a folder after a file was
  // replaced, which is how most editors save.
  const listen = (): void => {
    for (const watcher of watchers) watcher.close()
    watchers = closed ? [] : folders.flatMap(open)
  }
  const open = (folder: string): FSWatcher[] => {
    try {
      const watcher = watch(folder, { recursive: true, persistent: false }, touch)
      watcher.on('error', () => watcher.close()) // the folder is gone, or too many are watched: the scan finds changes
      return [watcher]
    } catch (error) {
      if (!deaf.has(folder))
        note(
          `${folder} cannot be watched (${String(error)}): changes are found within ${lookMs / 1_000} s instead.`,
        )
      deaf.add(folder)
      return []
    }
  }
  listen()
  let last: string | null = null
  const look = setInterval(() => {
    void fingerprint(folders).then((now) => {
      if (last !== null && now !== last) touch()
      last = now
    })
  }, lookMs)
  look.unref()
  return () => {
    closed = true
    if (timer) clearTimeout(timer)
    clearInterval(look)
    for (const watcher of watchers) watcher.close()
  }
}

/** Names, sizes and times of the first RESCAN_MAX_FILES files below the folders. */
async function fingerprint(folders: readonly string[]): Promise<string> {
  const lines: string[] = []
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (lines.length >= RESCAN_MAX_FILES) return lines.join('\n')
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const info = await stat(path).catch(() => null)
      lines.push(`${path}\t${info?.size}\t${info?.mtimeMs}`)
    }
  }
  return lines.join('\n')
}
