// A run, and its mapping to and from its row.

import type { Problem, Rating, RunStatus, RunStopReason } from '../../agent/events.ts'
import { NO_USAGE, type Usage } from '../../agent/message.ts'
import type { KeyTools, AllowedCall } from '../../lib/caller.ts'
import type { StartInput } from '../api.ts'
import type { ReportedPrompt } from '../../agent/prompt-cache.ts'
import type { RunLease } from './run-lease.ts'
import { columnOf, columnsAs, insertRow, toStoredValue, type StoredRow } from './columns.ts'
import { readStored } from './stored-json.ts'

type RunOptions = Pick<StartInput, 'budget' | 'effort' | 'onDisconnect' | 'callback'> & {
  /** The credential that requested the run; the run takes one of its run slots. */
  readonly key: string
  /** Tools that this credential allows its runs; if absent, all of them. */
  readonly tools?: KeyTools
  /** Calls that a run started by a hook may make without an approval. */
  readonly allowedCalls?: readonly AllowedCall[]
  /** True if the run has a row of `replies`. */
  readonly replies?: true
}

/** The request of a run. It is stored with the run, and added to the transcript when the run starts. */
type RunAsk = Pick<StartInput, 'message' | 'context' | 'calls' | 'fenced' | 'compact'> & {
  /** Set if the run begins a new window; null keeps the thread's model or tools. */
  readonly rebase?: Pick<StartInput, 'model' | 'tools'>
}

/** A summary that is being written, so that the thread can continue in a new window. */
export interface CompactionState {
  /** The number of the next try (src/thread/windows/limits.ts). */
  readonly attempt: number
  /** Whether the API refused the window's last request as too long. */
  readonly refused: boolean
  /** Whether the opening is to be as short as possible. */
  readonly least: boolean
  /** What the earlier tries cost in US dollars. */
  readonly usd: number
}

export interface Run {
  readonly ord: number
  readonly id: string
  readonly requestId: string
  readonly status: RunStatus
  readonly stopReason: RunStopReason | null
  readonly problem: Problem | null
  readonly ask: RunAsk
  readonly options: RunOptions
  readonly build: string
  readonly catalogVersion: number
  readonly catalogIndex: string
  readonly model: string
  readonly epoch: number
  readonly attempts: number
  readonly resumeAt: number | null
  /** Total time that the run waited for people or other systems, without the current wait (see `waitingSince`). */
  readonly waitedMs: number
  readonly waitingSince: number | null
  /** True if it starts before other queued runs, because it interrupts or a steered message became it. */
  readonly jumpsQueue: boolean
  /** The run that the messages became which could not join this run before its end. */
  readonly nextRunId: string | null
  readonly cancel: 'cancelled' | 'interrupted' | null
  readonly summingUp: boolean
  /** True if the model asked the person a question, so the run ends with this step. */
  readonly awaitsInput: boolean
  /** How often the current text was continued after the output limit had cut it off. */
  readonly continuations: number
  /** True if the model was asked again after an empty answer. */
  readonly emptyNoticed: boolean
  /** True if the model was reminded of open items of the plan. */
  readonly planReminded: boolean
  readonly steps: number
  readonly modelCalls: number
  readonly recoveries: number
  /** Number of crashes while the run only waited for the model. */
  readonly interruptedWaits: number
  readonly toolCalls: number
  readonly usedTokens: number
  readonly usedUsd: number
  /**
   * True if part of the usage is an upper bound: a call without a complete response, or one charged at the
   * highest price.
   */
  readonly estimated: boolean
  /**
   * Tokens reserved for the model call in progress, or 0 if there is no call. `openInput` is the part for the
   * request.
   */
  readonly openTokens: number
  readonly openUsd: number
  readonly openInput: number
  /** Number of these input tokens that the provider certainly reads from its cache. */
  readonly openCached: number
  /** What the API reported about the request, or null if it has reported nothing or the report is not stored. */
  readonly openPrompt: ReportedPrompt | null
  /** When the call in progress was made, and when it was last known to be in progress (epoch milliseconds). */
  readonly openSince: number
  readonly openSeen: number
  /** Number of charged searches of the search engine, and their price, which is also part of `usedUsd`. */
  readonly searches: number
  readonly searchUsd: number
  /** Number of searches in progress, and their price, which is reserved. */
  readonly openSearches: number
  readonly openSearchUsd: number
  /** True if the model call in progress got its response; recorded only for a run that crashed before. */
  readonly answered: boolean
  /** What it may spend of the caps of its workspace; null if none were in force when it began. */
  readonly lease: RunLease | null
  /** Null if no summary is due. */
  readonly compaction: CompactionState | null
  readonly usage: Usage
  readonly acceptedAt: number
  readonly startedAt: number | null
  /** When the first text of a kept response arrived. */
  readonly firstTextAt: number | null
  readonly endedAt: number | null
  readonly firstSeq: number
  /** Null until the run has ended. */
  readonly lastSeq: number | null
  readonly rating: Rating | null
}

/** The maximum that a call may cost. `tokens` includes `inputTokens`, which are for the request. */
export interface ReservedCost {
  readonly tokens: number
  readonly usd: number
  readonly inputTokens: number
}

/** Statuses of runs that have not ended. */
export const OPEN_STATUSES_SQL = "('queued', 'running', 'waiting')"

/** How long the run has been running, not counting the time that it waited for people or other systems. */
export function ranMs(run: Run, now: number): number {
  if (run.startedAt === null) return 0
  const until = run.endedAt ?? run.waitingSince ?? now
  return until - run.startedAt - run.waitedMs
}

