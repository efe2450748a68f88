// The last step: show what is to be kept, ask, write it, and write down what was kept. All of it or nothing.

import { isYes, type Ask } from '../lib/ask.ts'
import { counted } from '../lib/counted.ts'
import { oneLine, paint } from '../lib/terminal.ts'
import type { Item } from './item.ts'
import { verdictOn, type Verdict } from './verdict.ts'
import { writeLock, type Lock, type LockEntry } from './lock.ts'
import { placeSkills, standing } from './place.ts'
import { show } from './report.ts'

export interface SettleOptions {
  /** The folder that holds the skills' folders, and what to call it. */
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

/** Exit status: 0 done or nothing to do, 1 refused, 2 nobody could be asked. */
export async function settle(
  items: readonly Item[],
  lock: Lock,
  options: SettleOptions,
  ports: SettlePorts,
): Promise<0 | 1 | 2> {
  const judged: { readonly item: Item; readonly verdict: Verdict }[] = []
  for (const item of items) {
    const verdict = verdictOn({
      lock: lock.get(item.folder) ?? null,
      disk: await standing(options.target, item.folder),
      incoming: item.entry,
      update: options.update,
      force: options.force,
    })
    judged.push({ item, verdict })
  }
  const writing = judged.filter(({ verdict }) => verdict.action === 'write')
  const refused: string[] = []
  for (const { item, verdict } of judged) {
    const old = lock.get(item.folder)
    if (verdict.action !== 'refuse' && old && old.source !== item.entry.source)
      ports.say(
        oneLine(
          `moved    ${item.folder}: the lock names ${item.entry.source} from now on, not ${old.source}`,
        ),
      )
    if (verdict.action === 'refuse') refused.push(`${item.folder} ${verdict.why}.`)
    if (verdict.action !== 'write') continue
    const errors = show(item, verdict.word, options.notes, ports.say)
    if (errors > 0 && !options.force)
      refused.push(`${item.folder} has ${counted(errors, 'error')} (above); --force takes it all the same.`)
  }
  const same =
    judged.length - writing.length - judged.filter(({ verdict }) => verdict.action === 'refuse').length
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
  await placeSkills(
    options.target,
    writing.map(({ item }) => item),
  )
  await writeLock(options.home, merged(lock, items))
  ports.say(writing.length > 0 ? `Wrote ${what}.` : 'Everything is as the lock says.')
  return 0
}

/** An entry whose bytes and origin are the same stays as it was: a later commit of other files is no change. */
function merged(lock: Lock, items: readonly Item[]): Lock {
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
