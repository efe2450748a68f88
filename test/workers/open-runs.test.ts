// Guards the limit on concurrent runs: each key has a limited number of running and waiting runs, other keys are not
// affected, and no crash or lost report keeps a slot forever.

import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { objects } from '../../src/env/env.ts'
import { newId } from '../../src/lib/ids.ts'
import { QUEUED_PER_KEY, RUNS_PER_KEY } from '../../src/env/limits.ts'
import {
  OPEN_RUNS_SWEEP_INTERVAL_MS,
  SLOT_REQUEST_RETRY_MS,
  SLOT_REQUEST_EXPIRY_MS,
} from '../../src/workspace/limits.ts'
import type { OpenRun } from '../../src/workspace/api.ts'
import { OpenRuns } from '../../src/workspace/open-runs.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

const REFUSED = { ok: false, error: { code: 'too_many_runs', retryAfterS: 5 } }

function open(change: Partial<OpenRun> = {}): OpenRun {
  return { thread: newId('th'), run: newId('run'), key: 'k1', queued: false, until: 1_000, ...change }
}

interface World {
  readonly clock: { now: number }
  readonly runs: OpenRuns
  /** Performs the delayed writes. */
  readonly write: () => number
  /** While `broken` is true, the rows cannot be written. */
  readonly disk: { broken: boolean }
}

/**
 * Runs `test` with the rows of the object of this name, and with limits of two running and three waiting runs for each
 * key.
 */
async function within(name: string, test: (world: World, sql: SqlStorage) => void): Promise<void> {
  await runInDurableObject(env.WORKSPACES.getByName(name), (_, { storage: { sql } }) => {
    sql.exec(`CREATE TABLE IF NOT EXISTS open_runs (thread TEXT NOT NULL, run TEXT NOT NULL, key TEXT NOT NULL,
      queued INTEGER NOT NULL, until INTEGER NOT NULL, since INTEGER NOT NULL, PRIMARY KEY (thread, run))`)
    const waiting: (() => void)[] = []
    const clock = { now: 0 }
    const budgetLimits = { running: 2, queued: 3 }
    const disk = { broken: false }
    const runs = new OpenRuns(
      budgetLimits,
      () => clock.now,
      (_, work) => waiting.push(work),
      sql,
      () => {
        if (disk.broken) throw new Error('The disk is full.')
        return sql
      },
    )
    test({ clock, runs, disk, write: () => waiting.splice(0).map((work) => work()).length }, sql)
  })
}

