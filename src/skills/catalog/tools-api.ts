// What the Catalog object answers of tools from settings. Their definitions are JSON that was checked before it came here.

import type { ToolEntry } from '../skill.ts'

/** As `Expect` of a skill: digest that must be live under the name, `*`: any, null: nothing may be, absent: whatever is. */
type Expected = string | null | undefined

/** A version of a tool, checked by whoever sends it (src/tools/http/definition.ts). */
export interface NewTool extends Pick<ToolEntry, 'name' | 'digest' | 'definition'> {
  readonly expect?: Expected
}

/** What could be asked of tools. Unpublishing takes one out of the catalog; its versions and history stay. */
export type ToolWish =
  /** All of them in one catalog version, or none; each name once. */
  | { readonly kind: 'upsert-tools'; readonly tools: readonly NewTool[]; readonly note: string | null }
  | ({ readonly tool: string; readonly expect?: Expected } & (
      | { readonly kind: 'patch-tool'; readonly enabled: boolean }
      /** `to`: a digest, or -1, -2 …: that many versions back, never to what was rolled away from. */
      | { readonly kind: 'rollback-tool'; readonly to: string | number }
      | { readonly kind: 'delete-tool' }
    ))

/** A version that was put here. */
export interface ToolVersion extends Pick<ToolEntry, 'digest' | 'definition'> {
  readonly created_at: string
  readonly author: string
  readonly note: string | null
}

export type ToolVersionInfo = Omit<ToolVersion, 'definition'> & { readonly live: boolean }

/** Names of tools, sorted: `switched` are those whose version stays. */
export interface ToolChanges {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  readonly switched: readonly string[]
}
