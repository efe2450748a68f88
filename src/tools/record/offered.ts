// A tool that a source offers, and the facts about a new thread that decide whether it gets it.

import type { ToolLabel, ToolRow } from '../../agent/tool.ts'
import type { Result } from '../../lib/result.ts'
import type { ToolEntry } from '../../skills/skill.ts'
import type { StoredText } from '../../skills/store/tool-details.ts'

/** Facts about a new thread that decide which tools it gets. */
export interface CreationFacts {
  /** Whether the prompt lists every skill, so that a search for skills is unnecessary. */
  readonly describesAll: boolean
  /** Whether a search engine is configured. */
  readonly searchesWeb: boolean
  /** Whether the thread keeps a plan. */
  readonly plan: boolean
  /** Whether there are tools that are not in the model's list. */
  readonly defers: boolean
}

export interface OfferedTool {
  readonly row: ToolRow
  /** Null if the tool belongs to no group. */
  readonly group: string | null
  /** The MCP server that offers the tool, and the name that it has there. */
  readonly origin?: { readonly server: string; readonly tool: string }
  readonly label: ToolLabel | null
  /** Whether a new thread with these facts gets the tool. */
  readonly includedIf: (created: CreationFacts) => boolean
}

/** The part of a tool that the index of a catalog contains if its definition is in a separate object. */
export interface BriefRow extends Pick<ToolRow, 'name' | 'source' | 'effect' | 'approval'> {
  readonly spec?: never
  /** The beginning of its description, and the estimated tokens of its definition. */
  readonly line: string
  readonly tokens: number
  /** The entry that defines it. */
  readonly entry: ToolEntry
}

/** An offered tool whose definition may not have been read. */
export interface NamedTool extends Omit<OfferedTool, 'row'> {
  readonly row: ToolRow | BriefRow
}

export function isDefined(tool: NamedTool): tool is OfferedTool {
  return tool.row.spec !== undefined
}

/** The tools of a new window. */
export interface SplitTools<T extends NamedTool = OfferedTool> {
  /** The tools that it lists, some of which the prompt may then leave out. */
  readonly listed: readonly T[]
  /** The tools that the model can only search. */
  readonly deferred: readonly NamedTool[]
}

/** A tool with the text that a search uses. Its definition is parsed once it is found. */
export interface SearchedTool extends NamedTool {
  readonly text: StoredText
}

/** The tools of the current catalog that a run may find and call although they are not in the model's list. */
export interface DeferredCatalog {
  /** All configured tools of the catalog. The array is the same object as long as the catalog is the same. */
  readonly tools: readonly SearchedTool[]
  /** Whether the run may find and call this one. */
  readonly permits: (tool: NamedTool) => boolean
  /** The definitions of these tools, without those that cannot be used. */
  readonly define: (tools: readonly NamedTool[]) => Promise<Result<readonly OfferedTool[]>>
}
