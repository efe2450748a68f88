// Cleans up after an installation that was interrupted, such as by a power cut: moves the user's folders back.

import { readdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'

import { identify } from '../lib/processes.ts'
import { harmlessLine } from '../lib/terminal.ts'
import { exists, NEW_FOLDERS, OLD_FOLDERS, STAGING_PREFIX } from './install.ts'

/**
 * Moves the folders that an interrupted installation took out of `target` back, and deletes what it wrote. A folder
 * whose place is taken is the user's, so it is kept. Returns a line for each folder.
 */
export async function recoverInstallation(target: string): Promise<readonly string[]> {
  const lines: string[] = []
  for (const name of await namesIn(target)) {
    if (!name.startsWith(STAGING_PREFIX) || isRunning(name)) continue
    const staging = join(target, name)
    const old = join(staging, OLD_FOLDERS)
    for (const folder of await namesIn(old)) {
      const [from, to] = [join(old, folder), join(target, folder)]
      if (await exists(to))
        lines.push(
          `An interrupted run replaced ${harmlessLine(to)}. Your earlier folder is ${harmlessLine(from)}; delete it if you do not need it.`,
        )
      else {
        await rename(from, to)
        lines.push(`Moved ${harmlessLine(to)} back, which an interrupted run had taken away.`)
      }
    }
    await rm(join(staging, NEW_FOLDERS), { recursive: true, force: true })
    // Fails if folders are kept.
    for (const empty of [old, staging]) await rmdir(empty).catch(() => {})
  }
  return lines
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch((): string[] => [])).toSorted()
}

/** Whether the process in the name of a staging folder still runs, or another one with the same ID. */
function isRunning(name: string): boolean {
  const pid = Number(name.slice(STAGING_PREFIX.length).split('-', 1)[0])
  return Number.isInteger(pid) && pid > 0 && identify(pid) !== null
}
