// Merges a build with a workspace's custom skills, flags and tools into the index of one catalog. Pure.

import type { IndexEntry, SkillIndex } from '../skill.ts'
import { skillNamed } from '../view/visibility.ts'
import { mergeTools, type ToolOverlay } from './merge-tools.ts'

/** Flags set by a workspace, independent of the version. */
export type Flags = Pick<IndexEntry, 'enabled' | 'shareable'>

/** A workspace's skills, flags and tools, which apply on top of any build. */
export interface Overlay extends ToolOverlay {
  /** By name: the live version of each custom skill, with its flags and the time of its last change. */
  readonly custom: ReadonlyMap<string, IndexEntry>
  /** By name: the flags that the workspace set on built-in skills. All other flags come from the build. */
  readonly flags: ReadonlyMap<string, Partial<Flags>>
}

/** The live skill of that name, or null if there is none. */
export function entryIn(build: SkillIndex, overlay: Overlay, name: string): IndexEntry | null {
  const custom = overlay.custom.get(name)
  return custom ? customEntry(custom, build) : builtInEntry(build, overlay, name)
}

/** The built-in skill of that name with its flags applied, or null if there is none. */
export function builtInEntry(build: SkillIndex, overlay: Overlay, name: string): IndexEntry | null {
  const builtIn = skillNamed(build, name)
  return builtIn ? publicEntry(builtIn, overlay) : null
}

// The same state of a skill is always the same object, so that caches keyed by entry also work for the next index.
const shadowingEntries = new WeakMap<IndexEntry, IndexEntry>()

function customEntry(live: IndexEntry, build: SkillIndex): IndexEntry {
  if (!skillNamed(build, live.name)) return live
  const shadowingEntry = shadowingEntries.get(live) ?? { ...live, shadows: true }
  shadowingEntries.set(live, shadowingEntry)
  return shadowingEntry
}

function publicEntry(entry: IndexEntry, overlay: Overlay): IndexEntry {
  const { enabled = entry.enabled, shareable = entry.shareable } = overlay.flags.get(entry.name) ?? {}
  return enabled === entry.enabled && shareable === entry.shareable ? entry : { ...entry, enabled, shareable }
}

/**
 * The index of the live catalog, sorted by name. A custom skill replaces the built-in one of the same name. If nothing
 * differs from the build, returns the build's own index, so that its address stays the same. `tools` is absent if there
 * are none.
 */
export function mergeIndex(build: SkillIndex, overlay: Overlay): SkillIndex {
  const visible = build.skills
    .filter((entry) => !overlay.custom.has(entry.name))
    .map((entry) => publicEntry(entry, overlay))
  const tools = mergeTools(build, overlay)
  const isUnchanged =
    overlay.custom.size === 0 &&
    visible.every((entry, position) => entry === build.skills[position]) &&
    (tools === build.tools || tools.length + (build.tools?.length ?? 0) === 0)
  if (isUnchanged) return build
  const custom = Array.from(overlay.custom.values(), (live) => customEntry(live, build))
  const skills = [...visible, ...custom].toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  return tools.length > 0 ? { format: 1, skills, tools } : { format: 1, skills }
}
