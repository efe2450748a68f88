// Guards that what a workspace counts is what receipts say, to the micro-dollar and once for each run, whatever happens:
// kills at any point, lost answers, cancellations, forks and deletions.

import { env } from 'cloudflare:workers'
import { afterEach, expect, it } from 'vitest'
import type { Receipt } from '../../src/agent/events.ts'
import { objects } from '../../src/env/env.ts'
import { microUsd } from '../../src/lib/money.ts'
import { modelRegistry } from '../../src/model/registry.ts'
import type { Page } from '../../src/thread/api.ts'
import type { WorkspaceApi } from '../../src/workspace/api.ts'
import type { RunInfo, RunRecord } from '../../src/workspace/run-api.ts'
import { ALL_USAGE } from '../workers/run-record.ts'
import { unwatch, watchPoints } from './plan.ts'
import { speaks, TestThread, value } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { hang, ScriptedModel, text, use, type Turn } from './scripted-model.ts'

const CALLER = { workspace: 'counted', keyId: 'k1', role: 'chat', user: 'ann' } as const
const THREADS = 16
const PRICE = { input: 3.17, output: 15.31, cacheWrite: 3.7, cacheRead: 0.3 }

/** The same numbers in every run of the tests. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

const roll = dice(27)

/** A workspace that does what it is asked, and loses every third answer to a report. Records what deletions report. */
function forgetful(forgotten: RunRecord[]): WorkspaceApi {
  const real = objects(env).workspace(CALLER.workspace)
  const lose = (): void => {
    if (roll(3) === 0) throw new Error('the answer was lost')
  }
  const record: WorkspaceApi['record'] = async (...requested) => {
    const answer = await real.record(...requested)
    lose()
    return answer
  }
  const forget: WorkspaceApi['forget'] = async (thread, runs) => {
    const answer = await real.forget(thread, runs)
    forgotten.push(...runs.runs)
    lose()
    return answer
  }
  // The cast is safe: a thread calls no other method here.
  return {
    admit: (...requested: Parameters<WorkspaceApi['admit']>) => real.admit(...requested),
    admitThread: (...requested: Parameters<WorkspaceApi['admitThread']>) => real.admitThread(...requested),
    resume: (...requested: Parameters<WorkspaceApi['resume']>) => real.resume(...requested),
    leave: (...requested: Parameters<WorkspaceApi['leave']>) => real.leave(...requested),
    setFileSpace: (...requested: Parameters<WorkspaceApi['setFileSpace']>) => real.setFileSpace(...requested),
    record,
    forget,
  } as unknown as WorkspaceApi
}

/** A run with a skill and some tokens, or one that hangs until it is cancelled. */
function turnOf(hangs: boolean): (at: number) => Turn {
  return (at) => {
    if (hangs) return { act: (_, __, signal) => hang(signal) }
    const tokens = 1 + roll(5_000)
    return at % 2 === 0
      ? { content: [use(`t${at}`, 'load_skill', { name: 'api-design' })], tokens }
      : { content: [text('Done.')], tokens }
  }
}

afterEach(unwatch)

