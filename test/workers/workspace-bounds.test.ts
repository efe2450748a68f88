// Guards the limits on what a workspace remembers: totals are right however often a report arrives, deleted threads
// stay deleted, and revoked keys are deleted only as the setting says.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/lib/bytes.ts'
import { DAY_MS, rfc3339 } from '../../src/lib/clock.ts'
import {
  APPROVALS_LISTED_PER_OWNER_MAX,
  DELETED_THREADS_REMEMBERED_MAX,
  REPORT_REPEATABLE_MS,
  RUN_ROWS_MAX,
  RUNS_SUMMED_AFTER,
} from '../../src/workspace/limits.ts'
import type { ApprovalInfo } from '../../src/thread/approvals/api.ts'
import type { ThreadRecord, WorkspaceApi } from '../../src/workspace/api.ts'
import * as approvals from '../../src/workspace/approvals.ts'
import { setFileSpace } from '../../src/workspace/file-space.ts'
import { sweepEnded } from '../../src/workspace/keys.ts'
import type { RunRecord } from '../../src/workspace/run-api.ts'
import * as threads from '../../src/workspace/threads.ts'
import { usageReport } from '../../src/workspace/usage-report.ts'
import { Workspace } from '../../src/workspace/workspace.ts'
import { ALL_USAGE, runRecord } from './run-record.ts'

const START = Date.parse('2030-01-01T00:00:00Z')
const NO_USAGE = {
  input_tokens: 1,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cost_usd: null,
}

function threadOf(id: string): ThreadRecord {
  const [created_at, updated_at] = [rfc3339(START), rfc3339(START)]
  const facts = { title: '', user: null, status: 'idle', model: 'm', catalog_version: 1 } as const
  const sums = {
    usage: NO_USAGE,
    charged: NO_CHARGE,
    context_tokens: 0,
    root: id,
    forked_from: null,
    branches: [],
  }
  return {
    owner: 'key:k',
    made_by: 'k',
    info: { id, ...facts, created_at, updated_at, ...sums, metadata: {} },
  }
}

const NO_CHARGE = { tokens: 0, usd: 0, estimated: false }

function record(...[sql, thread, run, now]: [SqlStorage, ThreadRecord, RunRecord | null, number]): void {
  const limits = { max_thread_search_bytes: 1_000, max_search_bytes: 10_000 }
  threads.record(sql, thread, run, now, limits, now - 90 * DAY_MS)
}

function forget(sql: SqlStorage, thread: string, now: number, runs: readonly RunRecord[] = []): void {
  threads.forget(sql, thread, { runs, ids: runs.map(({ id }) => id) }, now, now - 90 * DAY_MS)
}

function runs(sql: SqlStorage): number {
  return usageReport(sql, ALL_USAGE).runs
}

/** The rows of a workspace with its tables. */
async function rowsOf(name: string, work: (sql: SqlStorage) => void): Promise<void> {
  const stub = env.WORKSPACES.getByName(name) as DurableObjectStub<Workspace>
  await (stub as unknown as WorkspaceApi).usage(ALL_USAGE)
  await runInDurableObject(stub, (_, state) => work(state.storage.sql))
}

function count(sql: SqlStorage, table: string): number {
  return sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n
}

describe('counted runs', () => {
  it('are remembered while a thread may report them again, and counted once', () =>
    rowsOf('bounds-1', (sql) => {
      const report = (run: string, now: number): void =>
        record(sql, threadOf('t1'), runRecord(run, { endedAt: ended.get(run) ?? now }), now)
      const ended = new Map<string, number>()
      let now = START
      for (let at = 0; at < 500; at++) {
        ended.set(`run_${at}`, now)
        report(`run_${at}`, now)
        // The response was lost: the report is sent again later, and by the previous instance, which has died since.
        report(`run_${at}`, now + 60_000)
        if (at > 0) report(`run_${at - 1}`, now + 60_000)
        now += REPORT_REPEATABLE_MS / 10
      }
      expect(runs(sql)).toBe(500)
      expect(count(sql, 'run_rows')).toBeLessThan(150)
    }))

  it('of a thread that was silent for a year are counted once, too', () =>
    rowsOf('bounds-2', (sql) => {
      const reported = runRecord('run_1', { endedAt: START })
      record(sql, threadOf('t1'), reported, START)
      record(sql, threadOf('t1'), reported, START + 365 * DAY_MS)
      expect(runs(sql)).toBe(1)
    }))
})

