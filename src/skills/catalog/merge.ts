// Build ⊕ custom versions ⊕ flags = one catalog's index. Pure; knows no store and no version numbers.

import type { IndexEntry, SkillIndex } from '../skill.ts'
import { skillNamed } from '../view/visibility.ts'

/** What is set by hand, whatever the version. */
export type Flags = Pick<IndexEntry, 'enabled' | 'shareable'>

/** A custom skill that is live, as its version was published, with its flags. */
export interface LiveCustom extends Flags {
  readonly entry: IndexEntry
  readonly updatedAt: string
}

/** What a workspace has changed on top of any build. */
export interface Overlay {
  /** By skill name. */
  readonly custom: ReadonlyMap<string, LiveCustom>
  /** Of public skills; what is not set is as the build says. */
  readonly flags: ReadonlyMap<string, Partial<Flags>>
}

/** Null: nothing lives under that name. */
export function entryIn(build: SkillIndex, overlay: Overlay, name: string): IndexEntry | null {
  const custom = overlay.custom.get(name)
  return custom
    ? customEntry(custom, skillNamed(build, name) !== undefined)
    : builtInEntry(build, overlay, name)
}

/** The same without custom skills. */
export function builtInEntry(build: SkillIndex, overlay: Overlay, name: string): IndexEntry | null {
  const builtIn = skillNamed(build, name)
  return builtIn ? publicEntry(builtIn, overlay) : null
}

// One object for one state of a skill, so that whoever keeps something by entry finds it again in the next index.
const merged = new WeakMap<LiveCustom, IndexEntry>()

function customEntry(live: LiveCustom, shadows: boolean): IndexEntry {
  const known = merged.get(live)
  if (known?.shadows === shadows) return known
  const entry: IndexEntry = {
    ...live.entry,
    category: 'custom',
    enabled: live.enabled,
    shareable: live.shareable,
    updated_at: live.updatedAt,
    shadows,
  }
  merged.set(live, entry)
  return entry
}

function publicEntry(entry: IndexEntry, overlay: Overlay): IndexEntry {
  const { enabled = entry.enabled, shareable = entry.shareable } = overlay.flags.get(entry.name) ?? {}
  return enabled === entry.enabled && shareable === entry.shareable ? entry : { ...entry, enabled, shareable }
}

/**
 * A custom skill takes the place of the public one of its name. Sorted by name. An overlay that changes nothing
 * answers the build's own index, the same object, so that its address stays the build's.
 */
export function mergeIndex(build: SkillIndex, overlay: Overlay): SkillIndex {
  const open = build.skills
    .filter((entry) => !overlay.custom.has(entry.name))
    .map((entry) => publicEntry(entry, overlay))
  const untouched =
    overlay.custom.size === 0 && open.every((entry, position) => entry === build.skills[position])
  if (untouched) return build
  const custom = Array.from(overlay.custom.values(), (live) =>
    customEntry(live, skillNamed(build, live.entry.name) !== undefined),
  )
  const skills = [...open, ...custom].toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  return { format: 1, skills }
}
