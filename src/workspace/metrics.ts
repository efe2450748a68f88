// The metrics of a workspace in the OpenMetrics text format: its counters, and what is open and waiting now. Imported when
// it is needed.

import type { RunStopReason, RunStatus } from '../agent/events.ts'
import { rfc3339 } from '../lib/clock.ts'
import { fromMicroUsd } from '../lib/money.ts'
import type { CountReport, DeliveryKind } from './count-api.ts'
import { seriesOf } from '../lib/counted-series.ts'
import { FIRST_TEXT_BUCKETS_MS, STEPS_BUCKETS } from './limits.ts'
import { unstoredCounts } from './usage-days.ts'

/** The current values, which the workspace has in memory. */
export interface OpenWork {
  readonly running: number
  readonly queued: number
  /** Since when the oldest run in progress has been running, in epoch milliseconds. */
  readonly since: number | null
  readonly waiting: readonly NonNullable<CountReport['waiting']>[]
}

/** The status with which runs end for each reason. */
const ENDINGS: Readonly<Record<RunStopReason, RunStatus>> = {
  answered: 'completed',
  awaiting_input: 'completed',
  refused: 'completed',
  truncated: 'completed',
  compacted: 'completed',
  loop_detected: 'completed',
  step_limit: 'failed',
  budget: 'failed',
  quota_exceeded: 'failed',
  model_error: 'failed',
  context_overflow: 'failed',
  recovery_limit: 'failed',
  internal: 'failed',
  cancelled: 'cancelled',
  interrupted: 'cancelled',
}

/** Series that exist from the beginning: without a zero, an alert would not see the first increase. */
const ZEROS: readonly (readonly string[])[] = [
  ...Object.entries(ENDINGS).map(([reason, status]) => ['runs', status, reason]),
  ['charged', 'other'],
  ...['input', 'output', 'cache_write', 'cache_read'].map((kind) => ['tokens', 'other', kind]),
  ['recoveries', 'working'],
  ['recoveries', 'waiting'],
  ...['recorded', 'filtered', 'repeated', 'refused', 'unverified', 'superseded', 'started', 'dead'].map(
    (state) => ['deliveries', 'hook', state],
  ),
  ...['recorded', 'skipped', 'started', 'dead'].map((state) => ['deliveries', 'schedule', state]),
  ...['sent', 'failed', 'skipped'].map((state) => ['deliveries', 'event', state]),
]

interface Counter {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  readonly convert?: (value: number) => number
}

/** By the name of its series. */
const COUNTERS: Readonly<Record<string, Counter>> = {
  runs: { name: 'runs', help: 'Runs that have ended.', labels: ['status', 'stop_reason'] },
  model_runs: { name: 'model_runs', help: 'Runs that have ended, by model.', labels: ['model', 'status'] },
  tokens: { name: 'tokens', help: 'Tokens of runs that have ended.', labels: ['model', 'kind'] },
  charged: {
    name: 'charged_usd',
    help: 'US dollars charged to runs that have ended.',
    labels: ['model'],
    convert: fromMicroUsd,
  },
  recoveries: { name: 'recoveries', help: 'Crashes after which runs continued.', labels: ['while'] },
  errors: { name: 'errors', help: 'Error responses of the HTTP API.', labels: ['code'] },
  deliveries: {
    name: 'deliveries',
    help: 'Deliveries of hooks and schedules, and events sent to endpoints.',
    labels: ['kind', 'state'],
  },
}

interface Histogram {
  readonly name: string
  readonly help: string
  readonly bounds: readonly number[]
  /** The size of the metric's unit. */
  readonly per: number
}

const HISTOGRAMS: Readonly<Record<string, Histogram>> = {
  first_text: {
    name: 'first_text_seconds',
    help: 'Time from the acceptance of a run to its first text.',
    bounds: FIRST_TEXT_BUCKETS_MS,
    per: 1_000,
  },
  steps: { name: 'run_steps', help: 'Steps of a run.', bounds: STEPS_BUCKETS, per: 1 },
}

/** Everything counted so far, by the name of the metric: the values of its labels, with the count. */
function countedSeries(sql: SqlStorage): ReadonlyMap<string, readonly (readonly [string[], number])[]> {
  const totals = new Map(ZEROS.map((series) => [seriesOf(...series), 0]))
  const stored = sql.exec<{ series: string; value: number }>('SELECT series, value FROM metrics').toArray()
  for (const [series, value] of [
    ...stored.map(({ series, value }) => [series, value] as const),
    ...unstoredCounts(sql),
  ])
    totals.set(series, (totals.get(series) ?? 0) + value)
  const byName = new Map<string, [string[], number][]>()
  for (const [series, value] of [...totals].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    // The cast is safe: seriesOf() made it.
    const [name = '', ...labels] = JSON.parse(series) as string[]
    byName.set(name, [...(byName.get(name) ?? []), [labels, value]])
  }
  return byName
}

