// The RPC interface of the Catalog object for HTTP tools. Their definitions are JSON that was checked before.

import type { ToolEntry } from '../skill.ts'

/** As `Expect` for a skill: the digest that must be live under the name; `*`: any; null: none; absent: no check. */
type Expected = string | null | undefined

/** A version of a tool, checked by the caller (src/tools/http/definition.ts). */
export interface NewTool extends Pick<ToolEntry, 'name' | 'digest' | 'definition'> {
  readonly expect?: Expected
}

/** A change of tools. Unpublishing removes one from the catalog; its versions and history are kept. */
export type ToolOperation =
  /** All of them in one catalog version, or none. Each name once. */
  | { readonly kind: 'upsert-tools'; readonly tools: readonly NewTool[]; readonly note: string | null }
  | ({ readonly tool: string; readonly expect?: Expected } & (
      | { readonly kind: 'patch-tool'; readonly enabled: boolean }
      /** `to`: a digest, or -1, -2 …: that many versions back, without versions that were rolled back from. */
      | { readonly kind: 'rollback-tool'; readonly to: string | number }
      | { readonly kind: 'delete-tool' }
    ))

/** A version that was stored here. */
export interface ToolVersion extends Pick<ToolEntry, 'digest' | 'definition'> {
  readonly created_at: string
  readonly author: string
  readonly note: string | null
}

export type ToolVersionInfo = Omit<ToolVersion, 'definition'> & { readonly live: boolean }

/** Names of tools, sorted. `switched`: their version stays. */
export interface ToolChanges {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  readonly switched: readonly string[]
}
