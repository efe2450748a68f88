// Guards that caps are never exceeded, whatever happens: a hundred threads of one key at once, kills of threads and of
// the workspace, an unavailable workspace, midnight. Unused leases are returned, and nothing is leased twice.

import { expect, it } from 'vitest'
import type { Receipt } from '../../src/agent/events.ts'
import { microUsd } from '../../src/lib/money.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { PRICE, sumOf, Town, writes } from './capped-town.ts'
import { value, type TestThread } from './rig.ts'
import { ScriptedModel, text, use, type Turn } from './scripted-model.ts'

const SEED = 27
const THREADS = 100
const KILLS = 50
const CAP_USD = 3
/** Input tokens of each call. */
const INPUT = 1_000
const DAYS = ['2031-05-30', '2031-05-31', '2031-06-01'] as const

/** The same numbers in every run of the tests. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

it('a cap is never exceeded by a hundred threads of one key, over kills, an outage and midnight', async () => {
  console.log(`seed ${SEED}`)
  const roll = dice(SEED)
  const town = new Town('capped', DAYS[0])
  await town.limit({
    workspace: { day: { usd: CAP_USD }, month: { usd: 5 } },
    key: { day: { usd: CAP_USD } },
  })
  /** What the provider billed, by the day of the call. */
  const billed = new Map<string, number>()
  let calls = 0
  const model = new ScriptedModel((): Turn => {
    calls += 1
    return {
      act: async ({ maxTokens, messages }) => {
        // As the API does: it never writes more than it was asked for.
        const output = Math.min(maxTokens, 2_000 + roll(12_000))
        const micro = INPUT * PRICE.input + output * PRICE.output
        billed.set(town.day, (billed.get(town.day) ?? 0) + micro)
        const content =
          messages.length < 3
            ? [use(`t${messages.length}`, 'load_skill', { name: 'api-design' })]
            : [text('Done.')]
        return writes(content, INPUT, output)
      },
    }
  })
  const threads = Array.from({ length: THREADS }, () => town.thread(model))
  const problems: string[] = []
  const checkCaps = async (): Promise<void> => {
    for (const [window, cap] of [...DAYS.map((day) => [day, CAP_USD] as const), ['2031-05', 5] as const]) {
      const { spent, leased } = await town.counted(window)
      if (spent + leased > microUsd(cap)) problems.push(`${window}: ${spent} and ${leased}`)
    }
  }
  const refused = new Map<string, number>()
  /** Starts a run however often its thread dies; null if a cap is reached for the rest of the day. */
  const startOne = async (thread: TestThread): Promise<string | null> => {
    for (let attempt = 0; ; attempt++) {
      const input = await thread.input('Go.', { idempotency: { key: 'once', digest: 'd' } })
      const started = await thread.api.start(thread.caller, input).catch(() => null)
      if (started?.ok) return started.value.run_id
      const { code = 'killed', retryAfterS = 0 } = started?.error ?? {}
      refused.set(code, (refused.get(code) ?? 0) + 1)
      if (code === 'quota_exceeded' && (retryAfterS > 60 || attempt > 20)) return null
      await scheduler.wait(1 + roll(20))
    }
  }
  const runs = new Map<TestThread, string>()
  const work = threads.map(async (thread, at) => {
    await scheduler.wait(at)
    const runId = await startOne(thread)
    if (runId === null) return
    runs.set(thread, runId)
    await eventually(
      async () => {
        const now = await thread.receipt(runId).catch(() => null)
        if (now?.ended_at === null) await thread.alarm()
        return now
      },
      (now) => now !== null && now.ended_at !== null,
    )
  })
  const trouble = (async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      await scheduler.wait(5)
      if (kill % 10 === 9)
        await town
          .sql((_, state) => {
            state.abort('killed by a test')
          })
          .catch(() => undefined)
      else await threads[roll(THREADS)]?.kill()
      if (kill === 15) town.away = true
      if (kill === 20) town.away = false
      if (kill === 30) town.setDay(DAYS[1])
      await checkCaps()
    }
  })()
  await Promise.all([...work, trouble])
  await checkCaps()
  // The reports of all ends arrive.
  await eventually(
    async () => {
      for (const thread of runs.keys()) await thread.alarm()
      const open = await town.sql((sql) =>
        sumOf(sql, 'SELECT count(*) AS n FROM leases WHERE run IN (SELECT run FROM run_rows)'),
      )
      const { length } = value(await town.real.listRuns({}, null, 100)).data
      return { open, length }
    },
    ({ open, length }) => open === 0 && length >= runs.size,
  )
  expect(problems).toEqual([])
  console.log(JSON.stringify({ calls, runs: runs.size, refused: [...refused], billed: [...billed] }))
  for (const day of DAYS) expect(billed.get(day) ?? 0).toBeLessThanOrEqual(microUsd(CAP_USD))
  expect((billed.get(DAYS[0]) ?? 0) + (billed.get(DAYS[1]) ?? 0)).toBeLessThanOrEqual(microUsd(5))
  // What counts is what receipts say, exactly, and nothing is held any more.
  const receipts: Receipt[] = await Promise.all(Array.from(runs, ([thread, run]) => thread.receipt(run)))
  const charged = receipts.reduce((sum, receipt) => sum + microUsd(receipt.charged.usd), 0)
  const month = await town.counted('2031-05')
  const days = await Promise.all([DAYS[0], DAYS[1]].map((day) => town.counted(day)))
  expect(month.spent).toBe(charged)
  expect(days.reduce((sum, { spent }) => sum + spent, 0)).toBe(charged)
  // On another day and in another month everything works again.
  town.setDay(DAYS[2])
  const [thread] = threads
  if (!thread) return
  const { run_id } = await thread.start('And now?')
  expect(await thread.ended(run_id)).toMatchObject({ status: 'completed' })
})
