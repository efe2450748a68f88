// The only function that decides whether an agent may see a skill. Prefix, notices, search, load, read, ls, slash,
// match and discovery all use it. Results for an index and an audience are cached as long as that index.

import { AUDIENCE_LISTS_MAX } from './limits.ts'
import { isListableName } from '../package/sharing.ts'
import type { IndexEntry, SkillIndex } from '../skill.ts'

export interface Audience {
  /** Names that this thread may see, and their dependencies; null: every skill. */
  readonly allow: readonly string[] | null
  /** Names that a person called in this run: visible even when they are hidden from the model. */
  readonly invoked: readonly string[]
}

/** The audience that may see every skill and called none. */
export const EVERYBODY: Audience = { allow: null, invoked: [] }

interface Known {
  readonly byName: ReadonlyMap<string, IndexEntry>
  /** By audience; the oldest entry is dropped first. */
  readonly views: Map<string, View>
  readonly byAudience: WeakMap<Audience, View>
  /** The public skills; null if not computed yet. */
  shared: readonly IndexEntry[] | null
}

interface View {
  /** The allow-list with dependencies; null: every name. */
  readonly allowed: ReadonlySet<string> | null
  readonly invoked: ReadonlySet<string>
  list: readonly IndexEntry[] | null
}

const known = new WeakMap<SkillIndex, Known>()

function about(index: SkillIndex): Known {
  const kept = known.get(index)
  if (kept) return kept
  const fresh: Known = {
    byName: new Map(index.skills.map((entry) => [entry.name, entry])),
    views: new Map(),
    byAudience: new WeakMap(),
    shared: null,
  }
  known.set(index, fresh)
  return fresh
}

function viewOf(index: SkillIndex, audience: Audience): View {
  const { byAudience } = about(index)
  const kept = byAudience.get(audience) ?? viewOfAlike(index, audience)
  byAudience.set(audience, kept)
  return kept
}

function viewOfAlike(index: SkillIndex, audience: Audience): View {
  const { byName, views } = about(index)
  // Calling a visible skill does not change the audience, so caches keyed by the list stay warm.
  const invoked = audience.invoked.filter((name) => byName.get(name)?.model_invocable === false).toSorted()
  const allow = audience.allow === null ? null : [...new Set(audience.allow)].toSorted()
  const key = JSON.stringify([allow, invoked])
  const kept = views.get(key)
  if (kept) return kept
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

/** Skills that are off or hidden from the model add no dependencies: only a visible skill makes others visible. */
function withDependencies(
  byName: ReadonlyMap<string, IndexEntry>,
  allow: readonly string[],
  invoked: ReadonlySet<string>,
): ReadonlySet<string> {
  const allowed = new Set(allow)
  // Iterating a Set includes names added meanwhile; the loop ends when nothing is added.
  for (const name of allowed) {
    const entry = byName.get(name)
    if (entry?.enabled && (entry.model_invocable || invoked.has(name)))
      for (const dependency of entry.dependencies) allowed.add(dependency)
  }
  return allowed
}

function sees(view: View, entry: IndexEntry): boolean {
  return (
    entry.enabled &&
    (entry.model_invocable || view.invoked.has(entry.name)) &&
    (view.allowed === null || view.allowed.has(entry.name))
  )
}

/** The entry of this name, visible or not: for messages to people, never to a model. */
export function skillNamed(index: SkillIndex, name: string): IndexEntry | undefined {
  return about(index).byName.get(name)
}

/** The skill of this name, if the audience may see it. Constant time. */
export function visibleSkill(index: SkillIndex, audience: Audience, name: string): IndexEntry | undefined {
  const entry = about(index).byName.get(name)
  return entry && sees(viewOf(index, audience), entry) ? entry : undefined
}

/**
 * The skills of an index that this audience may see, in index order: the same array for the same index and audience.
 */
export function visibleSkills(index: SkillIndex, audience: Audience): readonly IndexEntry[] {
  const view = viewOf(index, audience)
  view.list ??= index.skills.filter((entry) => sees(view, entry))
  return view.list
}

/**
 * Whether the live catalog still grants an audience a skill that it saw in an older index. The older index decides
 * which names it may see: a newer version with fewer dependencies takes nothing from a running run.
 */
export function stillVisible(now: IndexEntry, audience: Audience): boolean {
  return now.enabled && (now.model_invocable || audience.invoked.includes(now.name))
}

/** True when the skill is hidden from the audience only by its switch: its name is not secret, and it may return. */
export function switchedOff(index: SkillIndex, audience: Audience, name: string): boolean {
  const entry = about(index).byName.get(name)
  return entry?.enabled === false && sees(viewOf(index, audience), { ...entry, enabled: true })
}

/**
 * The tools of unauthenticated clients ask, not our model: `disable-model-invocation` does not hide a skill from
 * people.
 */
export function isShared(entry: IndexEntry): boolean {
  return entry.enabled && entry.shareable && !entry.internal && isListableName(entry.name)
}

/** The public skills, in index order: the same array for the same index. */
export function sharedSkills(index: SkillIndex): readonly IndexEntry[] {
  const kept = about(index)
  kept.shared ??= index.skills.filter(isShared)
  return kept.shared
}

/** The public skill of this name. Constant time. */
export function sharedSkill(index: SkillIndex, name: string): IndexEntry | undefined {
  const entry = about(index).byName.get(name)
  return entry && isShared(entry) ? entry : undefined
}
