// Guards the metrics: they agree with the runs however these were batched, never fall, have few labels, and follow the
// OpenMetrics format.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { CountedSeries } from '../../src/lib/counted-series.ts'
import { DAY_MS } from '../../src/lib/clock.ts'
import { microUsd } from '../../src/lib/money.ts'
import { addCounts } from '../../src/workspace/counters.ts'
import {
  FIRST_TEXT_BUCKETS_MS,
  METRIC_MODELS_MAX,
  RUNS_SUMMED_AFTER,
  STEPS_BUCKETS,
} from '../../src/workspace/limits.ts'
import { metricsText, type OpenWork } from '../../src/workspace/metrics.ts'
import type { RunRecord } from '../../src/workspace/run-api.ts'
import { anonymizeRuns, recordRun } from '../../src/workspace/run-rows.ts'
import { sweepOld } from '../../src/workspace/usage-days.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'
import alerts from '../../examples/monitoring/alerts.yaml?raw'
import dashboard from '../../examples/monitoring/dashboard.json?raw'
import page from '../../docs/api/metrics.md?raw'
import { samplesOf } from './openmetrics.ts'
import { ALL_USAGE, runRecord } from './run-record.ts'

const START = Date.parse('2030-01-01T00:00:00Z')
const IDLE: OpenWork = { running: 0, queued: 0, since: null, waiting: [] }
const ENDINGS = [
  ['completed', 'answered'],
  ['failed', 'model_error'],
  ['cancelled', 'interrupted'],
] as const

async function rowsOf(name: string, work: (sql: SqlStorage) => void): Promise<void> {
  const stub = env.WORKSPACES.getByName(name) as DurableObjectStub<Workspace>
  await stub.usage(ALL_USAGE)
  await runInDurableObject(stub, (_, state) => work(state.storage.sql))
}

function read(sql: SqlStorage, work = IDLE): ReadonlyMap<string, number> {
  return samplesOf(metricsText(sql, work, START + 10_000))
}

function runAt(at: number): RunRecord {
  const [status, stopReason] = ENDINGS[at % ENDINGS.length] ?? ENDINGS[0]
  return runRecord(`run_${at}`, {
    model: `m${at % (METRIC_MODELS_MAX + 3)}`,
    user: 'ann',
    status,
    stopReason,
    acceptedAt: START + at,
    firstTextAt: at % 2 === 0 ? START + at + 700 : null,
    // Some runs are reported late.
    endedAt: START + (at % 7 === 0 ? 0 : at),
    steps: 1 + (at % 4),
    recoveries: at % 5 === 0 ? 2 : 0,
    charged: { tokens: 3, usd: 0.001, estimated: false },
  })
}

const COUNT = 2 * RUNS_SUMMED_AFTER + 100

