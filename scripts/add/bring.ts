// Loads skills into memory, from a source or from the entries of the lock file. Writes nothing.

import { resolve } from 'node:path'

import { err, ok, type Result } from '../../src/lib/result.ts'
import type { Ask } from '../lib/ask.ts'
import { counted } from '../../src/lib/counted.ts'
import { harmlessLine, paint } from '../lib/terminal.ts'
import { choose, hiddenNote, listedOffers, offerLines, twinLines, type SkillChoice } from './choose.ts'
import { loadItems, type SourceSkill } from './item.ts'
import { LOCK_FILE, type Lock, type LockEntry } from './lock.ts'
import { twinNotes } from './offer.ts'
import { openSource, type OpenDeps } from './open.ts'
import { lockedSource } from './origin.ts'
import { standing } from './install.ts'
import { parseSource, sourceName } from './source.ts'
import { nearest, notHere } from './nearest.ts'

export interface BringPorts {
  readonly web: OpenDeps
  readonly ask: Ask | null
  readonly say: (line: string) => void
  /** The folder of the lock file: its paths are relative to it. */
  readonly home: string
  /** The folder that holds the skills' folders. */
  readonly target: string
}

/** `null`: there was nothing to add, only to list. */
export async function fromSource(
  text: string,
  ref: string | null,
  choice: SkillChoice & { readonly list: boolean },
  ports: BringPorts,
): Promise<Result<readonly SourceSkill[] | null, string>> {
  const source = await nearest(text, ref, ports.say)
  if (!source.ok) return source
  const opened = await openSource(source.value, ports.web)
  if (!opened.ok) return err(`${opened.error}${notHere(source.value, text)}`)
  try {
    const named = source.value.kind === 'github' ? source.value.skill : null
    const names = named === null ? choice.names : [...choice.names, named]
    if (choice.list) {
      const shown = listedOffers(opened.value.offers, names)
      if (!shown.ok) return shown
      for (const line of offerLines(shown.value)) ports.say(line)
      const { offers, problems } = opened.value
      const hidden = names.length > 0 ? [] : hiddenNote(offers)
      for (const problem of [...problems, ...twinNotes(offers), ...hidden])
        ports.say(`  (${harmlessLine(problem)})`)
      return ok(null)
    }
    const chosen = await choose(opened.value, { ...choice, names }, ports.ask, ports.say)
    if (!chosen.ok) return chosen
    for (const line of twinLines(opened.value.offers, chosen.value)) ports.say(paint('yellow', line))
    return await loadItems(opened.value, chosen.value, {
      source: lockedSource(source.value, ports.home),
      ref: source.value.kind === 'github' ? source.value.ref : null,
      hasPaths: source.value.kind !== 'site',
    })
  } finally {
    await opened.value.close()
  }
}

/**
 * The skills of the lock file at their recorded commits. Skips those whose files are unchanged on disk. `update`:
 * the current branch or tag instead. `names` empty: all.
 */
export async function fromLock(
  lock: Lock,
  names: readonly string[],
  update: boolean,
  ports: BringPorts,
): Promise<Result<readonly SourceSkill[], string>> {
  const unknown = names.find((name) => !lock.has(name))
  if (unknown !== undefined) return err(`The lock names no skill ${harmlessLine(unknown)}.`)
  const groups = new Map<string, Map<string, LockEntry>>()
  let here = 0
  for (const [folder, entry] of lock) {
    if (names.length > 0 && !names.includes(folder)) continue
    if (!update && (await isHere(folder, entry, ports))) {
      here += 1
      continue
    }
    const key = JSON.stringify([entry.source, entry.ref, update ? null : entry.commit])
    groups.set(key, (groups.get(key) ?? new Map<string, LockEntry>()).set(folder, entry))
  }
  if (here > 0) ports.say(paint('dim', `same     ${counted(here, 'skill')}`))
  const items: SourceSkill[] = []
  for (const group of groups.values()) {
    const brought = await again(group, update, ports)
    if (!brought.ok) return brought
    items.push(...brought.value)
  }
  return ok(items)
}

async function isHere(folder: string, { digest }: LockEntry, { target }: BringPorts): Promise<boolean> {
  return (await standing(target, folder))?.digest === digest
}

/** Loads the entries of one source, which is opened once. */
async function again(
  group: ReadonlyMap<string, LockEntry>,
  update: boolean,
  ports: BringPorts,
): Promise<Result<readonly SourceSkill[], string>> {
  const [first] = group.values()
  if (!first) return ok([])
  const parsed = parseSource(first.source, first.ref)
  if (!parsed.ok) return parsed
  const isLocal = parsed.value.kind === 'file' || parsed.value.kind === 'folder'
  const source = isLocal ? { ...parsed.value, path: resolve(ports.home, first.source) } : parsed.value
  const hasPaths = source.kind !== 'site'
  const exactly = hasPaths ? Array.from(group.values(), ({ path }) => path) : null
  ports.say(`… ${sourceName(parsed.value)}`)
  const opened = await openSource(source, ports.web, { commit: update ? null : first.commit, exactly })
  if (!opened.ok) return opened
  try {
    const { offers, problems } = opened.value
    const chosen = []
    for (const [folder, entry] of group) {
      const offer = offers.find((one) => (hasPaths ? one.path === entry.path : one.name === folder))
      if (offer) chosen.push(offer)
      else if (update && (await isHere(folder, entry, ports)))
        ports.say(
          paint('yellow', `${folder} is no longer at ${harmlessLine(first.source)}; it stays as it is here.`),
        )
      else {
        const fix = `Take it out of ${LOCK_FILE}, or name the others with --skill.`
        return err([`${folder} is no longer at ${first.source}. ${fix}`, ...problems].join('\n'))
      }
    }
    const loaded = await loadItems(opened.value, chosen, { source: first.source, ref: first.ref, hasPaths })
    if (!loaded.ok) return loaded
    const renamed = loaded.value.find(({ folder }) => !group.has(folder))
    if (renamed)
      return err(
        `A skill of ${first.source} is called ${harmlessLine(renamed.name)} now. Add it by that name.`,
      )
    return loaded
  } finally {
    await opened.value.close()
  }
}
