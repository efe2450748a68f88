// Guards the leases that a workspace grants from its caps: never more than is left, once, and no longer than needed;
// and that it counts exactly what runs report.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { objects } from '../../src/env/env.ts'
import { DAY_MS } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import type { Failure, Result } from '../../src/lib/result.ts'
import { removeUserCaps } from '../../src/workspace/cap-limits.ts'
import type { CapState, Lease, LeaseWish, LimitsPatch } from '../../src/workspace/cap-api.ts'
import type { ThreadRecord, WorkspaceApi } from '../../src/workspace/api.ts'
import type { RunRecord } from '../../src/workspace/run-api.ts'
import { runRecord } from './run-record.ts'

/** Set for each test, because a day may end meanwhile. */
let today = ''
beforeEach(() => {
  today = new Date().toISOString().slice(0, 10)
})
const USD = 1_000_000

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

function failure(result: Result<unknown>): Failure {
  if (result.ok) throw new Error('expected a failure')
  return result.error
}

/** A workspace with these limits. */
class Capped {
  readonly name = newId('req')

  get api(): WorkspaceApi {
    return objects(env).workspace(this.name)
  }

  async limit(patch: LimitsPatch): Promise<void> {
    value(await this.api.changeLimits({ author: 'k', patch, expectedVersion: undefined }))
  }

  /** Asks for a new run. */
  begin(
    run: string,
    change: Partial<LeaseWish> = {},
    key = 'k1',
    queued = false,
  ): Promise<Result<Lease | null>> {
    const open = { thread: `th_${run}`, run, key, queued, until: Date.now() + DAY_MS }
    return this.api.admit(open, false, wish(change))
  }

  async end(run: string, change: Partial<RunRecord> = {}): Promise<void> {
    const info = {
      id: `th_${run}`,
      title: '',
      created_at: '2030-01-01',
      updated_at: '2030-01-01',
      root: `th_${run}`,
    }
    // The cast is safe: the workspace stores the rest as it is.
    const thread = { owner: 'o', made_by: 'k1', info } as unknown as ThreadRecord
    const record = runRecord(run, { key: 'k1', user: 'ann', endedAt: Date.now(), ...change })
    value(await this.api.record(thread, record))
  }

  /** The state of the first cap. */
  async state(key: string | null = null, user: string | null = null): Promise<CapState | undefined> {
    return value(await this.api.quota(key, user))[0]
  }

  sql<T>(look: (sql: SqlStorage) => T): Promise<T> {
    return runInDurableObject(env.WORKSPACES.getByName(this.name), (_, state) => look(state.storage.sql))
  }
}

function wish(change: Partial<LeaseWish> = {}): LeaseWish {
  return {
    user: 'ann',
    day: today,
    number: 1,
    need: { micro: 0.1 * USD, tokens: 10_000 },
    most: { micro: 2 * USD, tokens: 1_000_000 },
    spent: [],
    ...change,
  }
}

function charged(usd: number, tokens = 0): Pick<RunRecord, 'charged' | 'spent'> {
  const spent = [{ day: today, number: 1, micro: usd * USD, tokens }]
  return { charged: { usd, tokens, estimated: false }, spent }
}

describe('a workspace without caps', () => {
  it('grants no lease and stores none', async () => {
    const town = new Capped()
    expect(value(await town.begin('run_1'))).toBeNull()
    await town.end('run_1', { charged: { usd: 1, tokens: 1, estimated: false } })
    expect(
      await town.sql((sql) => sql.exec('SELECT 1 FROM leases UNION ALL SELECT 1 FROM cap_sums').toArray()),
    ).toEqual([])
    expect(value(await town.api.quota('k1', 'ann'))).toEqual([])
  })
})