describe('deleted threads', () => {
  it('are remembered as long as a report may be in transit, and leave nothing afterwards', () =>
    rowsOf('bounds-3', (sql) => {
      let now = START
      for (let at = 0; at < 300; at++) {
        const run = runRecord(`run_${at}`, { endedAt: now, user: 'ann' })
        if (at % 2 === 0) record(sql, threadOf(`t${at}`), run, now)
        threads.forget(sql, `t${at}`, { runs: [], ids: at % 2 === 0 ? [run.id] : [] }, now, now - 90 * DAY_MS)
        // In transit when the thread was deleted.
        record(sql, threadOf(`t${at}`), run, now + 60_000)
        now += REPORT_REPEATABLE_MS / 10
      }
      expect(threads.listThreads(sql, null, null, 9)).toMatchObject({ value: { data: [] } })
      expect(runs(sql)).toBe(300)
      expect(count(sql, 'forgotten')).toBeLessThan(15)
      expect(count(sql, 'run_rows WHERE thread IS NOT NULL OR user IS NOT NULL')).toBe(0)
    }))

  it('that are deleted again after a lost answer and a month offline are counted once', () =>
    rowsOf('bounds-7', (sql) => {
      const reported = [runRecord('run_1', { endedAt: START })]
      record(sql, threadOf('t1'), null, START)
      forget(sql, 't1', START, reported)
      forget(sql, 't1', START + 30 * DAY_MS, reported)
      expect(runs(sql)).toBe(1)
    }))

  it('that are created again keep their counts', () =>
    rowsOf('bounds-4', (sql) => {
      const again = { ...threadOf('t1'), info: { ...threadOf('t1').info, created_at: rfc3339(START + 1) } }
      const reported = runRecord('run_1', { endedAt: START })
      forget(sql, 't1', START)
      record(sql, again, reported, START + 2)
      forget(sql, 't2', START + 3 * REPORT_REPEATABLE_MS)
      record(sql, again, reported, START + 3 * REPORT_REPEATABLE_MS)
      expect(runs(sql)).toBe(1)
    }))
})

describe('however fast reports arrive', () => {
  it('the rows of runs and of deleted threads are limited', () =>
    rowsOf('bounds-8', (sql) => {
      // As if there were as many rows as there may be.
      sql.exec('UPDATE usage_state SET kept = ?', RUN_ROWS_MAX)
      for (let at = 0; at < 2 * RUNS_SUMMED_AFTER; at++)
        record(sql, threadOf('t1'), runRecord(`run_${at}`, { endedAt: START + at }), START)
      expect(runs(sql)).toBe(2 * RUNS_SUMMED_AFTER)
      expect(count(sql, 'run_rows')).toBeLessThan(RUNS_SUMMED_AFTER + 1)
      sql.exec(
        "INSERT INTO forgotten (rowid, id, at) VALUES (1, 'old1', ?1), (2, 'old2', ?1), (?2, 'old3', ?1)",
        rfc3339(START),
        DELETED_THREADS_REMEMBERED_MAX,
      )
      for (const id of ['t1', 't2', 't1', 't3']) forget(sql, id, START)
      const kept = sql.exec<{ id: string }>('SELECT id FROM forgotten ORDER BY id').toArray()
      expect(kept.map(({ id }) => id)).toEqual(['old3', 't1', 't2', 't3'])
      record(sql, threadOf('t1'), null, START)
      expect(threads.listThreads(sql, null, null, 9)).toMatchObject({ value: { data: [] } })
    }))

  it("a thread's last report determines its reserved quota, and a deleted thread has none", () =>
    rowsOf('bounds-10', (sql) => {
      const limits = { max_key_bytes: 100, max_workspace_bytes: 150 }
      const ask = (thread: string, change: number, kept: number, key = 'k', made_at = START): unknown => {
        const room = { thread, key, made_at, change, kept, stored: kept }
        const answer = setFileSpace(sql, room, limits, START)
        return answer.ok ? 'ok' : answer.error.code
      }
      const sums = (): unknown => sql.exec('SELECT * FROM key_files ORDER BY key').toArray()
      expect([ask('t1', 1, 60), ask('t1', 1, 60), ask('t1', 3, 40), ask('t1', 2, 60)]).toEqual(
        Array(4).fill('ok'),
      )
      expect([ask('t2', 1, 61), ask('t2', 2, 60), ask('t3', 1, 51, 'l'), ask('t3', 2, 50, 'l')]).toEqual([
        'storage_full',
        'ok',
        'storage_full',
        'ok',
      ])
      expect(sums()).toEqual([
        { key: 'k', kept: 100, stored: 100 },
        { key: 'l', kept: 50, stored: 50 },
      ])
      // A smaller request is always granted, even above a quota that was lowered.
      limits.max_key_bytes = 10
      expect([ask('t2', 3, 59), ask('t2', 4, 60)]).toEqual(['ok', 'storage_full'])
      forget(sql, 't2', START + 1)
      expect([ask('t2', 5, 1), ask('t3', 3, 0, 'l')]).toEqual(['not_found', 'ok'])
      expect(sums()).toEqual([{ key: 'k', kept: 40, stored: 40 }])
      // A thread created since counts again.
      expect([ask('t1', 4, 0), ask('t2', 1, 5, 'k', START + 2)]).toEqual(['ok', 'ok'])
      expect(sums()).toEqual([{ key: 'k', kept: 5, stored: 5 }])
    }))

  it('the listed pending calls of one owner are limited, without affecting others', () =>
    rowsOf('bounds-9', (sql) => {
      const info = { by: 'owner', requested_at: rfc3339(START), expires_at: rfc3339(START + DAY_MS) }
      const report = (thread: string, owner: string, calls: number, change = 1): void =>
        approvals.recordApprovals(sql, {
          thread,
          owner,
          created_at: rfc3339(START),
          change,
          // The fields of a request that the list reads.
          approvals: Array.from({ length: calls }, () => info as ApprovalInfo),
        })
      for (let at = 0; at < 8; at++) report(`t${at}`, 'key:k', APPROVALS_LISTED_PER_OWNER_MAX / 5)
      expect(count(sql, 'approvals')).toBe(APPROVALS_LISTED_PER_OWNER_MAX)
      report('other', 'key:l', 2)
      report('t0', 'key:k', 0, 2)
      report('late', 'key:k', 3)
      expect(count(sql, 'approvals')).toBe(
        APPROVALS_LISTED_PER_OWNER_MAX - APPROVALS_LISTED_PER_OWNER_MAX / 5 + 5,
      )
    }))
})

