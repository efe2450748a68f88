// Build ⊕ custom versions ⊕ switches = one catalog's index. Pure; knows no store and no version numbers.

import type { IndexEntry, SkillIndex } from '../skill.ts'

/** A custom skill that is live, as its version was published, with its switches. */
export interface LiveCustom {
  readonly entry: IndexEntry
  readonly enabled: boolean
  readonly shareable: boolean
  readonly updatedAt: string
}

/** What a workspace has changed on top of any build. */
export interface Overlay {
  /** By skill name. */
  readonly custom: ReadonlyMap<string, LiveCustom>
  /** On or off for public skills; a name without one keeps what the build says. */
  readonly switches: ReadonlyMap<string, boolean>
}

function customEntry(live: LiveCustom, shadows: boolean): IndexEntry {
  return {
    ...live.entry,
    category: 'custom',
    enabled: live.enabled,
    shareable: live.shareable,
    updated_at: live.updatedAt,
    shadows,
  }
}

/**
 * A custom skill takes the place of the public one of its name. Sorted by name. An overlay that changes nothing
 * answers the build's own index, the same object, so that its address stays the build's.
 */
export function mergeIndex(build: SkillIndex, overlay: Overlay): SkillIndex {
  const publicNames = new Set(build.skills.map((entry) => entry.name))
  const switched = build.skills
    .filter((entry) => !overlay.custom.has(entry.name))
    .map((entry) => {
      const enabled = overlay.switches.get(entry.name) ?? entry.enabled
      return enabled === entry.enabled ? entry : { ...entry, enabled }
    })
  const untouched =
    overlay.custom.size === 0 && switched.every((entry, position) => entry === build.skills[position])
  if (untouched) return build
  const custom = Array.from(overlay.custom.values(), (live) =>
    customEntry(live, publicNames.has(live.entry.name)),
  )
  const skills = [...switched, ...custom].toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  return { format: 1, skills }
}
