// A run as its row holds it.

import type { Charged, Problem, RunStatus, StopReason } from '../../agent/events.ts'
import { NO_USAGE, type Block, type Usage } from '../../agent/message.ts'
import type { Effort } from '../../agent/model.ts'
import type { SkillCall } from '../../skills/view/slash.ts'
import type { RunRecord } from '../../workspace/api.ts'
import type { RunBudget } from '../api.ts'
import { readStored } from './stored.ts'

export interface RunOptions {
  /** The credential that asked for the run: it counts among those of that key. */
  readonly key: string
  readonly budget: RunBudget
  readonly effort: Effort | null
  readonly onDisconnect: 'continue' | 'cancel'
  readonly metadata: Readonly<Record<string, string>>
}

/** What a run was asked; kept with the run until it starts, so that it joins the transcript then. */
export interface RunAsk {
  readonly message: readonly Block[]
  readonly context: Readonly<Record<string, string>>
  /** Skills that the message calls; they are looked up when the run begins. */
  readonly calls: readonly SkillCall[]
  /** See StartInput. */
  readonly fenced: boolean
}

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
  readonly cancel: 'cancelled' | 'interrupted' | null
  readonly summingUp: boolean
  readonly steps: number
  readonly modelCalls: number
  readonly recoveries: number
  /** Deaths while it merely waited for the model. */
  readonly interruptedWaits: number
  readonly toolCalls: number
  readonly usedTokens: number
  readonly usedUsd: number
  /** Part of what was used is a guess: a reservation, a lower bound, or the dearest price. */
  readonly estimated: boolean
  readonly openTokens: number
  readonly openUsd: number
  /** The call that is open was answered; known only of a run that died before. */
  readonly answered: boolean
  readonly usage: Usage
  readonly acceptedAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly firstSeq: number
  /** Null until it has ended. */
  readonly lastSeq: number | null
}

/** What the run was charged, that of a call that is going on included. */
export function chargedOf(run: Run): Charged {
  return {
    tokens: run.usedTokens + run.openTokens,
    usd: run.usedUsd + run.openUsd,
    estimated: run.estimated || run.openTokens > 0,
  }
}

/** What the workspace counts of a run. */
export function recordOf(run: Run): RunRecord {
  return { id: run.id, usage: run.usage, charged: chargedOf(run) }
}

/** A row as it stands; JSON columns hold what this folder wrote. */
export interface RunRow extends Record<string, SqlStorageValue> {
  ord: number
  id: string
  request_id: string
  status: string
  stop_reason: string | null
  problem: string | null
  input: string
  options: string
  build: string
  catalog_version: number
  catalog_index: string
  model: string
  epoch: number
  attempts: number
  resume_at: number | null
  cancel: string | null
  summing_up: number
  steps: number
  model_calls: number
  recoveries: number
  interrupted_waits: number
  tool_calls: number
  used_tokens: number
  used_usd: number
  estimated: number
  open_tokens: number
  open_usd: number
  answered: number
  usage: string
  accepted_at: number
  started_at: number | null
  ended_at: number | null
  first_seq: number
  last_seq: number | null
}

/** Interrupted, whatever it did then: from now on it goes step by step, so that what it may die of next shows in its row. */
export function diedBefore(run: Run): boolean {
  return run.recoveries + run.interruptedWaits > 0
}

/** Reads a RunRow. */
export const SELECT_RUNS = 'SELECT runs.*, input FROM runs JOIN asks USING (id)'

/** In place of what cannot be read: it asks for nothing and may spend nothing, so the run ends by its first lid. */
const LOST_ASK: RunAsk = { message: [], context: {}, calls: [], fenced: true }
const LOST_OPTIONS: RunOptions = {
  key: '',
  budget: { tokens: 0, usd: 0, steps: 0, tool_calls: 0, wall_s: 0 },
  effort: null,
  onDisconnect: 'continue',
  metadata: {},
}

/** The casts name the words and JSON that this folder alone writes. */
export function runOf(row: RunRow): Run {
  return {
    ord: row.ord,
    id: row.id,
    requestId: row.request_id,
    status: row.status as RunStatus,
    stopReason: row.stop_reason as StopReason | null,
    problem: row.problem === null ? null : readStored<Problem>(row.problem),
    ask: { ...LOST_ASK, ...readStored<Partial<RunAsk>>(row.input) },
    options: readStored<RunOptions>(row.options) ?? LOST_OPTIONS,
    build: row.build,
    catalogVersion: row.catalog_version,
    catalogIndex: row.catalog_index,
    model: row.model,
    epoch: row.epoch,
    attempts: row.attempts,
    resumeAt: row.resume_at,
    cancel: row.cancel as 'cancelled' | 'interrupted' | null,
    summingUp: row.summing_up === 1,
    steps: row.steps,
    modelCalls: row.model_calls,
    recoveries: row.recoveries,
    interruptedWaits: row.interrupted_waits,
    toolCalls: row.tool_calls,
    usedTokens: row.used_tokens,
    usedUsd: row.used_usd,
    estimated: row.estimated === 1,
    openTokens: row.open_tokens,
    openUsd: row.open_usd,
    answered: row.answered === 1,
    usage: readStored<Usage>(row.usage) ?? NO_USAGE,
    acceptedAt: row.accepted_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    firstSeq: row.first_seq,
    lastSeq: row.last_seq,
  }
}
