// A run, and how it is read from its row and becomes one.

import type { Problem, Rating, RunStatus, StopReason } from '../../agent/events.ts'
import { NO_USAGE, type Usage } from '../../agent/message.ts'
import type { KeyTools, AllowedCall } from '../../lib/caller.ts'
import type { StartInput } from '../api.ts'
import type { ReportedPrompt } from '../../agent/prompt-cache.ts'
import { columnOf, columnsAs, insertRow, stored, type StoredRow } from './columns.ts'
import { readStored } from './stored.ts'

type RunOptions = Pick<StartInput, 'budget' | 'effort' | 'onDisconnect'> & {
  /** The credential that asked for the run: it counts among those of that key. */
  readonly key: string
  /** Tools that this credential leaves to its runs; absent: all. */
  readonly tools?: KeyTools
  /** Of a hook's run: what it may call though a person would be asked. */
  readonly allowedCalls?: readonly AllowedCall[]
}

/** What a run was asked; kept with the run until it starts, so that it joins the transcript then. */
type RunAsk = Pick<StartInput, 'message' | 'context' | 'calls' | 'fenced'>

export interface Run {
  readonly ord: number
  readonly id: string
  readonly requestId: string
  readonly status: RunStatus
  readonly stopReason: StopReason | null
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
  /** How long it waited for others in all, without the wait that is going on since `waitingSince`. */
  readonly waitedMs: number
  readonly waitingSince: number | null
  readonly cancel: 'cancelled' | 'interrupted' | null
  readonly summingUp: boolean
  /** The person was asked something, so the run ends with its step. */
  readonly asked: boolean
  readonly steps: number
  readonly modelCalls: number
  readonly recoveries: number
  /** Deaths while it merely waited for the model. */
  readonly interruptedWaits: number
  readonly toolCalls: number
  readonly usedTokens: number
  readonly usedUsd: number
  /** Part of what was used is an upper bound: of a call without its whole answer, or at the dearest price. */
  readonly estimated: boolean
  /** Reserved for the model call that is going on; 0: none is. Of its tokens `openInput` are the request. */
  readonly openTokens: number
  readonly openUsd: number
  readonly openInput: number
  /** Of those, what the provider surely reads from its cache. */
  readonly openCached: number
  /** What the API reported of the request; null: nothing yet, or no row says so. */
  readonly openPrompt: ReportedPrompt | null
  /** When that call was made, and when it was last known to go on. */
  readonly openSince: number
  readonly openSeen: number
  /** Searches by the engine that were charged, and for how much; it stands in `usedUsd`, too. */
  readonly searches: number
  readonly searchUsd: number
  /** The same of searches that are under way: held back. */
  readonly openSearches: number
  readonly openSearchUsd: number
  /** The call that is open was answered; known only of a run that died before. */
  readonly answered: boolean
  readonly usage: Usage
  readonly acceptedAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly firstSeq: number
  /** Null until it has ended. */
  readonly lastSeq: number | null
  readonly rating: Rating | null
}

/** What a call may cost at most; of its tokens `input` are the request. */
export interface Reserved {
  readonly tokens: number
  readonly usd: number
  readonly input: number
}

/** Neither over nor to come to its end without more being done. */
export const OPEN_RUNS = "('queued', 'running', 'waiting')"

/** How long it has run, without what it waited for others. */
export function ranMs(run: Run, now: number): number {
  if (run.startedAt === null) return 0
  const until = run.endedAt ?? run.waitingSince ?? now
  return until - run.startedAt - run.waitedMs
}

/** When the time is up that it may run for, should it not wait for others any more. */
export function wallEnd(run: Run): number {
  return (run.startedAt ?? 0) + run.waitedMs + run.options.budget.wall_s * 1000
}

/** Interrupted, whatever it did then: from now on it goes step by step, so that what it may die of next shows in its row. */
export function diedBefore(run: Run): boolean {
  return run.recoveries + run.interruptedWaits > 0
}

/** A run that was entered and of which nothing is known yet. */
export const UNTOUCHED = {
  stopReason: null,
  problem: null,
  epoch: 0,
  attempts: 0,
  resumeAt: null,
  waitedMs: 0,
  waitingSince: null,
  cancel: null,
  summingUp: false,
  asked: false,
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
  usage: NO_USAGE,
  startedAt: null,
  endedAt: null,
  lastSeq: null,
  rating: null,
} as const satisfies Partial<Run>

/** What a write may change. */
export type RunChange = Partial<
  Pick<Run, keyof typeof UNTOUCHED | 'status' | 'catalogVersion' | 'catalogIndex'>
>

/** All that stands in the row of a run; what it was asked has one of its own. */
const KEYS = [
  ...(['ord', 'id', 'requestId', 'status', 'options', 'build', 'catalogVersion', 'catalogIndex'] as const),
  ...(['model', 'acceptedAt', 'firstSeq'] as const),
  // The keys of a constant are what its type says.
  ...(Object.keys(UNTOUCHED) as (keyof typeof UNTOUCHED)[]),
]

/** Reads a RunRow. */
export const SELECT_RUNS = `SELECT ${columnsAs(KEYS)}, input AS ask
  FROM runs JOIN asks USING (id)`

/** Words as this folder wrote them. */
export type RunRow = StoredRow<Run>

/** In place of what cannot be read: it asks for nothing and may spend nothing, so the run ends by its first limit. */
const LOST_ASK: RunAsk = { message: [], context: {}, calls: [], fenced: true }
const LOST_OPTIONS: RunOptions = {
  key: '',
  budget: { tokens: 0, usd: 0, steps: 0, tool_calls: 0, wall_s: 0 },
  effort: null,
  onDisconnect: 'continue',
}

export function runOf(row: RunRow): Run {
  return {
    ...row,
    problem: row.problem === null ? null : readStored<Problem>(row.problem),
    openPrompt: row.openPrompt === null ? null : readStored<ReportedPrompt>(row.openPrompt),
    rating: row.rating === null ? null : readStored<Rating>(row.rating),
    ask: { ...LOST_ASK, ...readStored<Partial<RunAsk>>(row.ask) },
    options: readStored<RunOptions>(row.options) ?? LOST_OPTIONS,
    summingUp: row.summingUp === 1,
    asked: row.asked === 1,
    estimated: row.estimated === 1,
    answered: row.answered === 1,
    usage: readStored<Usage>(row.usage) ?? NO_USAGE,
  }
}

export function updateRun(sql: SqlStorage, id: string, change: RunChange): void {
  const keys = KEYS.filter((key) => key in change)
  const assignments = keys.map((key) => `${columnOf(key)} = ?`).join(', ')
  const values = { ...change } as Run // its keys are a Change's
  sql.exec(`UPDATE runs SET ${assignments} WHERE id = ?`, ...keys.map((key) => stored(values[key])), id)
}

/** Everything of a run, what it was asked too. */
export function insertRun(sql: SqlStorage, run: Run): void {
  insertRow(sql, 'runs', KEYS, run)
  sql.exec('INSERT INTO asks (id, input) VALUES (?, ?)', run.id, JSON.stringify(run.ask))
}
