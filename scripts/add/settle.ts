// The last step: shows what will be written, asks, writes the skills and then the lock. All or nothing.

import { isYes, type Ask } from '../lib/ask.ts'
import { counted } from '../../src/lib/counted.ts'
import { harmlessLine, paint } from '../lib/terminal.ts'
import type { SourceSkill } from './item.ts'
import { verdictOn } from './verdict.ts'
import { writeLock, type Lock, type LockEntry } from './lock.ts'
import { installSkills, standing } from './install.ts'
import { show } from './report.ts'

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

/** Exit status: 0 done or nothing to do, 1 refused, 2 confirmation needed without a terminal. */
export async function settleItems(
  items: readonly SourceSkill[],
  lock: Lock,
  options: SettleOptions,
  ports: SettlePorts,
): Promise<0 | 1 | 2> {
  const writing: SourceSkill[] = []
  const refused: string[] = []
  let same = 0
  for (const item of items) {
    const { folder, entry } = item
    const old = lock.get(folder) ?? null
    const verdict = verdictOn({
      lock: old,
      disk: await standing(options.target, folder),
      incoming: entry,
      update: options.update,
      force: options.force,
    })
    if (verdict.action === 'refuse') {
      refused.push(`${folder} ${verdict.why}.`)
      continue
    }
    if (old && old.source !== entry.source)
      ports.say(
        harmlessLine(`moved    ${folder}: the lock names ${entry.source} from now on, not ${old.source}`),
      )
    if (verdict.action === 'keep') same += 1
    else {
      writing.push(item)
      const errors = show(item, verdict.word, options.notes, ports.say)
      if (errors > 0 && !options.force)
        refused.push(`${folder} has ${counted(errors, 'error')} (above); --force takes it all the same.`)
    }
  }
  if (same > 0) ports.say(paint('dim', `same     ${counted(same, 'skill')}`))
  if (refused.length > 0) {
    ports.complain(['Nothing was written:', ...refused].join('\n'))
    return 1
  }
  const what = `${counted(writing.length, 'skill')} into ${options.shownTarget}`
  if (options.dryRun) {
    ports.say(`A real run would write ${what}. Nothing was written.`)
    return 0
  }
  if (writing.length > 0 && !options.yes) {
    if (!ports.ask) {
      ports.complain(`Nobody is here to be asked. To write ${what}, run it again with --yes.`)
      return 2
    }
    if (!isYes(await ports.ask(`Write ${what}? [y/N] `))) {
      ports.say('Nothing was written.')
      return 1
    }
  }
  const left = await installSkills(options.target, writing, {
    settled: async () => writeLock(options.home, merged(lock, items)),
  })
  if (left !== null) ports.complain(`The replaced files cannot be deleted; they are in ${left}.`)
  ports.say(writing.length > 0 ? `Wrote ${what}.` : 'Everything is as the lock says.')
  return 0
}

/** An entry with equal bytes and origin stays as it was: a later commit of other files is no change. */
function merged(lock: Lock, items: readonly SourceSkill[]): Lock {
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
