// Loads skills into memory, from a source or from the entries of the lock file. Writes nothing.

import { resolve } from 'node:path'

import { err, ok, type Result } from '../../src/lib/result.ts'
import type { Ask } from '../lib/ask.ts'
import { counted } from '../../src/lib/counted.ts'
import { harmlessLine, paint } from '../lib/terminal.ts'
import { chooseOffers, hiddenNote, listedOffers, offerLines, twinLines, type SkillChoice } from './choose.ts'
import { loadItems, type SourceSkill } from './item.ts'
import { LOCK_FILE, type Lock, type LockEntry } from './lock.ts'
import { twinNotes } from './offer.ts'
import { openSource, type OpenDeps } from './open.ts'
import { lockedSource } from './origin.ts'
import { installedSkill } from './install.ts'
import { parseSource, sourceName } from './source.ts'
import { resolveSource, noFolderHint } from './resolve-source.ts'

export interface LoadPorts {
  readonly web: OpenDeps
  readonly ask: Ask | null
  readonly say: (line: string) => void
  /** The folder of the lock file: its paths are relative to it. */
  readonly lockFolder: string
  /** The folder that holds the skills' folders. */
  readonly target: string
}

/** Loads the chosen skills of a source. Returns null if the skills were only listed. */
export async function loadFromSource(
  text: string,
  ref: string | null,
  choice: SkillChoice & { readonly list: boolean },
  ports: LoadPorts,
): Promise<Result<readonly SourceSkill[] | null, string>> {
  const source = await resolveSource(text, ref, ports.say)
  if (!source.ok) return source
  const opened = await openSource(source.value, ports.web)
  if (!opened.ok) return err(`${opened.error}${noFolderHint(source.value, text)}`)
  try {
    const sourceSkill = source.value.kind === 'github' ? source.value.skill : null
    const names = sourceSkill === null ? choice.names : [...choice.names, sourceSkill]
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
    const chosen = await chooseOffers(opened.value, { ...choice, names }, ports.ask, ports.say)
    if (!chosen.ok) return chosen
    for (const line of twinLines(opened.value.offers, chosen.value)) ports.say(paint('yellow', line))
    return await loadItems(opened.value, chosen.value, {
      source: lockedSource(source.value, ports.lockFolder),
      ref: source.value.kind === 'github' ? source.value.ref : null,
      hasPaths: source.value.kind !== 'site',
    })
  } finally {
    await opened.value.close()
  }
}

/**
 * Loads the skills of the lock file at their recorded commits, or with `update` at their current branch or
 * tag. Skips skills whose files on disk already match. If `names` is empty, loads all of them.
 */
export async function loadFromLock(
  lock: Lock,
  names: readonly string[],
  update: boolean,
  ports: LoadPorts,
): Promise<Result<readonly SourceSkill[], string>> {
  const unknownName = names.find((name) => !lock.has(name))
  if (unknownName !== undefined) return err(`${LOCK_FILE} has no skill named ${harmlessLine(unknownName)}.`)
  const groups = new Map<string, Map<string, LockEntry>>()
  let unchangedCount = 0
  for (const [folder, entry] of lock) {
    if (names.length > 0 && !names.includes(folder)) continue
    if (!update && (await isInstalled(folder, entry, ports))) {
      unchangedCount += 1
      continue
    }
    const key = JSON.stringify([entry.source, entry.ref, update ? null : entry.commit])
    groups.set(key, (groups.get(key) ?? new Map<string, LockEntry>()).set(folder, entry))
  }
  if (unchangedCount > 0) ports.say(paint('dim', `same     ${counted(unchangedCount, 'skill')}`))
  const items: SourceSkill[] = []
  for (const group of groups.values()) {
    const loaded = await loadLocked(group, update, ports)
    if (!loaded.ok) return loaded
    items.push(...loaded.value)
  }
  return ok(items)
}

/** Whether the files on disk are those of the lock entry. */
async function isInstalled(folder: string, { digest }: LockEntry, { target }: LoadPorts): Promise<boolean> {
  return (await installedSkill(target, folder))?.digest === digest
}

/** Opens the source that these lock entries have in common, and loads their skills. */
async function loadLocked(
  group: ReadonlyMap<string, LockEntry>,
  update: boolean,
  ports: LoadPorts,
): Promise<Result<readonly SourceSkill[], string>> {
  const [first] = group.values()
  if (!first) return ok([])
  const parsed = parseSource(first.source, first.ref)
  if (!parsed.ok) return parsed
  const isLocal = parsed.value.kind === 'file' || parsed.value.kind === 'folder'
  const source = isLocal ? { ...parsed.value, path: resolve(ports.lockFolder, first.source) } : parsed.value
  const hasPaths = source.kind !== 'site'
  const folders = hasPaths ? Array.from(group.values(), ({ path }) => path) : null
  ports.say(`… ${sourceName(parsed.value)}`)
  const opened = await openSource(source, ports.web, {
    commit: update ? null : first.commit,
    exactFolders: folders,
  })
  if (!opened.ok) return opened
  try {
    const { offers, problems } = opened.value
    const chosen = []
    for (const [folder, entry] of group) {
      const offer = offers.find(({ path, name }) => (hasPaths ? path === entry.path : name === folder))
      if (offer) chosen.push(offer)
      else if (update && (await isInstalled(folder, entry, ports)))
        ports.say(
          paint(
            'yellow',
            `${folder} is no longer at ${harmlessLine(first.source)}; your copy was left unchanged.`,
          ),
        )
      else {
        const fix = `Remove it from ${LOCK_FILE}, or name the other skills with --skill.`
        return err([`${folder} is no longer at ${first.source}. ${fix}`, ...problems].join('\n'))
      }
    }
    const loaded = await loadItems(opened.value, chosen, { source: first.source, ref: first.ref, hasPaths })
    if (!loaded.ok) return loaded
    const renamed = loaded.value.find(({ folder }) => !group.has(folder))
    if (renamed)
      return err(
        `A skill of ${first.source} was renamed to ${harmlessLine(renamed.name)}. Add it by that name.`,
      )
    return loaded
  } finally {
    await opened.value.close()
  }
}
