// Reports changes below some folders. Uses the system's watcher, and a bounded scan at intervals for changes that the
// watcher misses. Reports one change at a time; any changes during a report cause one more.

import { watch, type FSWatcher } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { RESCAN_FILES_MAX, RESCAN_MS, WATCH_DEBOUNCE_MS } from './limits.ts'

/**
 * Calls `onChange` after each change, never concurrently. Scans for missed changes every `scanMs` milliseconds. The
 * returned function stops watching.
 */
export function watchFolders(
  folders: readonly string[],
  onChange: () => Promise<void>,
  note: (text: string) => void,
  scanMs = RESCAN_MS,
): () => void {
  let timer: NodeJS.Timeout | null = null
  let isRunning = false
  let hasMoreChanges = false
  let isClosed = false
  const run = async (): Promise<void> => {
    timer = null
    if (isRunning) {
      hasMoreChanges = true
      return
    }
    isRunning = true
    do {
      hasMoreChanges = false
      renewWatchers()
      await onChange()
    } while (hasMoreChanges && !isClosed)
    isRunning = false
  }
  const scheduleRun = (): void => {
    if (timer) clearTimeout(timer)
    if (!isClosed) timer = setTimeout(() => void run(), WATCH_DEBOUNCE_MS)
  }
  let watchers: readonly FSWatcher[] = []
  const unwatched = new Set<string>()
  // Called before each report. On Linux, a recursive watcher misses changes in a folder after a file in it was replaced,
  // and most editors save by replacing files.
  const renewWatchers = (): void => {
    for (const watcher of watchers) watcher.close()
    watchers = isClosed ? [] : folders.flatMap(openWatcher)
  }
  const openWatcher = (folder: string): FSWatcher[] => {
    try {
      const watcher = watch(folder, { recursive: true, persistent: false }, scheduleRun)
      // The folder was deleted, or too many are watched. The scan finds its changes.
      watcher.on('error', () => watcher.close())
      return [watcher]
    } catch (error) {
      if (!unwatched.has(folder))
        note(
          `${folder} cannot be watched (${String(error)}): changes are found within ${scanMs / 1_000} s instead.`,
        )
      unwatched.add(folder)
      return []
    }
  }
  renewWatchers()
  let lastFingerprint: string | null = null
  const scanTimer = setInterval(() => {
    void fingerprint(folders).then((newFingerprint) => {
      if (lastFingerprint !== null && newFingerprint !== lastFingerprint) scheduleRun()
      lastFingerprint = newFingerprint
    })
  }, scanMs)
  scanTimer.unref()
  return () => {
    isClosed = true
    if (timer) clearTimeout(timer)
    clearInterval(scanTimer)
    for (const watcher of watchers) watcher.close()
  }
}

/** Names, sizes and times of the first RESCAN_FILES_MAX files below the folders. */
async function fingerprint(folders: readonly string[]): Promise<string> {
  const lines: string[] = []
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (lines.length >= RESCAN_FILES_MAX) return lines.join('\n')
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const info = await stat(path).catch(() => null)
      lines.push(`${path}\t${info?.size}\t${info?.mtimeMs}`)
    }
  }
  return lines.join('\n')
}