describe('a cap on dollars per day', () => {
  it('gives each run a share of the rest, and refuses runs until some of it is returned', async () => {
    const town = new Capped()
    await town.limit({ key: { day: { usd: 0.3 } } })
    const leases = [await town.begin('run_1'), await town.begin('run_2'), await town.begin('run_3')].map(
      value,
    )
    expect(leases.map((lease) => lease?.micro)).toEqual([100_000, 100_000, 100_000])
    const refused = failure(await town.begin('run_4'))
    expect(refused).toMatchObject({ code: 'quota_exceeded', retryAfterS: 5 })
    expect(refused.detail).toContain('is reserved for runs in progress')
    // Another key has its own cap, and a queued run needs nothing yet.
    expect(value(await town.begin('run_5', {}, 'k2'))?.micro).toBe(100_000)
    expect(value(await town.begin('run_6', {}, 'k1', true))).toMatchObject({ number: 0, micro: 0 })
    await town.end('run_1', charged(0.01))
    expect(value(await town.begin('run_4', { need: { micro: 90_000, tokens: 0 } }))?.micro).toBe(90_000)
    expect(await town.state('k1')).toMatchObject({
      scope: 'key:k1',
      spent: { usd: 0.01, runs: 4 },
      leased: { usd: 0.29 },
    })
  })

  it('is reached until midnight once too little of it is left', async () => {
    const town = new Capped()
    await town.limit({ workspace: { day: { usd: 1 } } })
    value(await town.begin('run_1'))
    await town.end('run_1', charged(0.95))
    for (const queued of [false, true]) {
      const refused = failure(await town.begin('run_2', {}, 'k1', queued))
      expect(refused.code).toBe('quota_exceeded')
      expect(refused.detail).toMatch(
        /^The cap of \$1 per UTC day for the workspace is reached\. Wait until \d{4}-/,
      )
      const left = (Date.parse(today) + DAY_MS - Date.now()) / 1000
      expect(Math.abs((refused.retryAfterS ?? 0) - left)).toBeLessThan(120)
    }
    const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)
    expect(value(await town.begin('run_3', { day: tomorrow }))?.micro).toBe(125_000)
  })

  it('grants more to a run that asks, the same to a repeated request, and nothing to an ended run', async () => {
    const town = new Capped()
    await town.limit({ workspace: { day: { usd: 1 } } })
    value(await town.begin('run_1'))
    const more = wish({ number: 2, need: { micro: 0.6 * USD, tokens: 0 } })
    for (let time = 0; time < 2; time++)
      expect(value(await town.api.lease('th_run_1', 'run_1', 'k1', more))).toMatchObject({
        number: 2,
        micro: 600_000,
      })
    expect(
      value(await town.api.lease('th_run_1', 'run_1', 'k1', wish({ need: { micro: 9e5, tokens: 0 } }))),
    ).toMatchObject({
      number: 2,
      micro: 600_000,
    })
    const all = wish({ number: 3, need: { micro: 2 * USD, tokens: 0 } })
    expect(value(await town.api.lease('th_run_1', 'run_1', 'k1', all))).toMatchObject({
      micro: USD,
      reached:
        'The cap of $1 per UTC day for the workspace is reached. It resets with the next UTC day; an admin can raise it with PATCH /admin/limits.',
    })
    await town.end('run_1', charged(0.4))
    expect(failure(await town.api.lease('th_run_1', 'run_1', 'k1', all)).code).toBe('gone')
    expect(await town.state()).toMatchObject({ spent: { usd: 0.4, runs: 1 }, leased: { usd: 0 } })
  })

  it('gets back the unused lease of a waiting run, and all of a run that was not created', async () => {
    const town = new Capped()
    await town.limit({ workspace: { day: { usd: 1 } } })
    value(await town.begin('run_1', { need: { micro: 0.5 * USD, tokens: 0 } }))
    value(await town.begin('run_2', { need: { micro: 0.5 * USD, tokens: 0 } }))
    const used = { day: today, micro: 0.2 * USD, tokens: 0 }
    // One that was overtaken by a later request changes nothing.
    value(await town.api.leave('th_run_1', 'run_1', [{ ...used, number: 0 }]))
    expect(await town.state()).toMatchObject({ leased: { usd: 1 } })
    value(await town.api.leave('th_run_1', 'run_1', [{ ...used, number: 1 }]))
    value(await town.api.leave('th_run_2', 'run_2'))
    expect(await town.state()).toMatchObject({ spent: { usd: 0, runs: 1 }, leased: { usd: 0.2 } })
  })

  it('counts a lease as spent if its run never reports, until a late report gives the amount', async () => {
    const town = new Capped()
    await town.limit({ workspace: { day: { usd: 1 } } })
    value(await town.begin('run_1', { need: { micro: USD, tokens: 0 } }))
    await town.sql((sql) => sql.exec('UPDATE leases SET until = 0'))
    expect(await town.state()).toMatchObject({ spent: { usd: 1 }, leased: { usd: 0 } })
    expect(failure(await town.begin('run_2')).retryAfterS).toBeGreaterThan(5)
    await town.end('run_1', charged(0.25))
    expect(await town.state()).toMatchObject({ spent: { usd: 0.25 }, leased: { usd: 0 } })
  })

  it('includes what was spent before it was set, even by runs that were open then', async () => {
    const town = new Capped()
    expect(value(await town.begin('run_1'))).toBeNull()
    await town.end('run_1', { charged: { usd: 0.4, tokens: 7, estimated: false } })
    expect(value(await town.begin('run_2'))).toBeNull()
    await town.limit({ user: { month: { usd: 1 } }, users: { ben: { day: { usd: 5 } } } })
    expect(await town.state(null, 'ann')).toMatchObject({
      window: 'month',
      spent: { usd: 0.4, tokens: 7, runs: 1 },
    })
    value(await town.begin('run_3'))
    await town.end('run_2', { charged: { usd: 0.3, tokens: 1, estimated: false } })
    await town.end('run_3', charged(0.1, 2))
    await town.end('run_3', charged(0.1, 2))
    expect(await town.state(null, 'ann')).toMatchObject({ spent: { usd: 0.8, tokens: 10, runs: 3 } })
    expect(await town.state(null, 'ben')).toMatchObject({ window: 'day', cap: { usd: 5 }, spent: { usd: 0 } })
  })

  it('counts a run once, on the day of its reservation, even if it ends the next day', async () => {
    const town = new Capped()
    await town.limit({ workspace: { day: { usd: 1 } } })
    const [before, after] = ['2031-03-03', '2031-03-04']
    value(await town.begin('run_1', { day: before }))
    const part = { micro: 300_000, tokens: 0, number: 1 }
    await town.end('run_1', {
      endedAt: Date.parse(`${after}T00:01:00Z`),
      charged: { usd: 0.3, tokens: 0, estimated: false },
      spent: [{ ...part, day: before }],
    })
    value(await town.begin('run_2', { day: after }))
    const sums = await town.sql((sql) =>
      sql.exec('SELECT window, micro, runs FROM cap_sums ORDER BY window').toArray(),
    )
    expect(sums).toEqual([
      { window: before, micro: 300_000, runs: 1 },
      { window: after, micro: 0, runs: 0 },
    ])
  })
})