describe('the metrics', () => {
  it('agree with the runs, and never fall, whatever is summed or deleted', () =>
    rowsOf('metrics-1', (sql) => {
      let last = read(sql)
      for (let at = 0; at < COUNT; at++) {
        recordRun(sql, 't', runAt(at), START + at, START - DAY_MS)
        if (at % 100 === 50) anonymizeRuns(sql, [`run_${at}`], START - DAY_MS)
        if (at % 61 !== 0) continue
        const now = read(sql)
        for (const [series, value] of last)
          expect([series, (now.get(series) ?? 0) >= value]).toEqual([series, true])
        last = now
      }
      const before = read(sql)
      // Every row goes.
      sweepOld(sql, START + DAY_MS)
      expect(sql.exec('SELECT count(*) AS n FROM run_rows').one()).toEqual({ n: 0 })
      expect(read(sql)).toEqual(before)

      const runs = Array.from({ length: COUNT }, (_, at) => runAt(at))
      for (const [status, reason] of ENDINGS)
        expect(before.get(`satchel_runs_total{status="${status}",stop_reason="${reason}"}`)).toBe(
          runs.filter((run) => run.stopReason === reason).length,
        )
      const sumOf = (start: string): number =>
        [...before].reduce((sum, [series, value]) => sum + (series.startsWith(start) ? value : 0), 0)
      expect(sumOf('satchel_model_runs_total')).toBe(COUNT)
      expect(microUsd(sumOf('satchel_charged_usd_total'))).toBe(COUNT * microUsd(0.001))
      expect(sumOf('satchel_tokens_total')).toBe(COUNT)
      expect(before.get('satchel_recoveries_total{while="working"}')).toBe(
        runs.reduce((sum, { recoveries }) => sum + recoveries, 0),
      )
      const withText = runs.filter(({ firstTextAt }) => firstTextAt !== null).length
      expect(before.get('satchel_first_text_seconds_bucket{le="0.5"}')).toBe(0)
      expect(before.get('satchel_first_text_seconds_bucket{le="1.0"}')).toBe(withText)
      expect(before.get('satchel_first_text_seconds_bucket{le="+Inf"}')).toBe(withText)
      expect(before.get('satchel_first_text_seconds_count')).toBe(withText)
      expect(before.get('satchel_first_text_seconds_sum')).toBeCloseTo(withText * 0.7, 6)
      expect(before.get('satchel_run_steps_bucket{le="2.0"}')).toBe(
        runs.filter(({ steps }) => steps <= 2).length,
      )
      expect(before.get('satchel_run_steps_sum')).toBe(runs.reduce((sum, { steps }) => sum + steps, 0))
    }))

  it('match the page, the alerts and the dashboard', () =>
    rowsOf('metrics-4', (sql) => {
      addCounts(sql, new Map([['["errors","x"]', 1]]))
      recordRun(sql, 't', runRecord('run_1'), START, 0)
      const samples = [...read(sql).keys()]
      const named = (text: string): Set<string> => new Set(text.match(/\bsatchel_[a-z_]+[a-z]/g))
      const all = new Set(samples.map((sample) => sample.split('{')[0] ?? ''))
      // The page names a histogram without the ends of its names.
      const short = new Set([...all].map((name) => name.replace(/_(?:bucket|count|sum)$/, '')))
      expect([...named(page)].toSorted()).toEqual([...short].toSorted())
      for (const text of [alerts, dashboard]) {
        expect(named(text).size).toBeGreaterThan(4)
        expect([...named(text)].filter((name) => !all.has(name))).toEqual([])
      }
      const selected = [...alerts.matchAll(/(satchel_\w+)\{([^}]*)\}/g)]
      expect(selected.length).toBeGreaterThan(2)
      for (const [, name = '', labels = ''] of selected)
        for (const [, label, values = ''] of labels.matchAll(/(\w+)=~?"([^"]*)"/g))
          for (const value of values.split('|')) {
            const found = samples.filter(
              (one) => one.startsWith(`${name}{`) && one.includes(`${label}="${value}"`),
            )
            expect([value, found.length > 0]).toEqual([value, true])
          }
      for (const [, bounds = ''] of page.matchAll(/`le`: ([\d., ]+)/g)) {
        const shown = bounds.split(', ').map(Number)
        expect([FIRST_TEXT_BUCKETS_MS.map((ms) => ms / 1_000), STEPS_BUCKETS]).toContainEqual(shown)
      }
    }))

  it('name a limited number of models, and neither users nor threads', () =>
    rowsOf('metrics-2', (sql) => {
      for (let at = 0; at < COUNT; at++) recordRun(sql, 'th_1', runAt(at), START + at, 0)
      const text = metricsText(sql, IDLE, START)
      const models = new Set([...text.matchAll(/model="([^"]*)"/g)].map(([, model]) => model))
      expect(models.size).toBe(METRIC_MODELS_MAX + 1)
      expect(models).toContain('other')
      expect(text).not.toMatch(/ann|th_1|run_\d/)
    }))

  it('show reported counts, open runs and waiting ones, and escape labels', () =>
    rowsOf('metrics-3', (sql) => {
      recordRun(sql, 't', runRecord('run_1', { model: 'a"b\\c\nd' }), START, 0)
      const counted = new CountedSeries()
      counted.add(2, 'errors', 'rate_limited')
      counted.add(3, 'deliveries', 'hook', 'dead')
      for (let times = 0; times < 2; times++)
        addCounts(sql, new Map([...counted.take(), ['["errors","x"]', 1]]))
      sql.exec(
        `INSERT INTO approvals VALUES ('t1', 0, 'o', 0, '2029-12-31T23:59:00.000Z', '2031-01-01T00:00:00.000Z', '{}'),
           ('t1', 1, 'o', 0, '2030-01-01T00:00:00.000Z', '2031-01-01T00:00:00.000Z', '{}'),
           ('t2', 0, 'o', 0, '2020-01-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z', '{}')`,
      )
      const samples = read(sql, {
        running: 4,
        queued: 1,
        since: START - 5_000,
        waiting: [
          { kind: 'hook', source: 'h1', count: 2 },
          { kind: 'hook', source: 'h2', count: 3 },
        ],
      })
      expect(samples.get('satchel_model_runs_total{model="a\\"b\\\\c\\nd",status="completed"}')).toBe(1)
      expect(samples.get('satchel_errors_total{code="rate_limited"}')).toBe(2)
      expect(samples.get('satchel_errors_total{code="x"}')).toBe(2)
      expect(samples.get('satchel_deliveries_total{kind="hook",state="dead"}')).toBe(3)
      expect(samples.get('satchel_open_runs{state="running"}')).toBe(4)
      expect(samples.get('satchel_oldest_run_seconds')).toBe(15)
      expect(samples.get('satchel_waiting_runs')).toBe(1)
      expect(samples.get('satchel_waiting_approvals')).toBe(2)
      expect(samples.get('satchel_oldest_approval_seconds')).toBe(70)
      expect(samples.get('satchel_waiting_deliveries{kind="hook"}')).toBe(5)
      expect(samples.get('satchel_waiting_deliveries{kind="event"}')).toBe(0)
    }))
})
