// Guards "nothing haunts": a deletion that has begun is completed wherever it is interrupted. From its mark on, the
// thread is not found, nothing runs or spends, its idempotency keys report the deletion, and its usage is counted.
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import { objects } from '../../src/env/env.ts'
import { fail, ok } from '../../src/lib/result.ts'
import { statements } from '../../src/lib/tables.ts'
import { STAGED_FILE_RETENTION_MS } from '../../src/limits/files.ts'
import { IDEMPOTENCY_RETENTION_MS } from '../../src/limits/requests.ts'
import { PURGE_BATCH_ROWS } from '../../src/limits/runs.ts'
import { portsOf } from '../../src/thread/ports.ts'
import { ON_DEMAND_TABLES } from '../../src/thread/rows/on-demand-schema.ts'
import type { ForgottenRuns, WorkspaceApi } from '../../src/workspace/api.ts'
import type { RunRecord } from '../../src/workspace/run-api.ts'
import { unwatch, watchPoints, type CrashMode } from './plan.ts'
import { ANN, HandClock, ROOM, speaks, TestThread, value } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { hang, ScriptedModel, text, use } from './scripted-model.ts'

const DONE = { content: [text('Done.')] }
const KEY = { idempotency: { key: 'new k', digest: 'd' } }
const POINTS = ['deletion.marked', 'deletion.reported', 'deletion.batch'] as const

/** A workspace that records its reports. `away` says how long it does not answer. */
interface Listening {
  api: WorkspaceApi
  readonly counted: Map<string, number>
  readonly charged: RunRecord['charged'][]
  readonly reported: string[]
  away: number
}

function listening(): Listening {
  const heard: Listening = { api: {} as WorkspaceApi, counted: new Map(), charged: [], reported: [], away: 0 }
  heard.api = {
    ...ROOM,
    record: async () => fail('overloaded', 'Busy.'),
    forget: async (thread: string, { runs }: ForgottenRuns) => {
      heard.away -= 1
      if (heard.away >= 0) throw new Error('away')
      heard.reported.push(thread)
      for (const run of runs) heard.counted.set(run.id, run.usage.input_tokens)
      for (const run of runs) heard.charged.push(run.charged)
      return ok([])
    },
  } as unknown as WorkspaceApi // the cast is safe: a thread calls no other method
  return heard
}

async function tables(thread: TestThread): Promise<Record<string, number>> {
  return thread.sql((sql) => {
    const names = sql.exec("SELECT name FROM sqlite_master WHERE type = 'table'").toArray()
    const own = names
      .map(({ name }) => String(name))
      .filter((name) => !/^_cf|^sqlite_|^migrations$/.test(name))
    const rows = own.map((name) => [name, Number(sql.exec(`SELECT count(*) AS n FROM ${name}`).one()['n'])])
    return Object.fromEntries(rows.filter(([, count]) => count !== 0)) as Record<string, number>
  })
}

/** Wakes the object until nothing is left except `stays`. */
async function buried(thread: TestThread, stays: readonly string[]): Promise<void> {
  await eventually(
    async () => {
      await thread.alarm()
      return Object.keys(await tables(thread).catch(() => ({ dying: 1 })))
    },
    (left) => JSON.stringify(left.sort()) === JSON.stringify([...stays].sort()),
  )
}

/** What each kind of request is answered. */
async function answers(thread: TestThread, runId: string): Promise<readonly string[]> {
  const { api, caller } = thread
  const all = [
    await api.info(caller),
    await api.messages(caller, null, 10),
    await api.receipts(caller, null, 10),
    await api.receipt(caller, runId),
    await api.events(caller, null, null),
    await api.cancel(caller, runId),
    await api.reply(caller, runId, 10),
    await api.remove(caller),
    await api.start(caller, await thread.input('In it.', { create: false })),
  ]
  return all.map((answer) => (answer.ok ? 'ok' : answer.error.code))
}

/** A thread with one run that has ended and one whose model hangs. */
async function busy(
  workspace: WorkspaceApi,
): Promise<{ thread: TestThread; model: ScriptedModel; ids: string[] }> {
  const model = new ScriptedModel((_, call) =>
    call === 0 ? DONE : { act: (__, ___, signal) => hang(signal) },
  )
  const thread = new TestThread({ ...speaks(model), workspace: () => workspace })
  const first = await thread.start('One.', KEY)
  await thread.ended(first.run_id)
  const second = await thread.start('Two.')
  await eventually(
    () => model.requests.length === 2,
    (requested) => requested,
  )
  return { thread, model, ids: [first.run_id, second.run_id] }
}

