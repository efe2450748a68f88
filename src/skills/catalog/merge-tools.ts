// Merges the build's tools with the workspace's tools and switches into one list. Pure.

import type { SkillIndex, ToolEntry, WholeTool } from '../skill.ts'

/** What a workspace decided about a tool of the build. A field that is absent comes from the build. */
export interface BuildToolChoice {
  readonly enabled?: boolean
  /** What an admin approved, if it is an MCP server. */
  readonly approved?: NonNullable<ToolEntry['approved']>
}

/** A workspace's tools and switches, which apply on top of any build. */
export interface ToolOverlay {
  /** By name: the live version of each of the workspace's tools. */
  readonly tools: ReadonlyMap<string, WholeTool>
  /** By name: only tools of the build that the workspace switched or approved. */
  readonly switches: ReadonlyMap<string, BuildToolChoice>
}

/** The live tool of that name, or null if there is none. */
export function toolIn(build: SkillIndex, overlay: ToolOverlay, name: string): ToolEntry | null {
  return overlay.tools.get(name) ?? buildTool(build, overlay, name)
}

/** The build's tool of that name with its switch applied, or null if there is none. */
export function buildTool(
  build: SkillIndex,
  { switches }: Pick<ToolOverlay, 'switches'>,
  name: string,
): ToolEntry | null {
  const entry = build.tools?.find((tool) => tool.name === name)
  return entry ? withSwitch(entry, switches) : null
}

function withSwitch(entry: ToolEntry, switches: ToolOverlay['switches']): ToolEntry {
  const { enabled = entry.enabled, approved } = switches.get(entry.name) ?? {}
  if (approved) return { ...entry, enabled, approved }
  return enabled === entry.enabled ? entry : { ...entry, enabled }
}

/**
 * The live tools, sorted by name. A workspace's tool replaces the build's tool of the same name. Returns the build's
 * own array if nothing differs.
 */
export function mergeTools(build: SkillIndex, overlay: ToolOverlay): readonly ToolEntry[] {
  const buildTools = build.tools ?? []
  const visible = buildTools
    .filter(({ name }) => !overlay.tools.has(name))
    .map((entry) => withSwitch(entry, overlay.switches))
  if (overlay.tools.size === 0 && visible.every((entry, index) => entry === buildTools[index]))
    return buildTools
  return [...visible, ...overlay.tools.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
