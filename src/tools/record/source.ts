// The interface of a tool source, which offers tools to a new thread and later provides their implementation. A thread
// stores one row for each tool. The row names the source, which knows everything else.

import type { Tool, ToolRow } from '../../agent/tool.ts'
import type { Result } from '../../lib/result.ts'
import type { GuardedFetch, GuardedStream } from '../../net/fetch.ts'
import type { SecretsPort } from '../../secrets/port.ts'
import type { ToolEntry, WholeTool } from '../../skills/skill.ts'
import type { ReportObservation } from '../mcp/observation.ts'
import type { BuiltinTool, ToolContext } from './builtin.ts'
import type { NamedTool } from './offered.ts'

/** What a source knows when a thread is created. */
export interface OfferContext {
  readonly builtins: readonly BuiltinTool[]
  /** Tools of the catalog, including disabled ones. */
  readonly entries: readonly ToolEntry[]
  /** Whether the provider's own web search is available and enabled by the workspace. */
  readonly searchesItself: boolean
  /** The names of the tools that are needed; all if absent. More may be offered. */
  readonly only?: ReadonlySet<string>
}

/** What the tool calls of one run use. */
export interface RunTools {
  readonly builtins: readonly BuiltinTool[]
  readonly context: ToolContext
  /** Reads all tools of the current catalog, including disabled tools. Throws if the catalog is unavailable. */
  readonly live: () => Promise<Result<readonly ToolEntry[]>>
  /** Reads everything that is stored about these entries. */
  readonly whole: (entries: readonly ToolEntry[]) => Promise<Result<readonly WholeTool[]>>
  /** Network access whose responses do not have this run's secrets masked. */
  readonly fetch: GuardedFetch
  /** The same for responses that are read while they arrive. */
  readonly stream: GuardedStream
  readonly secrets: SecretsPort
  /** Runs this work when the run ends or waits. Not awaited, and it may be lost. */
  readonly onEnd: (work: () => Promise<void>) => void
  readonly reportMcpServer: ReportObservation
  /** Whether the operator allows secrets in URLs. */
  readonly secretsInUrl: boolean
}

/**
 * An implementation must not call a server in `offered`, and should return synchronously from `find` if possible. The
 * tools of every source must set the properties of `Tool` that describe the request they send (`preview`), what an
 * approval covers (`definition`) and when it is needed (`approval`), and name the sources of untrusted content in their
 * results (`untrusted`).
 */
export interface ToolSource {
  /** The name of the source that the rows of a thread store. */
  readonly name: string
  /** Whether an operator defined its tools, instead of the build. */
  readonly configured: boolean
  /**
   * The tools in the order in which the model receives them. Those of whole entries are defined. If the names of two tools differ at most in letter case,
   * the first tool is used.
   */
  offered(context: OfferContext): Promise<readonly NamedTool[]>
  /** The group of a stored tool, or null if the source does not define one. */
  groupOf(row: Pick<ToolRow, 'name'>): string | null
  /** The implementation of a stored tool. The error is a message for the model, or null if the reason is unknown. */
  find(row: ToolRow, run: RunTools): Result<Tool, string | null> | Promise<Result<Tool, string | null>>
}