function counterLines(
  { name, help, labels, convert = (value) => value }: Counter,
  series: readonly (readonly [readonly string[], number])[],
): readonly string[] {
  const lines = series.map(([values, value]) => {
    const pairs = labels.map((label, at) => `${label}="${escaped(values[at] ?? '')}"`)
    return `satchel_${name}_total{${pairs.join(',')}} ${convert(value)}`
  })
  return [...headOf(name, 'counter', help), ...lines]
}

function histogramLines(
  { name, help, bounds, per }: Histogram,
  series: readonly (readonly [readonly string[], number])[],
): readonly string[] {
  const counts = new Map(series.map(([[bucket = ''], value]) => [bucket, value]))
  let total = 0
  const buckets = [...bounds.map(String), 'more'].map((bucket) => {
    total += counts.get(bucket) ?? 0
    const bound = bucket === 'more' ? '+Inf' : floatOf(Number(bucket) / per)
    return `satchel_${name}_bucket{le="${bound}"} ${total}`
  })
  const sum = (counts.get('sum') ?? 0) / per
  const ends = [`satchel_${name}_count ${total}`, `satchel_${name}_sum ${sum}`]
  return [...headOf(name, 'histogram', help), ...buckets, ...ends]
}

function headOf(name: string, type: string, help: string): readonly string[] {
  return [`# TYPE satchel_${name} ${type}`, `# HELP satchel_${name} ${help}`]
}

/** OpenMetrics requires a decimal point in the bounds of buckets. */
function floatOf(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value)
}

function escaped(label: string): string {
  return label.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

const KINDS: readonly DeliveryKind[] = ['hook', 'schedule', 'event']

function waitingOf({ waiting }: OpenWork, kind: DeliveryKind): number {
  return waiting.reduce((sum, one) => sum + (one.kind === kind ? one.count : 0), 0)
}

type Gauge = readonly [
  name: string,
  help: string,
  values: readonly (readonly [labels: string, value: number])[],
]

function gaugesOf(sql: SqlStorage, work: OpenWork, now: number): readonly Gauge[] {
  const { runs, calls, oldest } = sql
    .exec<{ runs: number; calls: number; oldest: string | null }>(
      `SELECT count(DISTINCT thread) AS runs, count(*) AS calls, min(requested_at) AS oldest
       FROM approvals WHERE expires_at > ?`,
      rfc3339(now),
    )
    .one()
  const { threads } = sql
    .exec<{ threads: number }>('SELECT coalesce(sum(threads), 0) AS threads FROM key_threads')
    .one()
  const age = (since: number | null): number => (since === null ? 0 : Math.max(0, (now - since) / 1_000))
  const one = (value: number): Gauge[2] => [['', value]]
  return [
    [
      'open_runs',
      'Runs that have not ended and wait for nobody.',
      [
        ['{state="running"}', work.running],
        ['{state="queued"}', work.queued],
      ],
    ],
    ['oldest_run_seconds', 'How long the oldest run in progress has been running.', one(age(work.since))],
    ['waiting_runs', 'Runs that wait for an approval.', one(runs)],
    ['waiting_approvals', 'Calls that wait for an approval.', one(calls)],
    [
      'oldest_approval_seconds',
      'How long the oldest of these calls has waited.',
      one(age(oldest === null ? null : Date.parse(oldest))),
    ],
    [
      'waiting_deliveries',
      'Deliveries whose runs have not begun, and events that are not sent yet.',
      KINDS.map((kind) => [`{kind="${kind}"}`, waitingOf(work, kind)]),
    ],
    ['threads', 'Listed threads.', one(threads)],
  ]
}

export function metricsText(sql: SqlStorage, work: OpenWork, now: number): string {
  const series = countedSeries(sql)
  const lines = [
    ...Object.entries(COUNTERS).flatMap(([name, counter]) => counterLines(counter, series.get(name) ?? [])),
    ...Object.entries(HISTOGRAMS).flatMap(([name, histogram]) =>
      histogramLines(histogram, series.get(name) ?? []),
    ),
    ...gaugesOf(sql, work, now).flatMap(([name, help, values]) => [
      ...headOf(name, 'gauge', help),
      ...values.map(([labels, value]) => `satchel_${name}${labels} ${value}`),
    ]),
    '# EOF',
  ]
  return `${lines.join('\n')}\n`
}