it('receipts, rows and sums agree', async () => {
  const receipts = new Map<string, Receipt>()
  const forgotten: RunRecord[] = []
  const deleted = new Set<string>()
  const registry = modelRegistry({
    apiKey: 'k',
    baseUrl: null,
    model: 'priced',
    models: [{ id: 'priced', price: PRICE, window: 200_000, images: true }],
  })
  let kills = 0
  for (let at = 0; at < THREADS; at++) {
    let hangs = false
    const model = new ScriptedModel((request) => turnOf(hangs)(request.messages.length))
    const ports = { ...speaks(model, registry), workspace: () => forgetful(forgotten) }
    const thread = new TestThread(ports, CALLER)
    const runs = 2 + roll(3)
    for (let run = 0; run < runs; run++) {
      hangs = roll(5) === 0
      const killAt = roll(3) > 0 ? roll(9) : -1
      const mode = roll(2) === 0 ? 'lose' : 'keep'
      const crash = watchPoints(thread.name, (index) => (index === killAt ? mode : null))
      const key = { idempotency: { key: `${at}-${run}`, digest: 'd' } }
      const { run_id } = await eventually(
        () => thread.start('Go.', key).catch(() => ({ run_id: '' })),
        (started) => started.run_id !== '',
      )
      const receipt = await eventually(
        async () => {
          if (hangs) await thread.api.cancel(thread.caller, run_id).catch(() => null)
          const now = await thread.receipt(run_id).catch(() => null)
          if (now?.ended_at === null) await thread.alarm()
          return now
        },
        (now) => now !== null && now.ended_at !== null,
      )
      kills += crash.fired
      unwatch()
      if (receipt) receipts.set(run_id, receipt)
    }
    if (roll(3) === 0) {
      const written = (await thread.messages()).filter(({ content }) => content[0]?.type === 'text')
      const last = written.findLast(({ role }) => role === 'user')
      const fork = new TestThread(ports, CALLER)
      const from = { threadId: fork.id, from: thread.id, messageId: last?.id ?? '', key: 'once' }
      value(await fork.api.fork(CALLER, from))
      hangs = false
      const { run_id } = await fork.start('And?', { create: false })
      receipts.set(run_id, await fork.ended(run_id))
    }
    if (roll(3) === 0) {
      // With a run that is open.
      hangs = true
      await thread.start('Hang.')
      await eventually(
        () => thread.api.remove(CALLER),
        (answer) => answer.ok,
      )
      for (const [id, { thread_id }] of receipts) if (thread_id === thread.id) deleted.add(id)
    }
    await eventually(
      async () => {
        await thread.alarm()
        return thread.sql((sql) =>
          sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'runs'").toArray().length === 0
            ? []
            : sql.exec('SELECT 1 FROM runs WHERE recorded <> 1').toArray(),
        )
      },
      (left) => left.length === 0,
    )
  }
  expect(kills).toBeGreaterThan(8)
  const charges = new Map(Array.from(receipts, ([id, { charged }]) => [id, microUsd(charged.usd)]))
  for (const { id, charged } of forgotten) charges.set(id, microUsd(charged.usd))
  const workspace = objects(env).workspace(CALLER.workspace)
  const rows: RunInfo[] = []
  for (let cursor: string | null = null; ;) {
    const page: Page<RunInfo> = value(await workspace.listRuns({}, cursor, 100))
    rows.push(...page.data)
    cursor = page.next_cursor
    if (cursor === null) break
  }
  expect(rows.map(({ run_id }) => run_id).toSorted()).toEqual([...charges.keys()].toSorted())
  for (const row of rows) {
    expect(microUsd(row.charged.usd), row.run_id).toBe(charges.get(row.run_id))
    const receipt = receipts.get(row.run_id)
    if (!receipt || deleted.has(row.run_id)) {
      expect(row).toMatchObject({ thread_id: null, user: null, skills: [] })
      continue
    }
    const { thread_id, status, stop_reason, steps, model, ended_at } = receipt
    expect(row).toMatchObject({
      thread_id,
      status,
      stop_reason,
      steps,
      model,
      ended_at,
      user: 'ann',
      key: 'k1',
    })
    expect(row.skills).toEqual(receipt.skills.map(({ name, digest }) => ({ name, digest })))
    expect(row.usage.input_tokens).toBe(receipt.usage.input_tokens)
  }
  const sum = [...charges.values()].reduce((total, micros) => total + micros, 0)
  const usage = value(await workspace.usage({ ...ALL_USAGE, dimension: 'key' }))
  expect([usage.runs, microUsd(usage.charged.usd)]).toEqual([charges.size, sum])
  expect(usage.data).toMatchObject([{ value: 'k1', runs: charges.size }])
})
