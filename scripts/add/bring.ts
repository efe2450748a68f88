// From a source, or from what the lock names, to skills in memory. Opens, chooses, loads; writes nothing.

import { resolve } from 'node:path'

import { err, ok, type Result } from '../../src/lib/result.ts'
import type { Ask } from '../lib/ask.ts'
import { oneLine, paint } from '../lib/terminal.ts'
import { choose, offerLines, twinLines, type Choice } from './choose.ts'
import { loadItems, type Item } from './item.ts'
import type { Lock, LockEntry } from './lock.ts'
import { openSource, type OpenDeps } from './open.ts'
import { lockedSource } from './origin.ts'
import { parseSource, sourceName } from './source.ts'

export interface BringPorts {
  readonly web: OpenDeps
  readonly ask: Ask | null
  readonly say: (line: string) => void
  /** The folder of the lock file: paths in it start there. */
  readonly home: string
}

/** `null`: there was nothing to take, only to list. */
export async function fromSource(
  text: string,
  ref: string | null,
  choice: Choice & { readonly list: boolean },
  ports: BringPorts,
): Promise<Result<readonly Item[] | null, string>> {
  const source = parseSource(text, ref)
  if (!source.ok) return source
  const opened = await openSource(source.value, ports.web)
  if (!opened.ok) return opened
  try {
    if (choice.list) {
      for (const line of offerLines(opened.value.offers)) ports.say(line)
      for (const problem of opened.value.problems) ports.say(`  (${oneLine(problem)})`)
      return ok(null)
    }
    const named = source.value.kind === 'github' ? source.value.skill : null
    const names = named === null ? choice.names : [...choice.names, named]
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
 * What the lock names, at the commit it names. `update`: at the branch or tag instead. `names` empty: all of it.
 */
export async function fromLock(
  lock: Lock,
  names: readonly string[],
  update: boolean,
  ports: BringPorts,
): Promise<Result<readonly Item[], string>> {
  const unknown = names.find((name) => !lock.has(name))
  if (unknown !== undefined) return err(`The lock names no skill ${oneLine(unknown)}.`)
  const groups = new Map<string, Map<string, LockEntry>>()
  for (const [folder, entry] of lock) {
    if (names.length > 0 && !names.includes(folder)) continue
    const key = JSON.stringify([entry.source, entry.ref, update ? null : entry.commit])
    groups.set(key, (groups.get(key) ?? new Map<string, LockEntry>()).set(folder, entry))
  }
  const items: Item[] = []
  for (const group of groups.values()) {
    const brought = await again(group, update, ports)
    if (!brought.ok) return brought
    items.push(...brought.value)
  }
  return ok(items)
}

/** Entries of one source, opened once. */
async function again(
  group: ReadonlyMap<string, LockEntry>,
  update: boolean,
  ports: BringPorts,
): Promise<Result<readonly Item[], string>> {
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
    for (const [folder, { path }] of group) {
      const offer = offers.find((one) => (hasPaths ? one.path === path : one.name === folder))
      if (!offer) return err([`${folder} is no longer at ${first.source}.`, ...problems].join('\n'))
      chosen.push(offer)
    }
    const loaded = await loadItems(opened.value, chosen, { source: first.source, ref: first.ref, hasPaths })
    if (!loaded.ok) return loaded
    const renamed = loaded.value.find(({ folder }) => !group.has(folder))
    if (renamed)
      return err(`A skill of ${first.source} is called ${oneLine(renamed.name)} now. Add it by that name.`)
    return loaded
  } finally {
    await opened.value.close()
  }
}