describe('the open runs of a key', () => {
  it('are limited, running and waiting separately, for each key', async () => {
    await within('open-1', ({ runs }) => {
      for (let at = 0; at < 2; at++) expect(runs.admit(open(), false)).toEqual({ ok: true, value: null })
      expect(runs.admit(open(), false)).toMatchObject(REFUSED)
      for (let at = 0; at < 3; at++) expect(runs.admit(open({ queued: true }), false).ok).toBe(true)
      expect(runs.admit(open({ queued: true }), false)).toMatchObject(REFUSED)
      expect(runs.admit(open({ key: 'hook:k1' }), false).ok).toBe(true)
    })
  })

  it('free a slot when one ends, leaves the queue, or its thread is deleted', async () => {
    await within('open-2', ({ runs }) => {
      const [one, two, waits] = [open(), open(), open({ queued: true })]
      for (const run of [one, two, waits]) runs.admit(run, false)
      runs.leave(one.thread, one.run)
      expect(runs.admit(open({ thread: two.thread }), false).ok).toBe(true)
      expect(runs.admit(open(), false)).toMatchObject(REFUSED)
      runs.leaveAll(two.thread)
      // A waiting run starts: it was accepted, so it is counted and never refused.
      expect(runs.admit({ ...waits, queued: false }, true).ok).toBe(true)
      expect(runs.admit(open(), false).ok).toBe(true)
      expect(runs.admit(open(), false)).toMatchObject(REFUSED)
      for (let at = 0; at < 3; at++) expect(runs.admit(open({ queued: true }), false).ok).toBe(true)
    })
  })

  it('never refuse a run that is already counted or accepted', async () => {
    await within('open-3', ({ runs }) => {
      const [one, two] = [open(), open()]
      for (const run of [one, two, one, two]) expect(runs.admit(run, false).ok).toBe(true)
      expect(runs.admit(open(), true).ok).toBe(true)
      expect(runs.threads()).toHaveLength(3)
    })
  })

  it('that waited get slots in the order of their requests, before new ones, and never beyond the limit', async () => {
    await within('open-resume', ({ runs, clock }) => {
      const [one, two] = [open(), open()]
      for (const run of [one, two]) runs.admit(run, false)
      const waited = Array.from({ length: 16 }, () => open({ until: 10_000_000 }))
      const ask = (): readonly number[] =>
        waited.flatMap((run, at) => (runs.resume(run) === null ? [at] : []))
      expect(ask()).toEqual([])
      // Runs far back in the queue ask less often.
      expect(runs.resume(waited[0] ?? one)).toBe(SLOT_REQUEST_RETRY_MS)
      expect(runs.resume(waited[15] ?? one)).toBe(8 * SLOT_REQUEST_RETRY_MS)
      // Another key has its own slots.
      expect(runs.resume(open({ key: 'k2' }))).toBe(null)
      runs.leave(one.thread, one.run)
      expect(runs.admit(open(), false)).toMatchObject(REFUSED)
      expect(runs.resume(waited[3] ?? one)).toBeGreaterThan(0)
      expect(ask()).toEqual([0])
      // A run with a slot keeps it, however often it asks.
      expect(ask()).toEqual([0])
      runs.leave(two.thread, two.run)
      const [, second] = waited
      runs.leave(second?.thread ?? '', second?.run ?? '')
      runs.leaveAll(waited[2]?.thread ?? '')
      waited.splice(1, 2)
      expect(ask()).toEqual([0, 1])
      // A run that no longer asks delays nobody.
      clock.now += SLOT_REQUEST_EXPIRY_MS + 1
      for (const run of waited.slice(0, 2)) runs.leave(run.thread, run.run)
      expect(runs.admit(open({ until: 10_000_000 }), false).ok).toBe(true)
    })
  })

  it('count no longer than they can last, even if their end is never reported', async () => {
    await within('open-4', ({ runs, clock }) => {
      for (const until of [500, 800]) runs.admit(open({ until }), false)
      clock.now = 499
      expect(runs.admit(open(), false)).toMatchObject(REFUSED)
      clock.now = 500
      expect(runs.admit(open({ until: 900 }), false).ok).toBe(true)
      clock.now = 900
      expect(runs.threads()).toEqual([])
    })
  })

  it('are written later, together, and short ones not at all', async () => {
    await within('open-5', ({ runs, write }, sql) => {
      const rows = (): number => sql.exec('SELECT 1 FROM open_runs').toArray().length
      const [one, two] = [open({ key: 'a' }), open({ key: 'b' })]
      for (const run of [one, two, open({ key: 'c' })]) runs.admit(run, false)
      runs.leave(two.thread, two.run)
      expect(rows()).toBe(0)
      expect(write()).toBe(1)
      expect(rows()).toBe(2)
      runs.leave(one.thread, one.run)
      expect(write()).toBe(1)
      expect(rows()).toBe(1)
      expect(write()).toBe(0)
    })
  })

  it('are written again after a failure, in their current state', async () => {
    await within('open-7', ({ runs, write, disk }, sql) => {
      const rows = (): unknown[] => sql.exec('SELECT run FROM open_runs').toArray()
      const [one, two, three] = [open({ key: 'a' }), open({ key: 'b' }), open({ key: 'c' })]
      disk.broken = true
      for (const run of [one, two]) runs.admit(run, false)
      expect([write(), write()]).toEqual([1, 1])
      runs.leave(one.thread, one.run)
      runs.admit(three, false)
      disk.broken = false
      expect(write()).toBe(1)
      expect(rows()).toEqual(expect.arrayContaining([{ run: two.run }, { run: three.run }]))
      expect(rows()).toHaveLength(2)
      expect(write()).toBe(0)
    })
  })

  it('whose lease is over leave no rows behind', async () => {
    await within('open-6', ({ runs, clock, write }, sql) => {
      runs.admit(open({ until: 500 }), false)
      write()
      clock.now = OPEN_RUNS_SWEEP_INTERVAL_MS
      runs.admit(open({ until: OPEN_RUNS_SWEEP_INTERVAL_MS + 1 }), false)
      write()
      expect(sql.exec('SELECT 1 FROM open_runs').toArray()).toHaveLength(1)
    })
  })
})

describe('a workspace', () => {
  it('continues its count after an eviction', async () => {
    const name = 'open-evicted'
    const stub = env.WORKSPACES.getByName(name)
    const api = () => objects(env).workspace(name)
    const until = Date.now() + 600_000
    const mine = Array.from({ length: RUNS_PER_KEY }, () => open({ until }))
    for (const run of mine) await api().admit(run, false)
    for (let at = 0; at < QUEUED_PER_KEY; at++) await api().admit(open({ until, queued: true }), false)
    await eventually(async () =>
      runInDurableObject(stub, (_, { storage: { sql } }) => {
        const there = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'open_runs'").toArray().length > 0
        const rows = there ? sql.exec('SELECT 1 FROM open_runs').toArray().length : 0
        return rows === RUNS_PER_KEY + QUEUED_PER_KEY
      }),
    )
    await evictDurableObject(stub)
    expect(await api().admit(open({ until }), false)).toMatchObject(REFUSED)
    expect(await api().admit(open({ until, queued: true }), false)).toMatchObject(REFUSED)
    const threads = await api().openThreads()
    expect(threads.ok && threads.value.toSorted()).toEqual(
      expect.arrayContaining(mine.map(({ thread }) => thread)),
    )
  })
})
