// How a run becomes its row, whole or what changed of it.

import type { Run } from './run.ts'

/** The columns that a write may change. */
const COLUMNS = {
  status: 'status',
  stopReason: 'stop_reason',
  problem: 'problem',
  catalogVersion: 'catalog_version',
  catalogIndex: 'catalog_index',
  epoch: 'epoch',
  attempts: 'attempts',
  resumeAt: 'resume_at',
  cancel: 'cancel',
  summingUp: 'summing_up',
  steps: 'steps',
  modelCalls: 'model_calls',
  recoveries: 'recoveries',
  interruptedWaits: 'interrupted_waits',
  toolCalls: 'tool_calls',
  usedTokens: 'used_tokens',
  usedUsd: 'used_usd',
  estimated: 'estimated',
  openTokens: 'open_tokens',
  openUsd: 'open_usd',
  answered: 'answered',
  usage: 'usage',
  startedAt: 'started_at',
  endedAt: 'ended_at',
  lastSeq: 'last_seq',
} as const satisfies Partial<Record<keyof Run, string>>

export type Change = Partial<Pick<Run, keyof typeof COLUMNS>>

function stored(value: Change[keyof Change]): SqlStorageValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null)
}

export function updateRun(sql: SqlStorage, id: string, change: Change): void {
  // The keys of a Change are COLUMNS' own.
  const keys = Object.keys(change) as (keyof Change)[]
  const assignments = keys.map((key) => `${COLUMNS[key]} = ?`).join(', ')
  sql.exec(`UPDATE runs SET ${assignments} WHERE id = ?`, ...keys.map((key) => stored(change[key])), id)
}

/** Everything of a run, its ask too. */
export function insertRun(sql: SqlStorage, run: Run): void {
  const made = {
    ord: run.ord,
    id: run.id,
    request_id: run.requestId,
    options: JSON.stringify(run.options),
    build: run.build,
    model: run.model,
    accepted_at: run.acceptedAt,
    first_seq: run.firstSeq,
  }
  // The keys of COLUMNS are a Change's own.
  const keys = Object.keys(COLUMNS) as (keyof Change)[]
  const columns = [...Object.keys(made), ...keys.map((key) => COLUMNS[key])]
  sql.exec(
    `INSERT INTO runs (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    ...Object.values(made),
    ...keys.map((key) => stored(run[key])),
  )
  sql.exec('INSERT INTO asks (id, input) VALUES (?, ?)', run.id, JSON.stringify(run.ask))
}
