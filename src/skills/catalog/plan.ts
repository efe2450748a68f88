// The types of a planned change, and the overlay that results from it. Makes no decisions.

import type { IndexEntry, SkillIndex, WholeTool } from '../skill.ts'
import type { Result } from '../../lib/result.ts'
import type { Action, CatalogVersion, NewVersion } from './api.ts'
import type { Flags, Overlay } from './merge.ts'
import type { BuildToolChoice, ToolOverlay } from './merge-tools.ts'
import type { NewTool } from './tools-api.ts'

/** Everything that a change does to one skill. It becomes one row of the skill's history. */
export interface SkillEdit {
  readonly skill: string
  /** The custom version that becomes live, with its flags; null if none is live afterwards; absent if unchanged. */
  readonly custom?: IndexEntry | null
  /** The published version of `custom`, to be stored with its findings. */
  readonly version?: NewVersion
  /** Flags that the workspace sets on the built-in skill of this name. All other flags come from the build. */
  readonly flags?: Partial<Flags>
  readonly action: Action
  readonly also: readonly Action[]
  readonly note: string | null
  /** The live digest before and after; null if there is none. */
  readonly before: string | null
  readonly after: string | null
}

/** Everything that a change does to one tool. It becomes one row of the tool's history. */
export interface ToolEdit {
  readonly tool: string
  /** The workspace's version that becomes live; null if none is live afterwards; absent if unchanged. */
  readonly custom?: WholeTool | null
  /** The definition of `custom`, to be stored. */
  readonly version?: Pick<NewTool, 'definition'>
  /** What the workspace decides about the build's tool of this name; absent if unchanged. */
  readonly ofBuild?: BuildToolChoice
  readonly action: Action
  readonly also: readonly Action[]
  readonly note: string | null
  readonly before: string | null
  readonly after: string | null
}

export interface CatalogChange {
  readonly action: CatalogVersion['action']
  readonly note: string | null
  /** At most one per skill. `edits` and `tools` are never both empty. */
  readonly edits: readonly SkillEdit[]
  /** At most one per tool. */
  readonly tools: readonly ToolEdit[]
}

/** The state of the catalog for which a change is planned. */
export interface Snapshot {
  readonly sql: SqlStorage
  readonly overlay: Overlay
  readonly build: SkillIndex
  /** RFC 3339. */
  readonly now: string
}

/** Computes a change from the state of the catalog; null if nothing would change. */
export type Plan = (snapshot: Snapshot) => Result<CatalogChange | null>

/** Combines edits into one change; null if there are none. */
export function changeOf(
  edits: readonly SkillEdit[],
  note: string | null,
  tools: readonly ToolEdit[] = [],
): CatalogChange | null {
  const allEdits = [...edits, ...tools]
  const [first] = allEdits
  if (!first) return null
  const action = allEdits.every((candidate) => candidate.action === first.action) ? first.action : 'commit'
  return { action, note, edits, tools }
}

/** The overlay after a change. */
export function applyChange(overlay: Overlay, change: CatalogChange | null): Overlay {
  if (!change) return overlay
  const custom = new Map(overlay.custom)
  const flags = new Map(overlay.flags)
  for (const edit of change.edits) {
    if (edit.custom) custom.set(edit.skill, edit.custom)
    else if (edit.custom === null) custom.delete(edit.skill)
    if (edit.flags) flags.set(edit.skill, { ...flags.get(edit.skill), ...edit.flags })
  }
  return { custom, flags, ...applyToolEdits(overlay, change.tools) }
}

/** The tools and switches after these edits. */
export function applyToolEdits(overlay: ToolOverlay, edits: readonly ToolEdit[]): ToolOverlay {
  if (edits.length === 0) return { tools: overlay.tools, switches: overlay.switches }
  const tools = new Map(overlay.tools)
  const switches = new Map(overlay.switches)
  for (const { tool, custom, ofBuild } of edits) {
    if (custom) tools.set(tool, custom)
    else if (custom === null) tools.delete(tool)
    if (ofBuild) switches.set(tool, { ...switches.get(tool), ...ofBuild })
  }
  return { tools, switches }
}
