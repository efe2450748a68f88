// Decides whether an agent may see a skill. Nothing else does: the system prompt, notices, search, load, read, ls,
// slash commands, matches and discovery all ask here. Results for an index and an audience are cached with that
// index.

import { AUDIENCE_LISTS_MAX } from './limits.ts'
import { isListableName } from '../package/sharing.ts'
import type { IndexEntry, SkillIndex } from '../skill.ts'

export interface Audience {
  /** Names of the skills that this thread may see, together with their dependencies; null for every skill. */
  readonly allow: readonly string[] | null
  /** Names of the skills that a person called in this run. They are visible even if they are hidden from the model. */
  readonly invoked: readonly string[]
}

/** The audience that may see every skill and has called none. */
export const EVERYBODY: Audience = { allow: null, invoked: [] }

interface IndexCache {
  readonly byName: ReadonlyMap<string, IndexEntry>
  /** By audience, as JSON. The oldest view is dropped first. */
  readonly views: Map<string, View>
  readonly byAudience: WeakMap<Audience, View>
  /** The skills that are shared publicly; null if not computed yet. */
  shared: readonly IndexEntry[] | null
}

interface View {
  /** The allow-list with dependencies; null for every name. */
  readonly allowed: ReadonlySet<string> | null
  readonly invoked: ReadonlySet<string>
  list: readonly IndexEntry[] | null
}

const cachesByIndex = new WeakMap<SkillIndex, IndexCache>()

function cacheOf(index: SkillIndex): IndexCache {
  const cached = cachesByIndex.get(index)
  if (cached) return cached
  const cache: IndexCache = {
    byName: new Map(index.skills.map((entry) => [entry.name, entry])),
    views: new Map(),
    byAudience: new WeakMap(),
    shared: null,
  }
  cachesByIndex.set(index, cache)
  return cache
}

function viewOf(index: SkillIndex, audience: Audience): View {
  const { byAudience } = cacheOf(index)
  const cached = byAudience.get(audience) ?? viewOfEqualAudience(index, audience)
  byAudience.set(audience, cached)
  return cached
}

function viewOfEqualAudience(index: SkillIndex, audience: Audience): View {
  const { byName, views } = cacheOf(index)
  // Calling a skill that is visible anyway does not change the view, so caches by its list of skills remain valid.
  const invoked = audience.invoked.filter((name) => byName.get(name)?.model_invocable === false).toSorted()
  const allow = audience.allow === null ? null : [...new Set(audience.allow)].toSorted()
  const key = JSON.stringify([allow, invoked])
  const cached = views.get(key)
  if (cached) return cached
  const called = new Set(invoked)
  const view: View = {
    allowed: allow && withDependencies(byName, allow, called),
    invoked: called,
    list: null,
  }
  const oldest = views.keys().next()
  if (views.size >= AUDIENCE_LISTS_MAX && !oldest.done) views.delete(oldest.value)
  views.set(key, view)
  return view
}

/** The allow-list with the dependencies of visible skills. Skills that are off or hidden from the model add none. */
function withDependencies(
  byName: ReadonlyMap<string, IndexEntry>,
  allow: readonly string[],
  invoked: ReadonlySet<string>,
): ReadonlySet<string> {
  const allowed = new Set(allow)
  // Iterating over a Set includes names that are added during the loop.
  for (const name of allowed) {
    const entry = byName.get(name)
    if (entry?.enabled && (entry.model_invocable || invoked.has(name)))
      for (const dependency of entry.dependencies) allowed.add(dependency)
  }
  return allowed
}

function canSee(view: View, entry: IndexEntry): boolean {
  return (
    entry.enabled &&
    (entry.model_invocable || view.invoked.has(entry.name)) &&
    (view.allowed === null || view.allowed.has(entry.name))
  )
}

/** The entry of this name, visible or not. Use it only for decisions and for messages to people, not to a model. */
export function skillNamed(index: SkillIndex, name: string): IndexEntry | undefined {
  return cacheOf(index).byName.get(name)
}

/** The skill of this name, if the audience may see it. Constant time. */
export function visibleSkill(index: SkillIndex, audience: Audience, name: string): IndexEntry | undefined {
  const entry = cacheOf(index).byName.get(name)
  return entry && canSee(viewOf(index, audience), entry) ? entry : undefined
}

/** The skills that this audience may see, in index order. The same array for the same index and audience. */
export function visibleSkills(index: SkillIndex, audience: Audience): readonly IndexEntry[] {
  const view = viewOf(index, audience)
  view.list ??= index.skills.filter((entry) => canSee(view, entry))
  return view.list
}

/**
 * Whether an audience may still use a skill that it saw in an older index. Checks only the skill's switches in the live
 * catalog, not the allow-list: a newer version with fewer dependencies takes nothing away from a run.
 */
export function stillVisible(liveEntry: IndexEntry, audience: Audience): boolean {
  return liveEntry.enabled && (liveEntry.model_invocable || audience.invoked.includes(liveEntry.name))
}

/** Whether only the skill's switch hides it from the audience. Its name may then be revealed. */
export function switchedOff(index: SkillIndex, audience: Audience, name: string): boolean {
  const entry = cacheOf(index).byName.get(name)
  return entry?.enabled === false && canSee(viewOf(index, audience), { ...entry, enabled: true })
}

/**
 * Whether a skill is publicly downloadable. `disable-model-invocation` does not matter, because it hides a skill from
 * the model, not from people.
 */
export function isShared(entry: IndexEntry): boolean {
  return entry.enabled && entry.shareable && !entry.internal && isListableName(entry.name)
}

/** The publicly downloadable skills, in index order. The same array for the same index. */
export function sharedSkills(index: SkillIndex): readonly IndexEntry[] {
  const cached = cacheOf(index)
  cached.shared ??= index.skills.filter(isShared)
  return cached.shared
}

/** The publicly downloadable skill of this name. Constant time. */
export function sharedSkill(index: SkillIndex, name: string): IndexEntry | undefined {
  const entry = cacheOf(index).byName.get(name)
  return entry && isShared(entry) ? entry : undefined
}
