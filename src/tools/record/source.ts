// The port of a source of tools: what it gives a thread that begins, and what carries out a call later. A thread keeps rows;
// everything else of a tool is asked of its source, by the name in the row.

import type { Tool, ToolLabel, ToolRow } from '../../agent/tool.ts'
import type { Result } from '../../lib/result.ts'
import type { GuardedFetch } from '../../net/fetch.ts'
import type { SecretsPort } from '../../secrets/port.ts'
import type { ToolEntry } from '../../skills/skill.ts'
import type { CreationFacts, BuiltinTool, ToolContext } from './builtin.ts'

export interface Offered {
  readonly row: ToolRow
  /** Null: it is in none. */
  readonly group: string | null
  readonly label: ToolLabel | null
  /** Whether a thread gets it that begins so. */
  readonly includedIf: (created: CreationFacts) => boolean
}

/** What sources look at when a thread begins. */
export interface Offering {
  readonly builtins: readonly BuiltinTool[]
  /** Tools of the catalog, switched off ones too. */
  readonly entries: readonly ToolEntry[]
  /** The model has a web search of its own, and the workspace wants it. */
  readonly searchesItself: boolean
}

/** What calls of one run are carried out with. */
export interface RunTools {
  readonly builtins: readonly BuiltinTool[]
  readonly context: ToolContext
  /** All tools of the catalog that is live now, switched off ones too. May throw when the catalog is down. */
  readonly live: () => Promise<Result<readonly ToolEntry[]>>
  /** The way out, before secrets of this run are masked in what comes back. */
  readonly fetch: GuardedFetch
  readonly secrets: SecretsPort
  /** The operator lets secrets stand in URLs. */
  readonly secretsInUrl: boolean
}

/**
 * Contract of an implementation: `offered` asks no server; `find` answers at once where it can. What a `Tool` says of
 * itself counts for every source alike: what a call would send (`preview`), what an approval binds (`definition`), when a
 * person is asked (`approval`); results name where untrusted content came from (`outside`).
 */
export interface ToolSource {
  /** Kept in each row of a thread. */
  readonly name: string
  /** An operator wrote its tools, and not the build. */
  readonly configured: boolean
  /** In the model's order. Of two with one name, letter case aside, the earlier one counts. */
  offered(offering: Offering): Promise<readonly Offered[]>
  /** The group of a row, where that is fixed. */
  groupOf(row: Pick<ToolRow, 'name'>): string | null
  /** What carries out calls. Fails in words for the model; null: there is nothing, and no more is known. */
  find(row: ToolRow, run: RunTools): Result<Tool, string | null> | Promise<Result<Tool, string | null>>
}