describe('an interrupted deletion', () => {
  afterEach(unwatch)

  for (const point of POINTS)
    for (const mode of ['lose', 'keep'] as const satisfies readonly CrashMode[])
      it(`at ${point} is completed (${mode})`, async () => {
        const workspace = listening()
        const { thread, model, ids } = await busy(workspace.api)
        const crash = watchPoints(thread.name, (_, passed, { fired }) =>
          passed === point && fired === 0 ? mode : null,
        )
        await thread.api.remove(thread.caller).catch(() => undefined)
        expect(crash.fired).toBe(1)
        expect(await answers(thread, ids[0] ?? '')).toEqual(Array(9).fill('not_found'))
        expect((await thread.refused('One.', KEY)).code).toBe('gone')
        await buried(thread, ['deletion', 'idempotency'])
        expect(await answers(thread, ids[0] ?? '')).toEqual(Array(9).fill('not_found'))
        expect((await thread.refused('One.', KEY)).code).toBe('gone')
        expect(model.requests).toHaveLength(2)
        expect([...workspace.counted.keys()].sort()).toEqual([...ids].sort())
        expect(workspace.counted.get(ids[0] ?? '')).toBe(10)
      })

  it('at every point, even by its own alarm, is completed in the end', async () => {
    const workspace = listening()
    const { thread, model } = await busy(workspace.api)
    const crash = watchPoints(thread.name, (_, point, { fired }) =>
      point.startsWith('deletion.') && fired < 9 ? 'keep' : null,
    )
    await thread.api.remove(thread.caller).catch(() => undefined)
    await buried(thread, ['deletion', 'idempotency'])
    expect(crash.fired).toBe(9)
    expect(model.requests).toHaveLength(2)
  })

  it('during a model call counts that call, at most what it can have cost', async () => {
    const heard = listening()
    const model = new ScriptedModel(() => ({ act: (_, __, signal) => hang(signal) }))
    const clock = new HandClock()
    const thread = new TestThread({ ...speaks(model), now: clock.now, workspace: () => heard.api })
    const { run_id: runId } = await thread.start('One.')
    await eventually(
      () => model.requests.length,
      (requested) => requested === 1,
    )
    // As after a deletion whose mark reached the disk, but whose object died before the call was settled.
    const at = clock.ms
    await thread.sql((sql) =>
      sql.exec("INSERT INTO deletion (k, id, workspace, at, draft) VALUES (1, ?, 'w1', ?, 0)", thread.id, at),
    )
    await thread.kill()
    clock.ms += 2_000
    await buried(thread, [])
    expect(heard.counted.has(runId)).toBe(true)
    expect(heard.charged[0]).toMatchObject({ estimated: true })
    expect(heard.charged[0]?.tokens).toBeGreaterThan(6_000)
    expect(heard.charged[0]?.tokens).toBeLessThan(10_000)
  })

  it('because the workspace was unavailable removes the thread from the list as soon as it is back', async () => {
    const workspace = listening()
    workspace.away = 2
    const { thread, ids } = await busy(workspace.api)
    expect(await thread.api.remove(thread.caller)).toEqual({ ok: true, value: null })
    expect(workspace.reported).toEqual([])
    expect(await answers(thread, ids[0] ?? '')).toEqual(Array(9).fill('not_found'))
    await buried(thread, ['deletion', 'idempotency'])
    expect(new Set(workspace.reported)).toEqual(new Set([thread.id]))
    expect([...workspace.counted.keys()].sort()).toEqual([...ids].sort())
  })

  it('proceeds in batches, so that other requests get their turn', async () => {
    const thread = new TestThread(speaks(new ScriptedModel(() => DONE)))
    const { run_id } = await thread.start()
    await thread.ended(run_id)
    await thread.sql((sql) =>
      sql.exec(
        `WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < ${999 + 2 * PURGE_BATCH_ROWS})
         INSERT INTO events SELECT i, i, ?, 'loop.warning', '{"type":"loop.warning","detail":""}', 0 FROM n`,
        run_id,
      ),
    )
    const crash = watchPoints(thread.name, () => null)
    await thread.api.remove(thread.caller)
    expect(crash.points.filter((point) => point === 'deletion.batch').length).toBeGreaterThanOrEqual(2)
    expect(await tables(thread)).toEqual({})
  })

  it('by its alarm, while a step waits for a store, is not followed by a late write', async () => {
    const gate = { held: false, open: false }
    const model = new ScriptedModel([{ content: [use('t1', 'ls')] }, DONE])
    const untrusted = portsOf(env)
    let begun = false
    const thread = new TestThread({
      ...speaks(model),
      index: async (workspace, sha256) => {
        // The first request is for the acceptance, the second for the run's tools.
        gate.held = begun
        while (begun && !gate.open) await scheduler.wait(1)
        begun = true
        return untrusted.index(workspace, sha256)
      },
    })
    await thread.start('Go.', KEY)
    await eventually(
      () => gate.held,
      (held) => held,
    )
    const removed = thread.api.remove(thread.caller)
    await eventually(
      () => thread.sql((sql) => sql.exec('SELECT 1 FROM deletion').toArray().length),
      (marks) => marks === 1,
    )
    await thread.alarm()
    gate.open = true
    expect(await removed).toEqual({ ok: true, value: null })
    // Only the key and the mark of the deletion are left.
    expect(await tables(thread)).toEqual({ deletion: 1, idempotency: 1 })
    expect(model.requests).toHaveLength(1)
  })
})

