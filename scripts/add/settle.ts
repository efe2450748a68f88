// The last step of adding skills: shows what will be written, asks, and writes the skills and the lock, all
// or nothing.

import { isYes, type Ask } from '../lib/ask.ts'
import { counted } from '../../src/lib/counted.ts'
import { harmlessLine, paint } from '../lib/terminal.ts'
import type { SourceSkill } from './item.ts'
import { decideVerdict } from './verdict.ts'
import { writeLock, type Lock, type LockEntry } from './lock.ts'
import { installedSkill, installSkills } from './install.ts'
import { printSummary } from './report.ts'

export interface SettleOptions {
  /** The folder that contains the skills' folders, and its display name. */
  readonly target: string
  readonly targetName: string
  /** The folder of the lock file. */
  readonly lockFolder: string
  readonly yes: boolean
  readonly force: boolean
  readonly update: boolean
  readonly dryRun: boolean
  readonly notes: boolean
}

export interface SettlePorts {
  readonly ask: Ask | null
  readonly say: (line: string) => void
  readonly complain: (text: string) => void
}

/**
 * Returns the exit status: 0 if done or nothing to do, 1 if refused, 2 if there is no terminal to confirm on.
 */
export async function settleItems(
  items: readonly SourceSkill[],
  lock: Lock,
  options: SettleOptions,
  ports: SettlePorts,
): Promise<0 | 1 | 2> {
  const itemsToWrite: SourceSkill[] = []
  const refusals: string[] = []
  let unchangedCount = 0
  for (const item of items) {
    const { folder, entry } = item
    const lockedEntry = lock.get(folder) ?? null
    const verdict = decideVerdict({
      lock: lockedEntry,
      disk: await installedSkill(options.target, folder),
      incoming: entry,
      update: options.update,
      force: options.force,
    })
    if (verdict.action === 'refuse') {
      refusals.push(`${folder} ${verdict.reason}.`)
      continue
    }
    if (lockedEntry && lockedEntry.source !== entry.source)
      ports.say(
        harmlessLine(
          `moved    ${folder}: its source in the lock is now ${entry.source}, not ${lockedEntry.source}`,
        ),
      )
    if (verdict.action === 'keep') unchangedCount += 1
    else {
      itemsToWrite.push(item)
      const errors = printSummary(item, verdict.label, options.notes, ports.say)
      if (errors > 0 && !options.force)
        refusals.push(`${folder} has ${counted(errors, 'error')} (above); pass --force to add it anyway.`)
    }
  }
  if (unchangedCount > 0) ports.say(paint('dim', `same     ${counted(unchangedCount, 'skill')}`))
  if (refusals.length > 0) {
    ports.complain(['Nothing was written:', ...refusals].join('\n'))
    return 1
  }
  const summary = `${counted(itemsToWrite.length, 'skill')} to ${options.targetName}`
  if (options.dryRun) {
    ports.say(`Without --dry-run, this would write ${summary}. Nothing was written.`)
    return 0
  }
  if (itemsToWrite.length > 0 && !options.yes) {
    if (!ports.ask) {
      ports.complain(
        `No terminal is available for confirmation. To write ${summary}, run the command again with --yes.`,
      )
      return 2
    }
    if (!isYes(await ports.ask(`Write ${summary}? [y/N] `))) {
      ports.say('Nothing was written.')
      return 1
    }
  }
  const replacedFolder = await installSkills(options.target, itemsToWrite, {
    beforeCommit: async () => writeLock(options.lockFolder, mergeLock(lock, items)),
  })
  if (replacedFolder !== null)
    ports.complain(`The replaced files could not be deleted; delete ${replacedFolder} yourself.`)
  ports.say(itemsToWrite.length > 0 ? `Wrote ${summary}.` : 'All skills already match the lock.')
  return 0
}

/**
 * Adds the entries to the lock, but not those that differ only in the commit: it may have changed other
 * files.
 */
function mergeLock(lock: Lock, items: readonly SourceSkill[]): Lock {
  const merged = new Map<string, LockEntry>(lock)
  for (const { folder, entry } of items) {
    const lockedEntry = lock.get(folder)
    const isSame =
      lockedEntry?.digest === entry.digest &&
      lockedEntry.source === entry.source &&
      lockedEntry.ref === entry.ref &&
      lockedEntry.path === entry.path
    if (!isSame) merged.set(folder, entry)
  }
  return merged
}
