// The port of a tool source: offers tools to a new thread, and provides their implementation later. A thread stores
// rows; the source, named in the row, has everything else.

import type { Tool, ToolLabel, ToolRow } from '../../agent/tool.ts'
import type { Result } from '../../lib/result.ts'
import type { GuardedFetch } from '../../net/fetch.ts'
import type { SecretsPort } from '../../secrets/port.ts'
import type { ToolEntry } from '../../skills/skill.ts'
import type { CreationFacts, BuiltinTool, ToolContext } from './builtin.ts'

export interface Offered {
  readonly row: ToolRow
  /** Null if it is in no group. */
  readonly group: string | null
  readonly label: ToolLabel | null
  /** Whether a new thread with these facts gets it. */
  readonly includedIf: (created: CreationFacts) => boolean
}

/** What sources read when a thread is created. */
export interface Offering {
  readonly builtins: readonly BuiltinTool[]
  /** Tools of the catalog, including disabled ones. */
  readonly entries: readonly ToolEntry[]
  /** The model has its own web search, and the workspace enabled it. */
  readonly searchesItself: boolean
}

/** What the calls of one run use. */
export interface RunTools {
  readonly builtins: readonly BuiltinTool[]
  readonly context: ToolContext
  /** All tools of the live catalog, including disabled ones. May throw when the catalog is down. */
  readonly live: () => Promise<Result<readonly ToolEntry[]>>
  /** The network access, before this run's secrets are masked in answers. */
  readonly fetch: GuardedFetch
  readonly secrets: SecretsPort
  /** The operator allows secrets in URLs. */
  readonly secretsInUrl: boolean
}

/**
 * Contract of an implementation: `offered` calls no server; `find` answers synchronously if it can. The properties of a
 * `Tool` apply to every source: the request that it sends (`preview`), what an approval binds (`definition`), when it
 * needs an approval (`approval`), and the sources of untrusted content in its results (`untrusted`).
 */
export interface ToolSource {
  /** Stored in each row of a thread. */
  readonly name: string
  /** An operator defined its tools, not the build. */
  readonly configured: boolean
  /** In the model's order. If two tools share a name, ignoring letter case, the earlier one counts. */
  offered(offering: Offering): Promise<readonly Offered[]>
  /** The group of a row, if its source fixes it. */
  groupOf(row: Pick<ToolRow, 'name'>): string | null
  /** The implementation of a row. Failure: a text for the model; null if there is none, and the reason is unknown. */
  find(row: ToolRow, run: RunTools): Result<Tool, string | null> | Promise<Result<Tool, string | null>>
}
