// The parts of a thread: its storage, its rows, its log, and the ports to everything outside. They are put together in
// slot.ts alone; whoever works on a thread says which of them it touches.

import type { Clock } from '../lib/clock.ts'
import type { Result } from '../lib/result.ts'
import type { GuardedFetch } from '../net/fetch.ts'
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
import type { LiveCatalog, RankedCatalog, SkillIndex } from '../skills/skill.ts'
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
import type { Runs } from './rows/runs.ts'
import type { Sources } from './rows/sources.ts'
import type { SkillLoads } from './rows/skill-loads.ts'
import type { ThreadRow } from './rows/thread-row.ts'
import type { Transcript } from './rows/transcript.ts'
import type { Ends } from './executor/ends.ts'

/** Everything outside the object, as ports. */
export interface ThreadPorts {
  readonly now: Clock
  readonly newId: (prefix: 'run' | 'msg' | 'obj') => string
  /** From 0 to below 1, by chance. */
  readonly chance: () => number
  /** Which models may answer, how they are called and what is known of them. */
  readonly models: ModelRegistry
  /** `ranked`: with the ranking of skills by use, or null where there is none. */
  liveCatalog(workspace: string, build: string, ranked?: boolean): Promise<Result<RankedCatalog>>
  /** Counts what a run used, for the thread's owner. Whether it was heard is nobody's concern. */
  countUses(workspace: string, build: string, names: readonly string[], owner: string): Promise<unknown>
  index(workspace: string, sha256: string): Promise<Result<SkillIndex>>
  /** `ask`: what is live now; asked at each load and read. */
  skills(
    workspace: string,
    index: SkillIndex,
    version: number,
    audience: Audience,
    ask: () => Promise<Result<LiveCatalog>>,
    held?: () => ReadonlySet<string>,
  ): SkillAccess
  /** Tools of this build, in their fixed order. */
  tools(): readonly BuiltinTool[]
  /** The way out of tools from settings, which mask what they send by themselves. */
  toolNet(workspace: string): GuardedFetch
  /** The operator lets secrets stand in URLs. */
  readonly secretsInUrl: boolean
  /** What a tool call that the active skills do not allow gets: refused, or made with a remark. */
  readonly allowedTools: 'enforce' | 'warn'
  /** How long a quiet thread keeps the events of its runs; null: for ever. */
  readonly eventsRetentionMs: number | null
  workspace(workspace: string): WorkspaceApi
  /** Another thread of it. */
  thread(workspace: string, threadId: string): ForkApi
  /** Null: nothing can be kept encrypted here. */
  readonly sealer: Sealer | null
  /** Where commands of a thread run. */
  sandbox(workspace: string, threadId: string): Sandbox
  /** The only way out for what a model or a setting asks for, by the lists of the workspace. */
  net(workspace: string): GuardedFetch
  /** Why a request to this address would be refused there, as the rest of a sentence; null: it would not, or nobody knows. */
  whyUnreachable(workspace: string, address: string): Promise<string | null>
  /** `host:port` that the operator alone may name. */
  readonly privateHosts: readonly string[]
  /** Asks the search engine, for so many US dollars a search; null: none is set up. */
  search(workspace: string): { readonly ask: WebSearch; readonly price: number } | null
  /** Where large files lie. */
  readonly store: FileStore
  /** The queue for copies of large files, shared by the threads of an isolate. */
  readonly copyInTurn: CopyInTurn
  /** Makes text of documents; null: nobody does here. */
  readonly documents: DocumentReader | null
  /** All that holds in this workspace. */
  settings(workspace: string): Promise<Result<WorkspaceSettings>>
  /** Which tools runs of this workspace may call, and when a person is asked. */
  toolSettings(workspace: string): Promise<Result<WorkspaceSettings['tools']>>
  /** What a thread of this workspace may keep. */
  quotas(workspace: string): Promise<Result<FileQuotas>>
}

/** The run that this instance drives right now. */
interface ActiveRun {
  readonly runId: string
  readonly abort: AbortController
  readonly done: Promise<void>
}

export interface ThreadParts {
  readonly ctx: DurableObjectState
  readonly out: ThreadPorts
  readonly row: ThreadRow
  readonly log: EventLog
  readonly runs: Runs
  readonly journal: Journal
  readonly loads: SkillLoads
  readonly approvals: Approvals
  readonly sources: Sources
  readonly transcript: Transcript
  readonly files: FileTree
  readonly readers: Readers
  readonly ends: Ends
  readonly alarm: Alarm
  readonly atomically: <T>(work: () => T) => T
  active: ActiveRun | null
  /** What the model has answered so far of the step that is going on. */
  partial: PartialAnswer | null
  /** The thread is marked as deleted: nothing is accepted, begun, reported or answered any more. What runs may still end. */
  closing: boolean
  /** Its rows are going: nothing is written any more. */
  gone: boolean
}

/** A thread as far as one file touches it: these parts of it, and these ports. */
export type Parts<K extends keyof Omit<ThreadParts, 'out'>, P extends keyof ThreadPorts = never> = Pick<
  ThreadParts,
  K
> & { readonly out: Pick<ThreadPorts, P> }
