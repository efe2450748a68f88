// The one function that decides whether an agent may know of a skill. Prefix, notices, search, load, read, ls, slash,
// match and discovery all ask it. What it answers for an index and an audience is kept as long as that index is.

import { AUDIENCE_LISTS_MAX } from './limits.ts'
import { isListableName } from '../package/sharing.ts'
import type { IndexEntry, SkillIndex } from '../skill.ts'

export interface Audience {
  /** Names this thread may see, and with them the skills that these depend on; null: every skill. */
  readonly allow: readonly string[] | null
  /** Names that a person called in this run: they are seen although they are kept from the model. */
  readonly invoked: readonly string[]
}

/** Whoever may see every skill and called none. */
export const EVERYBODY: Audience = { allow: null, invoked: [] }

interface Known {
  readonly byName: ReadonlyMap<string, IndexEntry>
  /** By what tells audiences apart; the oldest goes first. */
  readonly views: Map<string, View>
  readonly byAudience: WeakMap<Audience, View>
  /** What strangers may know of; null: nobody asked yet. */
  shared: readonly IndexEntry[] | null
}

interface View {
  /** The allow-list with its dependencies; null: every name. */
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
  // Calling a skill that is seen anyway makes no other audience: what is cached by the list's identity stays warm.
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

/** Skills that are off or kept from the model bring nothing with them: only what is seen makes others seen. */
function withDependencies(
  byName: ReadonlyMap<string, IndexEntry>,
  allow: readonly string[],
  invoked: ReadonlySet<string>,
): ReadonlySet<string> {
  const allowed = new Set(allow)
  // A set gives out what is added to it while it is walked: the walk ends when nothing new comes.
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

/** The entry of this name, seen or not: for words to people, never to a model. */
export function skillNamed(index: SkillIndex, name: string): IndexEntry | undefined {
  return about(index).byName.get(name)
}

/** The skill of this name, if the audience may know of it. Does not grow with the index. */
export function visibleSkill(index: SkillIndex, audience: Audience, name: string): IndexEntry | undefined {
  const entry = about(index).byName.get(name)
  return entry && sees(viewOf(index, audience), entry) ? entry : undefined
}

/** What this audience may know of an index, in the index's order: the very same array for the same index and audience. */
export function visibleSkills(index: SkillIndex, audience: Audience): readonly IndexEntry[] {
  const view = viewOf(index, audience)
  view.list ??= index.skills.filter((entry) => sees(view, entry))
  return view.list
}

/**
 * Whether what is live now still lets an audience have a skill that it saw in an older index. Names that it may see are
 * the older index's business: a newer version that depends on less takes nothing from a run that goes on.
 */
export function stillVisible(now: IndexEntry, audience: Audience): boolean {
  return now.enabled && (now.model_invocable || audience.invoked.includes(now.name))
}

/** True where only its switch keeps this skill from the audience: its name is no secret, and it may come back. */
export function switchedOff(index: SkillIndex, audience: Audience, name: string): boolean {
  const entry = about(index).byName.get(name)
  return entry?.enabled === false && sees(viewOf(index, audience), { ...entry, enabled: true })
}

/** Strangers' own tools ask, not a model of ours: `disable-model-invocation` hides nothing from people. */
export function isShared(entry: IndexEntry): boolean {
  return entry.enabled && entry.shareable && !entry.internal && isListableName(entry.name)
}

/** What somebody without a key may know of, in the index's order: the very same array for the same index. */
export function sharedSkills(index: SkillIndex): readonly IndexEntry[] {
  const kept = about(index)
  kept.shared ??= index.skills.filter(isShared)
  return kept.shared
}

/** The skill of this name, if strangers may know of it. Does not grow with the index. */
export function sharedSkill(index: SkillIndex, name: string): IndexEntry | undefined {
  const entry = about(index).byName.get(name)
  return entry && isShared(entry) ? entry : undefined
}
