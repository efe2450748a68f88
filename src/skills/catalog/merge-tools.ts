// Tools of the build ⊕ those of the workspace ⊕ switches = one catalog's tools. Pure.

import type { SkillIndex, ToolEntry } from '../skill.ts'

/** What a workspace has changed of tools on top of any build. */
export interface ToolOverlay {
  /** By name: the live version of each. */
  readonly tools: ReadonlyMap<string, ToolEntry>
  /** Whether tools of the build are on, where that is set by hand. */
  readonly switches: ReadonlyMap<string, boolean>
}

/** Null: no tool lives under that name. */
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

/** A tool of the workspace takes the place of the build's of its name. Sorted by name; the build's own list where nothing differs. */
export function mergeTools(build: SkillIndex, overlay: ToolOverlay): readonly ToolEntry[] {
  const given = build.tools ?? []
  const open = given
    .filter(({ name }) => !overlay.tools.has(name))
    .map((entry) => switched(entry, overlay.switches))
  if (overlay.tools.size === 0 && open.every((entry, at) => entry === given[at])) return given
  return [...open, ...overlay.tools.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