/** When the run reaches its time limit, provided that it does not wait for people or other systems again. */
export function wallDeadline(run: Run): number {
  return (run.startedAt ?? 0) + run.waitedMs + run.options.budget.wall_s * 1000
}

/**
 * Whether the run was interrupted before. Such a run records each step in its row, so that the row shows the step
 * of its next crash.
 */
export function wasInterrupted(run: Run): boolean {
  return run.recoveries + run.interruptedWaits > 0
}

/** The initial values of a new run. */
export const NEW_RUN_DEFAULTS = {
  stopReason: null,
  problem: null,
  epoch: 0,
  attempts: 0,
  resumeAt: null,
  waitedMs: 0,
  waitingSince: null,
  jumpsQueue: false,
  nextRunId: null,
  cancel: null,
  summingUp: false,
  awaitsInput: false,
  continuations: 0,
  emptyNoticed: false,
  planReminded: false,
  steps: 0,
  modelCalls: 0,
  recoveries: 0,
  interruptedWaits: 0,
  toolCalls: 0,
  usedTokens: 0,
  usedUsd: 0,
  estimated: false,
  openTokens: 0,
  openUsd: 0,
  openInput: 0,
  openCached: 0,
  openPrompt: null,
  openSince: 0,
  openSeen: 0,
  searches: 0,
  searchUsd: 0,
  openSearches: 0,
  openSearchUsd: 0,
  answered: false,
  lease: null,
  compaction: null,
  usage: NO_USAGE,
  startedAt: null,
  firstTextAt: null,
  endedAt: null,
  lastSeq: null,
  rating: null,
} as const satisfies Partial<Run>

/** The fields that a write may change. */
export type RunChange = Partial<
  Pick<Run, keyof typeof NEW_RUN_DEFAULTS | 'status' | 'model' | 'catalogVersion' | 'catalogIndex'>
>

/** The keys of a run's columns. The request is stored in another table. */
const KEYS = [
  ...(['ord', 'id', 'requestId', 'status', 'options', 'build', 'catalogVersion', 'catalogIndex'] as const),
  ...(['model', 'acceptedAt', 'firstSeq'] as const),
  // The cast is safe: the object literal has exactly these keys.
  ...(Object.keys(NEW_RUN_DEFAULTS) as (keyof typeof NEW_RUN_DEFAULTS)[]),
]

/** Selects rows of type RunRow. */
export const SELECT_RUNS = `SELECT ${columnsAs(KEYS)}, input AS ask
  FROM runs JOIN asks USING (id)`

/** A run as this folder stores it. */
export type RunRow = StoredRow<Run>

/**
 * Replaces a request or options that cannot be read. They contain no message and allow no spending, so the run
 * ends at its first limit.
 */
const UNREADABLE_ASK: RunAsk = { message: [], context: {}, calls: [], fenced: true }
const UNREADABLE_OPTIONS: RunOptions = {
  key: '',
  budget: { tokens: 0, usd: 0, steps: 0, tool_calls: 0, wall_s: 0, recoveries: 0 },
  effort: null,
  onDisconnect: 'continue',
}

export function runOf(row: RunRow): Run {
  return {
    ...row,
    problem: row.problem === null ? null : readStored<Problem>(row.problem),
    openPrompt: row.openPrompt === null ? null : readStored<ReportedPrompt>(row.openPrompt),
    rating: row.rating === null ? null : readStored<Rating>(row.rating),
    ask: { ...UNREADABLE_ASK, ...readStored<Partial<RunAsk>>(row.ask) },
    options: readStored<RunOptions>(row.options) ?? UNREADABLE_OPTIONS,
    summingUp: row.summingUp === 1,
    awaitsInput: row.awaitsInput === 1,
    jumpsQueue: row.jumpsQueue === 1,
    emptyNoticed: row.emptyNoticed === 1,
    planReminded: row.planReminded === 1,
    estimated: row.estimated === 1,
    answered: row.answered === 1,
    lease: row.lease === null ? null : readStored<RunLease>(row.lease),
    compaction: row.compaction === null ? null : readStored<CompactionState>(row.compaction),
    usage: readStored<Usage>(row.usage) ?? NO_USAGE,
  }
}

export function updateRun(sql: SqlStorage, id: string, change: RunChange): void {
  const keys = KEYS.filter((key) => key in change)
  const assignments = keys.map((key) => `${columnOf(key)} = ?`).join(', ')
  const values = { ...change } as Run // only keys of `change` are read
  sql.exec(
    `UPDATE runs SET ${assignments} WHERE id = ?`,
    ...keys.map((key) => toStoredValue(values[key])),
    id,
  )
}

/** Stores what a person asked: the request of a run, or of a message that steered one. */
export function insertAsk(sql: SqlStorage, id: string, ask: RunAsk): void {
  sql.exec('INSERT INTO asks (id, input) VALUES (?, ?)', id, JSON.stringify(ask))
}

/** Inserts a run with its request. */
export function insertRun(sql: SqlStorage, run: Run): void {
  insertRow(sql, 'runs', KEYS, run)
  insertAsk(sql, run.id, run.ask)
}

export function isOpen(run: Run): boolean {
  return run.status === 'queued' || run.status === 'running' || run.status === 'waiting'
}

/** The fields of a run whose wait, if any, ends at this time. */
export function endWait({ waitedMs, waitingSince }: Run, at: number): Pick<Run, 'waitedMs' | 'waitingSince'> {
  return { waitedMs: waitedMs + (waitingSince === null ? 0 : at - waitingSince), waitingSince: null }
}
