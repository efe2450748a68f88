// Guards the rows of runs and the sums made from them: sums are exact however they were batched, a deletion removes
// the owners of runs and keeps their amounts, and filters and pages omit nothing.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/lib/clock.ts'
import { microUsd } from '../../src/lib/money.ts'
import {
  RUN_SKILLS_MAX,
  RUNS_SCANNED_MAX,
  RUNS_SUMMED_AFTER,
  USAGE_ROWS_MAX,
} from '../../src/workspace/limits.ts'
import type { RunFilter, RunInfo, RunRecord, UsageDimension } from '../../src/workspace/run-api.ts'
import { listRuns } from '../../src/workspace/run-list.ts'
import { anonymizeRuns, recordRun } from '../../src/workspace/run-rows.ts'
import { sumAll, sweepOld } from '../../src/workspace/usage-days.ts'
import { checkSpan, usageReport } from '../../src/workspace/usage-report.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'
import { ALL_USAGE, runRecord } from './run-record.ts'

const START = Date.parse('2030-01-01T00:00:00Z')

/** The rows of a new workspace. */
async function rowsOf(name: string, work: (sql: SqlStorage) => void): Promise<void> {
  const stub = env.WORKSPACES.getByName(name) as DurableObjectStub<Workspace>
  await stub.usage(ALL_USAGE)
  await runInDurableObject(stub, (_, state) => work(state.storage.sql))
}

