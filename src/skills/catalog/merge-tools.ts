// Merges the build's tools, the workspace's tools and switches into one list. Pure.

import type { SkillIndex, ToolEntry } from '../skill.ts'

/** A workspace's changes of tools on top of any build. */
export interface ToolOverlay {
  /** The live version of each, by name. */
  readonly tools: ReadonlyMap<string, ToolEntry>
  /** Whether a tool of the build is on, where a workspace set it. */
  readonly switches: ReadonlyMap<string, boolean>
}

/** Null: no live tool has that name. */
export function toolIn(build: SkillIndex, overlay: ToolOverlay, name: string): ToolEntry | null {
  return overlay.tools.get(name) ?? buildTool(build, overlay, name)
}

/** The same without tools of the workspace. */
export function buildTool(
  build: SkillIndex,
  { switches }: Pick<ToolOverlay, 'switches'>,
  name: string,
): ToolEntry | null {
  const entry = build.tools?.find((tool) => tool.name === name)
  return entry ? switched(entry, switches) : null
}

function switched(entry: ToolEntry, switches: ToolOverlay['switches']): ToolEntry {
  const enabled = switches.get(entry.name) ?? entry.enabled
  return enabled === entry.enabled ? entry : { ...entry, enabled }
}

/**
 * A workspace's tool replaces the build's tool of the same name. Sorted by name; the build's own list when nothing
 * differs.
 */
export function mergeTools(build: SkillIndex, overlay: ToolOverlay): readonly ToolEntry[] {
  const given = build.tools ?? []
  const open = given
    .filter(({ name }) => !overlay.tools.has(name))
    .map((entry) => switched(entry, overlay.switches))
  if (overlay.tools.size === 0 && open.every((entry, at) => entry === given[at])) return given
  return [...open, ...overlay.tools.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
