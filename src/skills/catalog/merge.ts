// Merges build, custom versions and flags into one catalog's index. Pure; knows no store and no version numbers.

import type { IndexEntry, SkillIndex } from '../skill.ts'
import { skillNamed } from '../view/visibility.ts'
import { mergeTools, type ToolOverlay } from './merge-tools.ts'

/** Flags set by a workspace, independent of the version. */
export type Flags = Pick<IndexEntry, 'enabled' | 'shareable'>

/** A workspace's changes on top of any build. */
export interface Overlay extends ToolOverlay {
  /** By name: the entry of the published version, with its flags and time. */
  readonly custom: ReadonlyMap<string, IndexEntry>
  /** Of built-in skills. A flag that is not set comes from the build. */
  readonly flags: ReadonlyMap<string, Partial<Flags>>
}

/** Null: no live skill has that name. */
export function entryIn(build: SkillIndex, overlay: Overlay, name: string): IndexEntry | null {
  const custom = overlay.custom.get(name)
  return custom ? customEntry(custom, build) : builtInEntry(build, overlay, name)
}

/** The same without custom skills. */
export function builtInEntry(build: SkillIndex, overlay: Overlay, name: string): IndexEntry | null {
  const builtIn = skillNamed(build, name)
  return builtIn ? publicEntry(builtIn, overlay) : null
}

// One object for one state of a skill, so that caches keyed by entry also work with the next index.
const shadowing = new WeakMap<IndexEntry, IndexEntry>()

function customEntry(live: IndexEntry, build: SkillIndex): IndexEntry {
  if (!skillNamed(build, live.name)) return live
  const known = shadowing.get(live) ?? { ...live, shadows: true }
  shadowing.set(live, known)
  return known
}

function publicEntry(entry: IndexEntry, overlay: Overlay): IndexEntry {
  const { enabled = entry.enabled, shareable = entry.shareable } = overlay.flags.get(entry.name) ?? {}
  return enabled === entry.enabled && shareable === entry.shareable ? entry : { ...entry, enabled, shareable }
}

/**
 * A custom skill replaces the built-in one of the same name. Sorted by name. An overlay without changes returns the
 * build's own index object, so that its address stays the same. Without tools the list is absent.
 */
export function mergeIndex(build: SkillIndex, overlay: Overlay): SkillIndex {
  const open = build.skills
    .filter((entry) => !overlay.custom.has(entry.name))
    .map((entry) => publicEntry(entry, overlay))
  const tools = mergeTools(build, overlay)
  const untouched =
    overlay.custom.size === 0 &&
    open.every((entry, position) => entry === build.skills[position]) &&
    (tools === build.tools || tools.length + (build.tools?.length ?? 0) === 0)
  if (untouched) return build
  const custom = Array.from(overlay.custom.values(), (live) => customEntry(live, build))
  const skills = [...open, ...custom].toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  return tools.length > 0 ? { format: 1, skills, tools } : { format: 1, skills }
}
