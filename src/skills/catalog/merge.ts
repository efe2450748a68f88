// Build ⊕ custom versions ⊕ flags = one catalog's index. Pure; knows no store and no version numbers.

import type { IndexEntry, SkillIndex } from '../skill.ts'
import { skillNamed } from '../view/visibility.ts'
import { mergeTools, type ToolOverlay } from './merge-tools.ts'

/** What is set by hand, whatever the version. */
export type Flags = Pick<IndexEntry, 'enabled' | 'shareable'>

/** What a workspace has changed on top of any build. */
export interface Overlay extends ToolOverlay {
  /** By name: as its version was published, with its flags and since when it is so. */
  readonly custom: ReadonlyMap<string, IndexEntry>
  /** Of public skills; what is not set is as the build says. */
  readonly flags: ReadonlyMap<string, Partial<Flags>>
}

/** Null: nothing lives under that name. */
export function entryIn(build: SkillIndex, overlay: Overlay, name: string): IndexEntry | null {
  const custom = overlay.custom.get(name)
  return custom ? customEntry(custom, build) : builtInEntry(build, overlay, name)
}

/** The same without custom skills. */
export function builtInEntry(build: SkillIndex, overlay: Overlay, name: string): IndexEntry | null {
  const builtIn = skillNamed(build, name)
  return builtIn ? publicEntry(builtIn, overlay) : null
}

// One object for one state of a skill, so that whoever keeps something by entry finds it again in the next index.
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
 * A custom skill takes the place of the public one of its name. Sorted by name. An overlay that changes nothing
 * answers the build's own index, the same object, so that its address stays the build's. Without tools there is no
 * list of them.
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