describe('other caps', () => {
  it('limit tokens and the number of runs, for hooks too', async () => {
    const town = new Capped()
    await town.limit({ hook: { day: { runs: 2 } }, hooks: { hk_1: { day: { tokens: 25_000 } } } })
    expect(value(await town.begin('run_1', {}, 'hook:hk_1'))).toMatchObject({ micro: null, tokens: 10_000 })
    expect(value(await town.begin('run_2', {}, 'schedule:sc_1'))).toMatchObject({ micro: null, tokens: null })
    value(await town.begin('run_3', {}, 'schedule:sc_1'))
    const refused = failure(await town.begin('run_4', {}, 'schedule:sc_1'))
    expect(refused.detail).toContain('The cap of 2 runs per UTC day for schedule sc_1 is reached.')
    expect(refused.retryAfterS).toBeGreaterThan(5)
    expect(value(await town.begin('run_5', {}, 'k1'))).toBeNull()
  })

  it('on runs do not count a run that they did not let begin, and count it once when it may', async () => {
    const town = new Capped()
    await town.limit({ key: { day: { runs: 1 } } })
    value(await town.begin('run_1'))
    // It began while the workspace did not answer, and asks now.
    const ask = (number: number): Promise<Result<Lease | null>> =>
      town.api.lease('th_run_2', 'run_2', 'k1', wish({ number }))
    expect(value(await ask(1))).toMatchObject({
      micro: 0,
      reached: expect.stringContaining('The cap of 1 run per UTC day for key k1 is reached.'),
    })
    expect(await town.state('k1')).toMatchObject({ spent: { runs: 1 } })
    await town.limit({ key: { day: { runs: 2 } } })
    for (const number of [2, 3])
      expect(value(await ask(number))).toMatchObject({ micro: null, reached: null })
    expect(await town.state('k1')).toMatchObject({ spent: { runs: 2 } })
    await town.end('run_2', charged(0))
    expect(await town.state('k1')).toMatchObject({ spent: { runs: 2 } })
  })

  it('warn once, and name the endpoints that get the warning', async () => {
    const town = new Capped()
    await town.limit({ workspace: { day: { usd: 1 } }, user: { day: { usd: 10 } } })
    const endpoint = {
      id: 'ep_1',
      url: 'https://a.test',
      events: ['budget.warning'],
      answer: false,
      created_at: '',
    } as const
    value(await town.api.putEndpoint(endpoint))
    expect(value(await town.begin('run_1'))?.warnings).toEqual([])
    expect(value(await town.begin('run_2', { need: { micro: 0.7 * USD, tokens: 0 } }))).toMatchObject({
      warnings: ['80 % of the cap of $1 per UTC day for the workspace is spent or reserved.'],
      listeners: ['ep_1'],
    })
    value(await town.api.leave('th_run_1', 'run_1'))
    expect(value(await town.begin('run_3'))?.warnings).toEqual([])
  })

  it('of a deleted user leave no name behind, not even in the history', async () => {
    const town = new Capped()
    await town.limit({ users: { ann: { day: { usd: 1 } }, ben: { day: { usd: 2 } } } })
    await town.limit({ users: { ann: null }, workspace: { day: { usd: 9 } } })
    await town.limit({ users: { ann: { day: { usd: 3 } } } })
    await town.sql((sql) => removeUserCaps(sql, 'ann'))
    // The empty name, which no user can have, shows that something was there.
    const { data } = value(await town.api.limitsHistory(null, 10))
    expect(data.map(({ change }) => change)).toEqual([
      { users: { '': null } },
      { users: { '': null }, workspace: { day: { usd: 9 } } },
      { users: { ben: { day: { usd: 2 } }, '': null } },
    ])
    expect(value(await town.api.limits())).toMatchObject({
      version: 3,
      limits: { users: { ben: { day: { usd: 2 } } }, workspace: { day: { usd: 9 } } },
    })
    expect(JSON.stringify(value(await town.api.limits()))).not.toContain('ann')
  })

  it('of a key replace the default, and a change applies at once', async () => {
    const town = new Capped()
    const key = { id: 'k1', secretHash: 'a'.repeat(64), role: 'chat', user: 'ann', note: null } as const
    value(await town.api.createKey({ ...key, caps: { day: { usd: 5 } } }))
    await town.limit({ key: { day: { runs: 1 } } })
    expect(value(await town.begin('run_1'))).toMatchObject({ micro: 625_000 })
    value(await town.api.changeKey('k1', { caps: null }))
    expect(failure(await town.begin('run_2')).detail).toContain('The cap of 1 run per')
    await town.limit({ key: null })
    expect(value(await town.begin('run_2'))).toBeNull()
  })
})
