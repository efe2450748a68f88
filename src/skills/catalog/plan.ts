// The types of a planned change, and the overlay after it. Decides nothing.

import type { IndexEntry, SkillIndex, ToolEntry } from '../skill.ts'
import type { Result } from '../../lib/result.ts'
import type { Action, CatalogVersion, NewVersion } from './api.ts'
import type { Flags, Overlay } from './merge.ts'
import type { ToolOverlay } from './merge-tools.ts'
import type { NewTool } from './tools-api.ts'

/** Everything that a change does to one skill: one row of its history. */
export interface SkillEdit {
  readonly skill: string
  /** The custom version that becomes live, with its flags; null: none. Absent: no change. */
  readonly custom?: IndexEntry | null
  /** The published version of `custom`, to be stored with its findings. */
  readonly version?: NewVersion
  /** Flags that a workspace sets on the built-in skill of this name. The others come from the build. */
  readonly flags?: Partial<Flags>
  readonly action: Action
  readonly also: readonly Action[]
  readonly note: string | null
  /** The live digest before and after; null if there is none. */
  readonly before: string | null
  readonly after: string | null
}

/** Everything that a change does to one tool: one row of its history. */
export interface ToolEdit {
  readonly tool: string
  /** The workspace's version that becomes live; null: none. Absent: no change. */
  readonly custom?: ToolEntry | null
  /** The definition of `custom`, to be stored. */
  readonly version?: Pick<NewTool, 'definition'>
  /** The switch that a workspace sets on the build's tool of this name. */
  readonly enabled?: boolean
  readonly action: Action
  readonly also: readonly Action[]
  readonly note: string | null
  readonly before: string | null
  readonly after: string | null
}

export interface CatalogChange {
  readonly action: CatalogVersion['action']
  readonly note: string | null
  /** Each for another skill. Skills and tools together have at least one. */
  readonly edits: readonly SkillEdit[]
  /** Each for another tool. */
  readonly tools: readonly ToolEdit[]
}

/** The catalog for which a change is planned. */
export interface Snapshot {
  readonly sql: SqlStorage
  readonly overlay: Overlay
  readonly build: SkillIndex
  /** RFC 3339. */
  readonly now: string
}

/** Null if nothing changes. */
export type Plan = (at: Snapshot) => Result<CatalogChange | null>

/** Null if nothing changes. */
export function changeOf(
  edits: readonly SkillEdit[],
  note: string | null,
  tools: readonly ToolEdit[] = [],
): CatalogChange | null {
  const all = [...edits, ...tools]
  const [first] = all
  if (!first) return null
  const action = all.every((one) => one.action === first.action) ? first.action : 'commit'
  return { action, note, edits, tools }
}

/** The overlay after a change. */
export function applied(overlay: Overlay, change: CatalogChange | null): Overlay {
  if (!change) return overlay
  const custom = new Map(overlay.custom)
  const flags = new Map(overlay.flags)
  for (const edit of change.edits) {
    if (edit.custom) custom.set(edit.skill, edit.custom)
    else if (edit.custom === null) custom.delete(edit.skill)
    if (edit.flags) flags.set(edit.skill, { ...flags.get(edit.skill), ...edit.flags })
  }
  return { custom, flags, ...appliedTools(overlay, change.tools) }
}

/** The same for tools alone. */
export function appliedTools(overlay: ToolOverlay, edits: readonly ToolEdit[]): ToolOverlay {
  if (edits.length === 0) return { tools: overlay.tools, switches: overlay.switches }
  const tools = new Map(overlay.tools)
  const switches = new Map(overlay.switches)
  for (const { tool, custom, enabled } of edits) {
    if (custom) tools.set(tool, custom)
    else if (custom === null) tools.delete(tool)
    if (enabled !== undefined) switches.set(tool, enabled)
  }
  return { tools, switches }
}
