// The types of the Catalog object's RPC interface for HTTP tools and MCP servers. Callers must validate definitions
// first.

import type { ToolEntry } from '../skill.ts'

/** The digest that must be live under the name, `*` for any, null for none, undefined for no check. */
type Expected = string | null | undefined

/** A version of a tool, checked by the caller (src/tools/). */
export interface NewTool extends Pick<ToolEntry, 'name' | 'digest' | 'definition'> {
  readonly expect?: Expected
}

/** A change of tools. Deleting a tool removes it from the catalog; its versions and history are kept. */
export type ToolOperation =
  /** Creates or replaces all of the tools in one catalog version, or none. Each name may occur once. */
  | { readonly kind: 'upsert-tools'; readonly tools: readonly NewTool[]; readonly note: string | null }
  | ({ readonly tool: string; readonly expect?: Expected } & (
      | { readonly kind: 'patch-tool'; readonly enabled: boolean }
      /** `to` is a digest, or -1, -2 …: how many versions to go back, skipping those that were rolled back from. */
      | { readonly kind: 'rollback-tool'; readonly to: string | number }
      | { readonly kind: 'delete-tool' }
      /** Stores what an admin approved of an MCP server, which makes no new version. */
      | { readonly kind: 'approve-tool'; readonly approved: NonNullable<ToolEntry['approved']> }
    ))

/** A version of a tool, as it was stored. */
export interface ToolVersion extends Pick<ToolEntry, 'digest' | 'definition'> {
  readonly created_at: string
  readonly author: string
  readonly note: string | null
}

export type ToolVersionInfo = Omit<ToolVersion, 'definition'> & { readonly live: boolean }

/** The names of changed tools by kind of change, sorted. `switched` tools keep their version. */
export interface ToolChanges {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  readonly switched: readonly string[]
}