describe('revoked and expired keys', () => {
  const keysAt = (sql: SqlStorage, revoked: readonly (number | null)[]): void => {
    for (const [at, ms] of revoked.entries())
      sql.exec(
        "INSERT INTO keys (id, secret_hash, role, created_at, revoked_at) VALUES (?, ?, 'chat', '', ?)",
        `k${at}`,
        'f'.repeat(64),
        ms === null ? null : rfc3339(ms),
      )
  }
  const left = (sql: SqlStorage): readonly unknown[] =>
    sql
      .exec('SELECT id FROM keys ORDER BY seq')
      .toArray()
      .map((row) => row['id'])

  it('are deleted if they ended before the configured time, and all but the newest in any case', () =>
    rowsOf('bounds-5', (sql) => {
      keysAt(sql, [START, START + 1, null, START + 2, START + 3, null])
      // One expired, one will.
      const expire = (id: string, ms: number): unknown =>
        sql.exec('UPDATE keys SET expires_at = ? WHERE id = ?', rfc3339(ms), id)
      const now = rfc3339(START + 10)
      expire('k2', START + 1)
      expire('k5', START + DAY_MS)
      sweepEnded(sql, null, 10, now)
      expect(left(sql)).toEqual(['k0', 'k1', 'k2', 'k3', 'k4', 'k5'])
      sweepEnded(sql, rfc3339(START + 1), 10, now)
      expect(left(sql)).toEqual(['k1', 'k2', 'k3', 'k4', 'k5'])
      sweepEnded(sql, rfc3339(START + 2), 10, now)
      expect(left(sql)).toEqual(['k3', 'k4', 'k5'])
      sweepEnded(sql, null, 1, now)
      expect(left(sql)).toEqual(['k4', 'k5'])
    }))

  it('stay without a setting, and with one are deleted when a key is created or revoked', async () => {
    const secretHash = await sha256Hex('s')
    const key = { secretHash, role: 'chat', user: null, note: null } as const
    const stub = env.WORKSPACES.getByName('bounds-6') as DurableObjectStub<Workspace>
    await runInDurableObject(stub, async (object, state) => {
      await object.createKey({ id: 'new', ...key })
      const { sql } = state.storage
      keysAt(sql, [Date.now() - 40 * DAY_MS, Date.now() - 20 * DAY_MS])
      await object.revokeKey('new')
      expect(left(sql)).toEqual(['new', 'k0', 'k1'])
      const other = new Workspace(state, { ...env, REVOKED_KEYS_DAYS: '30' })
      await other.createKey({ id: 'newer', ...key })
      expect(left(sql)).toEqual(['new', 'k1', 'newer'])
    })
  })
})
