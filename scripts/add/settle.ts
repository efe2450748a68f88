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
  readonly shownTarget: string
  /** The folder of the lock file. */
  readonly home: string
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
  const toWrite: SourceSkill[] = []
  const refusals: string[] = []
  let unchangedCount = 0
  for (const item of items) {
    const { folder, entry } = item
    const old = lock.get(folder) ?? null
    const verdict = decideVerdict({
      lock: old,
      disk: await installedSkill(options.target, folder),
      incoming: entry,
      update: options.update,
      force: options.force,
    })
    if (verdict.action === 'refuse') {
      refusals.push(`${folder} ${verdict.why}.`)
      continue
    }
    if (old && old.source !== entry.source)
      ports.say(
        harmlessLine(`moved    ${folder}: its source in the lock is now ${entry.source}, not ${old.source}`),
      )
    if (verdict.action === 'keep') unchangedCount += 1
    else {
      toWrite.push(item)
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
  const what = `${counted(toWrite.length, 'skill')} to ${options.shownTarget}`
  if (options.dryRun) {
    ports.say(`Without --dry-run, this would write ${what}. Nothing was written.`)
    return 0
  }
  if (toWrite.length > 0 && !options.yes) {
    if (!ports.ask) {
      ports.complain(
        `No terminal is available for confirmation. To write ${what}, run the command again with --yes.`,
      )
      return 2
    }
    if (!isYes(await ports.ask(`Write ${what}? [y/N] `))) {
      ports.say('Nothing was written.')
      return 1
    }
  }
  const replacedFolder = await installSkills(options.target, toWrite, {
    beforeCommit: async () => writeLock(options.home, mergeLock(lock, items)),
  })
  if (replacedFolder !== null)
    ports.complain(`The replaced files could not be deleted; delete ${replacedFolder} yourself.`)
  ports.say(toWrite.length > 0 ? `Wrote ${what}.` : 'All skills already match the lock.')
  return 0
}

/**
 * Adds the entries to the lock, but not those that differ only in the commit: it may have changed other
 * files.
 */
function mergeLock(lock: Lock, items: readonly SourceSkill[]): Lock {
  const all = new Map<string, LockEntry>(lock)
  for (const { folder, entry } of items) {
    const old = lock.get(folder)
    const isSame =
      old?.digest === entry.digest &&
      old.source === entry.source &&
      old.ref === entry.ref &&
      old.path === entry.path
    if (!isSame) all.set(folder, entry)
  }
  return all
}
