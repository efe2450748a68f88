// The parts of a thread: its storage, its rows, its log, and the ports to the platform. Only holder.ts
// assembles them; each function declares which parts it uses.

import type { EndpointApi } from '../callbacks/api.ts'
import type { Clock } from '../lib/clock.ts'
import type { Result } from '../lib/result.ts'
import type { GuardedFetch, GuardedStream } from '../net/fetch.ts'
import type { ModelRegistry } from '../model/registry.ts'
import type { DocumentReader } from '../files/documents/document.ts'
import type { FileTree } from '../files/tree.ts'
import type { FileQuotas } from '../files/quota.ts'
import type { FileStore } from '../files/store.ts'
import type { WorkspaceSettings } from '../settings/settings.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Sealer } from '../secrets/seal.ts'
import type { SkillAccess } from '../skills/view/access.ts'
import type { Audience } from '../skills/view/visibility.ts'
import type { LiveCatalog, RankedCatalog, SkillIndex, ToolEntry, WholeTool } from '../skills/skill.ts'
import type { BuiltinTool } from '../tools/record/builtin.ts'
import type { WebSearch } from '../tools/web/search/search.ts'
import type { WorkspaceApi } from '../workspace/api.ts'
import type { ForkApi } from './fork/api.ts'
import type { CopyInTurn } from './fork/copy-queue.ts'
import type { Alarm } from './executor/alarm.ts'
import type { Approvals } from './rows/approvals.ts'
import type { Journal } from './rows/journal.ts'
import type { PartialAnswer } from './events/partial-answer.ts'
import type { EventLog } from './events/log.ts'
import type { Readers } from './events/readers.ts'
import type { Revealed } from './rows/revealed.ts'
import type { Runs } from './rows/runs.ts'
import type { Sources } from './rows/sources.ts'
import type { SkillLoads } from './rows/skill-loads.ts'
import type { Steered } from './rows/steered.ts'
import type { ThreadRow } from './rows/thread-row.ts'
import type { Transcript } from './rows/transcript.ts'
import type { Waits } from './rows/waits.ts'
import type { HookApi, RunStarterApi } from '../webhooks/api.ts'
import type { RunEndWaiters } from './executor/run-end-waiters.ts'