describe('a deleted thread', () => {
  it('keeps its idempotency keys for a day, which report the deletion, and then nothing', async () => {
    const clock = new HandClock()
    const model = new ScriptedModel(() => DONE)
    const thread = new TestThread({ ...speaks(model), now: clock.now })
    const { run_id } = await thread.start('One.', KEY)
    await thread.ended(run_id)
    // Long after the key would have expired if it had not created the thread.
    clock.ms += 3 * IDEMPOTENCY_RETENTION_MS
    await thread.api.remove(thread.caller)
    expect(await tables(thread)).toEqual({ deletion: 1, idempotency: 1 })
    expect((await thread.refused('One.', KEY)).code).toBe('gone')
    expect((await thread.refused('One.', { ...KEY, create: false })).code).toBe('gone')
    expect(await thread.alarmAt()).toBe(clock.ms + IDEMPOTENCY_RETENTION_MS)
    clock.ms += IDEMPOTENCY_RETENTION_MS - 1
    await thread.kill()
    expect((await thread.refused('One.', KEY)).code).toBe('gone')
    clock.ms += 2
    await thread.alarm()
    expect(await tables(thread)).toEqual({})
    expect(await thread.alarmAt()).toBeNull()
    expect(model.requests).toHaveLength(1)
    const again = await thread.start('One.', KEY)
    await thread.ended(again.run_id)
    expect(again.run_id).not.toBe(run_id)
  })

  it('keeps its keys for at most a day when the clock is set back', async () => {
    const clock = new HandClock()
    const thread = new TestThread({ ...speaks(new ScriptedModel(() => DONE)), now: clock.now })
    await thread.ended((await thread.start('One.', KEY)).run_id)
    await thread.api.remove(thread.caller)
    clock.ms -= 5 * IDEMPOTENCY_RETENTION_MS
    await thread.kill()
    await thread.alarm()
    expect(await thread.alarmAt()).toBeLessThanOrEqual(clock.ms + IDEMPOTENCY_RETENTION_MS)
  })

  it('can be created again with another key, while the old key still reports the deletion', async () => {
    const thread = new TestThread(speaks(new ScriptedModel(() => DONE)))
    await thread.ended((await thread.start('One.', KEY)).run_id)
    await thread.api.remove(thread.caller)
    const other = { idempotency: { key: 'new other', digest: 'd' } }
    const { run_id } = await thread.start('Two.', other)
    await thread.ended(run_id)
    const listed = async (): Promise<number> => {
      const { data } = value(await objects(env).workspace(ANN.workspace).listThreads(null, null, 100))
      return data.filter(({ id }) => id === thread.id).length
    }
    await eventually(listed, (often) => often > 0)
    await thread.kill()
    expect((await thread.refused('One.', KEY)).code).toBe('gone')
    expect((await thread.start('Two.', other)).run_id).toBe(run_id)
    expect(await thread.messages()).toHaveLength(2)
    expect(await listed()).toBe(1)
  })

  it('empties every table', async () => {
    const clock = new HandClock()
    const thread = new TestThread({ ...speaks(new ScriptedModel(() => DONE)), now: clock.now })
    await thread.ended((await thread.start('One.', KEY)).run_id)
    await thread.sql((sql) => {
      sql.exec(statements(ON_DEMAND_TABLES))
      const names = sql.exec("SELECT name FROM sqlite_master WHERE type = 'table'").toArray()
      for (const { name } of names) {
        const table = String(name)
        if (/^_cf|^sqlite_|^migrations$|^deletion$/.test(table)) continue
        const columns = sql.exec(`SELECT * FROM ${table} LIMIT 0`).columnNames
        if (sql.exec(`SELECT 1 FROM ${table}`).toArray().length === 0)
          sql.exec(`INSERT INTO ${table} VALUES (${columns.map((_, at) => at + 1).join(', ')})`)
      }
    })
    await thread.api.remove(thread.caller)
    // The bytes of an object may still be in transit, so its row stays until they have arrived.
    expect(await tables(thread)).toEqual({ deletion: 1, idempotency: 1, objects: 1 })
    clock.ms += STAGED_FILE_RETENTION_MS
    await thread.alarm()
    expect(await tables(thread)).toEqual({ deletion: 1, idempotency: 1 })
  })
})