/** The same numbers in every run of the tests. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

const SKILLS = ['alpha', 'beta', 'gamma']

function randomRun(at: number, roll: (sides: number) => number): RunRecord {
  const usd = roll(3_000_000) / 10_000_000
  const usage = { cost_usd: roll(5) === 0 ? null : usd, input_tokens: roll(5_000), output_tokens: roll(900) }
  return runRecord(`run_${at}`, {
    key: ['k1', 'k2', 'hook:hk_1', 'schedule:sch_1'][roll(4)] ?? '',
    user: [null, 'ann', 'ben'][roll(3)] ?? null,
    model: ['m1', 'm2'][roll(2)] ?? '',
    skills: SKILLS.slice(roll(4)).flatMap((name) => [
      { name, digest: 'a' },
      { name, digest: 'b' },
    ]),
    status: (['completed', 'failed', 'cancelled'] as const)[roll(3)] ?? 'failed',
    endedAt: START + roll(4 * DAY_MS),
    steps: roll(9),
    toolCalls: roll(9),
    usage: { ...usage, cache_creation_input_tokens: roll(9), cache_read_input_tokens: roll(9) },
    charged: { tokens: roll(6_000), usd, estimated: roll(50) === 0 },
    rating: ([null, 'up', 'down'] as const)[roll(3)] ?? null,
  })
}

function dayOf({ endedAt }: RunRecord): string {
  return new Date(endedAt).toISOString().slice(0, 10)
}

function valuesOf(run: RunRecord, dimension: UsageDimension): readonly string[] {
  const isHook = run.key.includes(':')
  if (dimension === 'key') return isHook ? [] : [run.key]
  if (dimension === 'hook') return isHook ? [run.key] : []
  if (dimension === 'user') return run.user === null ? [] : [run.user]
  if (dimension === 'model') return [run.model]
  return [...new Set(run.skills.map(({ name }) => name))]
}

const micros = (runs: readonly RunRecord[]): number =>
  runs.reduce((sum, { charged }) => sum + microUsd(charged.usd), 0)

describe('usage', () => {
  it('is exact by day and by everything else, before, between and after batches', () =>
    rowsOf('rows-1', (sql) => {
      const roll = dice(7)
      const runs: RunRecord[] = []
      for (let at = 0; at < 3 * RUNS_SUMMED_AFTER; at++) {
        const run = randomRun(at, roll)
        runs.push(run)
        recordRun(sql, `t${at % 9}`, run, START + 5 * DAY_MS, START - DAY_MS)
        if (roll(3) === 0) recordRun(sql, `t${at % 9}`, run, START + 5 * DAY_MS, START - DAY_MS)
        // A deletion does not change what was used.
        if (roll(60) === 0) anonymizeRuns(sql, [run.id], START - DAY_MS)
        if (at % 97 !== 0) continue
        const all = usageReport(sql, ALL_USAGE)
        expect([all.runs, microUsd(all.charged.usd)]).toEqual([runs.length, micros(runs)])
      }
      for (const dimension of ['key', 'user', 'model', 'skill', 'hook'] as const) {
        const from = '2030-01-02'
        const to = '2030-01-03'
        const inTime = runs.filter((run) => dayOf(run) >= from && dayOf(run) <= to)
        const { data, ...total } = usageReport(sql, { from, to, daily: true, dimension })
        expect([total.runs, microUsd(total.charged.usd)]).toEqual([inTime.length, micros(inTime)])
        const expected = [from, to].flatMap((day) => {
          const ofDay = inTime.filter((run) => dayOf(run) === day)
          const values = new Set(ofDay.flatMap((run) => valuesOf(run, dimension)))
          return [...values].map((value) => {
            const of = ofDay.filter((run) => valuesOf(run, dimension).includes(value))
            const tokens = of.reduce((sum, { usage }) => sum + usage.input_tokens, 0)
            const failed = of.filter(({ status }) => status === 'failed').length
            return [day, value, of.length, failed, tokens, micros(of)]
          })
        })
        const shown = data.map((row) => [
          row.day,
          row.value,
          row.runs,
          row.failed,
          row.usage.input_tokens,
          microUsd(row.charged.usd),
        ])
        expect(shown).toHaveLength(expected.length)
        expect(shown).toEqual(expect.arrayContaining(expected))
      }
      const days = usageReport(sql, { ...ALL_USAGE, daily: true })
      expect(days.data.reduce((sum, { charged }) => sum + microUsd(charged.usd), 0)).toBe(micros(runs))
      expect(days.data.map(({ day }) => day)).toEqual([
        '2030-01-01',
        '2030-01-02',
        '2030-01-03',
        '2030-01-04',
      ])
    }))

  it('writes two rows a run, and few more for the sums', () =>
    rowsOf('rows-6', (sql) => {
      const roll = dice(3)
      const exec = sql.exec.bind(sql)
      const made: SqlStorageCursor<Record<string, SqlStorageValue>>[] = []
      // The cast is safe: the overloads of exec are as general as this signature.
      sql.exec = ((query: string, ...values: unknown[]) => {
        const cursor = exec(query, ...values)
        made.push(cursor)
        return cursor
      }) as typeof sql.exec
      const count = 4 * RUNS_SUMMED_AFTER
      for (let at = 0; at < count; at++)
        recordRun(sql, 't', { ...randomRun(at, roll), endedAt: START + at }, START + at, 0)
      const written = made.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0)
      expect(written / count).toBeGreaterThan(2)
      expect(written / count).toBeLessThan(2.4)
    }))

  it('by day and key reads no more than it shows, and is refused over more than 400 days', () =>
    rowsOf('rows-7', (sql) => {
      const count = 2 * (USAGE_ROWS_MAX + 50)
      // Sums of earlier days, and a run that is not in the sums yet.
      sql.exec(
        `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count})
         INSERT INTO usage_days SELECT 'key', '2030-01-0' || (1 + n % 3), 'k' || n, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, n, NULL, 0 FROM n`,
      )
      sql.exec(
        `INSERT INTO usage_days SELECT 'all', day, '', 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1, NULL, 0
         FROM (SELECT DISTINCT day FROM usage_days)`,
      )
      recordRun(
        sql,
        't',
        runRecord('run_1', { key: 'k3', endedAt: START, charged: { tokens: 1, usd: 1, estimated: false } }),
        START,
        0,
      )
      const query = { ...ALL_USAGE, daily: true, dimension: 'key' } as const
      const { data, more } = usageReport(sql, query)
      expect([data.length, more]).toEqual([USAGE_ROWS_MAX, true])
      expect(data[0]).toMatchObject({ day: '2030-01-01', value: 'k3', runs: 2 })
      const later = usageReport(sql, { ...query, from: '2030-01-02' })
      expect([later.data.length, later.more]).toEqual([USAGE_ROWS_MAX, true])
      expect(later.data[0]).toMatchObject({ day: '2030-01-02', value: 'k2098' })
      expect(later.data.at(-1)).toMatchObject({ day: '2030-01-03', value: 'k1202' })
      const at = (days: number) => checkSpan(sql, query, START + days * DAY_MS)
      expect(at(399).ok).toBe(true)
      expect(at(400)).toMatchObject({ error: { code: 'invalid_request' } })
      expect(checkSpan(sql, { ...query, from: '2031-01-01' }, START + 400 * DAY_MS).ok).toBe(true)
      expect(checkSpan(sql, { ...query, daily: false }, START + 400 * DAY_MS).ok).toBe(true)
    }))

  it('keeps the days of runs whose rows are deleted', () =>
    rowsOf('rows-2', (sql) => {
      recordRun(sql, 't', runRecord('run_old'), START, START - 90 * DAY_MS)
      const now = START + 200 * DAY_MS
      for (const id of ['run_1', 'run_2'])
        recordRun(sql, 't', runRecord(id, { endedAt: now }), now, now - 90 * DAY_MS)
      expect(sql.exec('SELECT run FROM run_rows').toArray()).toEqual([{ run: 'run_1' }, { run: 'run_2' }])
      expect(usageReport(sql, { ...ALL_USAGE, to: '2030-01-01' }).runs).toBe(1)
      // Also without another run.
      sweepOld(sql, now + 1)
      expect(sql.exec('SELECT run FROM run_rows').toArray()).toEqual([])
      expect(usageReport(sql, ALL_USAGE).runs).toBe(3)
    }))
})

function pages(sql: SqlStorage, filter: RunFilter, limit: number): readonly RunInfo[] {
  const found: RunInfo[] = []
  for (let cursor: string | null = null; ;) {
    const page = listRuns(sql, filter, 0, cursor, limit)
    if (!page.ok) throw new Error(page.error.detail)
    found.push(...page.value.data)
    cursor = page.value.next_cursor
    if (cursor === null) return found
  }
}

describe('the list of runs', () => {
  it('has every matching run, newest first, on pages of any size', () =>
    rowsOf('rows-3', (sql) => {
      const roll = dice(11)
      const runs = Array.from({ length: 120 }, (_, at) => randomRun(at, roll))
      for (const [at, run] of runs.entries()) recordRun(sql, `t${at % 5}`, run, START, 0)
      const filters: readonly (readonly [RunFilter, (run: RunRecord, at: number) => boolean])[] = [
        [{}, () => true],
        [{ key: 'k1' }, ({ key }) => key === 'k1'],
        [{ hook: 'hk_1', status: 'failed' }, ({ key, status }) => key === 'hook:hk_1' && status === 'failed'],
        [{ hook: 'hook:hk_1' }, ({ key }) => key === 'hook:hk_1'],
        [{ hook: 'sch_1' }, ({ key }) => key === 'schedule:sch_1'],
        [{ hook: 'k1' }, () => false],
        [{ user: 'ann', model: 'm2' }, ({ user, model }) => user === 'ann' && model === 'm2'],
        [{ skill: 'beta' }, ({ skills }) => skills.some(({ name }) => name === 'beta')],
        [{ rating: 'down' }, ({ rating }) => rating === 'down'],
        [{ thread: 't3' }, (_, at) => at % 5 === 3],
        [{ from: '2030-01-02', to: '2030-01-02' }, (run) => dayOf(run) === '2030-01-02'],
      ]
      for (const [filter, matches] of filters) {
        const expected = runs
          .filter(matches)
          .toSorted((a, b) => b.endedAt - a.endedAt || (a.id < b.id ? 1 : -1))
          .map(({ id }) => id)
        for (const limit of [1, 7, 200])
          expect(pages(sql, filter, limit).map(({ run_id }) => run_id)).toEqual(expected)
      }
      const info = pages(sql, { thread: 't0' }, 200)[0]
      const run = runs.find(({ id }) => id === info?.run_id)
      expect(info?.charged.usd).toBe(microUsd(run?.charged.usd ?? -1) / 1_000_000)
      expect(info?.skills).toEqual(run?.skills)
      expect(listRuns(sql, {}, 0, 'x', 1)).toMatchObject({ error: { code: 'bad_cursor' } })
    }))

  it('reads a limited number of rows for a page, and continues from there', () =>
    rowsOf('rows-4', (sql) => {
      recordRun(sql, 't', runRecord('run_first', { user: 'ann', endedAt: START - 1 }), START, 0)
      sumAll(sql, 0)
      sql.exec(
        `WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < ${RUNS_SCANNED_MAX - 1})
         INSERT INTO run_rows SELECT ? + n, 'run_' || n, thread, key, NULL, model, skills, status, stop_reason, accepted_at,
           started_at, first_text_at, waited_ms, steps, tool_calls, recoveries, interrupted_waits, input_tokens, output_tokens, cache_creation_input_tokens,
           cache_read_input_tokens, cost_micro, charged_tokens, charged_micro, estimated, rating FROM run_rows, n`,
        START,
      )
      const first = listRuns(sql, { user: 'ann' }, 0, null, 10)
      expect(first).toMatchObject({ value: { data: [], next_cursor: expect.any(String) } })
      expect(pages(sql, { user: 'ann' }, 10).map(({ run_id }) => run_id)).toEqual(['run_first'])
    }))

  it('shows no owner for runs of a deleted thread, and stores at most 4 KB a run', () =>
    rowsOf('rows-5', (sql) => {
      const skills = Array.from({ length: RUN_SKILLS_MAX + 5 }, (_, at) => ({
        name: `${at}`.padEnd(64, 'x'),
        digest: 'f'.repeat(64),
      }))
      const change = {
        skills,
        user: 'u'.repeat(200),
        model: 'm'.repeat(100),
        charged: { tokens: 5, usd: 0.25, estimated: false },
      }
      recordRun(sql, 't1', runRecord('run_1', change), START, 0)
      recordRun(sql, 't2', runRecord('run_2', change), START, 0)
      const row = sql.exec('SELECT * FROM run_rows LIMIT 1').one()
      expect(JSON.stringify(row).length).toBeLessThan(4_096)
      anonymizeRuns(sql, ['run_1'], 0)
      expect(pages(sql, {}, 10)).toMatchObject([
        { run_id: 'run_2', thread_id: 't2' },
        { run_id: 'run_1', thread_id: null, user: null, skills: [], charged: { tokens: 5, usd: 0.25 } },
      ])
      expect(usageReport(sql, { ...ALL_USAGE, dimension: 'user' }).data).toMatchObject([{ runs: 2 }])
    }))
})