/** Everything that is not in the thread's own object. */
export interface ThreadPorts {
  readonly now: Clock
  readonly newId: (prefix: 'run' | 'msg' | 'obj') => string
  /** Returns a random number in [0, 1). */
  readonly randomFraction: () => number
  /** The available models, how to call them, and what is known about each. */
  readonly models: ModelRegistry
  /**
   * The live catalog. If `ranked` is true, it includes the ranking of skills by use, or null if there is
   * none.
   */
  liveCatalog(workspace: string, build: string, ranked?: boolean): Promise<Result<RankedCatalog>>
  /** Counts one use of each of a run's skills for the thread's owner. Callers ignore the result. */
  countUses(workspace: string, build: string, names: readonly string[], owner: string): Promise<unknown>
  index(workspace: string, sha256: string): Promise<Result<SkillIndex>>
  /** Entries of an index with everything that is stored about them. */
  wholeTools(workspace: string, tools: readonly ToolEntry[]): Promise<Result<readonly WholeTool[]>>
  /**
   * Access to the skills of a catalog version. `readLive` reads the live catalog and is called for each load and read of a
   * skill. `namesInContext` lists the skills whose instructions the conversation already contains.
   */
  skills(
    workspace: string,
    index: SkillIndex,
    version: number,
    audience: Audience,
    readLive: () => Promise<Result<LiveCatalog>>,
    namesInContext?: () => ReadonlySet<string>,
  ): SkillAccess
  /** The tools of this build, in a fixed order. */
  tools(): readonly BuiltinTool[]
  /** Network access for HTTP tools, which themselves mask the secrets of their requests. */
  toolNet(workspace: string): GuardedFetch
  /** The same for responses that are read while they arrive. */
  toolStream(workspace: string): GuardedStream
  /** Whether the operator allows secrets in URLs. */
  readonly secretsInUrl: boolean
  /** Whether a tool call that the active skills do not allow is refused, or made with a warning. */
  readonly allowedTools: 'enforce' | 'warn'
  /** How long a thread without new activity keeps the events of its runs, or null for no limit. */
  readonly eventsRetentionMs: number | null
  workspace(workspace: string): WorkspaceApi
  /** Sends events to an address outside. */
  endpoint(workspace: string, endpointId: string): EndpointApi
  /** Another thread of the workspace. */
  thread(workspace: string, threadId: string): ForkApi
  /** The hook that created a thread, which keeps what it received. */
  hook(hookId: string): Pick<HookApi, 'forgetThread' | 'recordReply'>
  /** What started a run by itself: a hook or schedule, by the ID of its caller. Null for keys. */
  starter(workspace: string, keyId: string): RunStarterApi | null
  /** Null if nothing can be stored encrypted in this deployment. */
  readonly sealer: Sealer | null
  /** Runs the commands of a thread. */
  sandbox(workspace: string, threadId: string): Sandbox
  /**
   * Network access for requests to addresses that a model or a setting chooses; the workspace's host lists
   * apply.
   */
  net(workspace: string): GuardedFetch
  /**
   * Why a request to this address would be refused, as the end of a sentence. Null if it would not be
   * refused, or if that is unknown.
   */
  whyUnreachable(workspace: string, address: string): Promise<string | null>
  /** `host:port` pairs that only the operator may use. */
  readonly privateHosts: readonly string[]
  /** The search engine, and its price in US dollars per search; null if none is configured. */
  search(workspace: string): { readonly send: WebSearch; readonly usdPerSearch: number } | null
  /** The store for large files. */
  readonly store: FileStore
  /** The queue for copies of large files, shared by the threads of an isolate. */
  readonly copyInTurn: CopyInTurn
  /** Extracts the text of documents. Null if not available in this deployment. */
  readonly documents: DocumentReader | null
  /** All settings of the workspace. */
  settings(workspace: string): Promise<Result<WorkspaceSettings>>
  /** How long a run waits to learn what it may spend, in milliseconds. Never rejects. */
  leaseWaitMs(workspace: string): Promise<number>
  /** Which tools runs of this workspace may call, and when they need an approval. */
  toolSettings(workspace: string): Promise<Result<WorkspaceSettings['tools']>>
  /** The file quotas of threads in this workspace. */
  quotas(workspace: string): Promise<Result<FileQuotas>>
}

/** The run that this instance executes. */
interface ActiveRun {
  readonly runId: string
  readonly abort: AbortController
  readonly done: Promise<void>
}

export interface ThreadParts {
  readonly ctx: DurableObjectState
  readonly ports: ThreadPorts
  readonly row: ThreadRow
  readonly log: EventLog
  readonly runs: Runs
  readonly journal: Journal
  readonly loads: SkillLoads
  readonly approvals: Approvals
  readonly waits: Waits
  readonly sources: Sources
  readonly revealed: Revealed
  readonly transcript: Transcript
  readonly steered: Steered
  readonly files: FileTree
  readonly readers: Readers
  readonly runEnds: RunEndWaiters
  readonly alarm: Alarm
  /** Runs synchronous work in one transaction. If it throws, cached rows are dropped, too. */
  readonly atomically: <T>(work: () => T) => T
  active: ActiveRun | null
  /** The requests to servers that work on calls of a waiting run, while they are in progress. */
  polling: Pick<ActiveRun, 'abort' | 'done'> | null
  /** The part of the model's response that the current step has received so far. */
  partial: PartialAnswer | null
  /**
   * True once the thread is marked as deleted: it accepts, starts, reports and returns nothing more. Active
   * runs may still be ending.
   */
  closing: boolean
  /** True once the rows of the thread are being deleted. From then on, nothing may be written. */
  gone: boolean
}

/** Selects the parts and ports of a thread that one file uses. */
export type Parts<K extends keyof Omit<ThreadParts, 'ports'>, P extends keyof ThreadPorts = never> = Pick<
  ThreadParts,
  K
> & { readonly ports: Pick<ThreadPorts, P> }
