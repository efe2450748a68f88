// Guards "accepted is kept" and "money has a limit": a kill while a run waits for the model uses none of its
// recoveries, a run that causes its own deaths still ends, and each lost call is paid for.
import { describe, expect, it } from 'vitest'
import type { Receipt } from '../../src/agent/events.ts'
import { RUN_RECOVERIES_DEFAULT } from '../../src/limits/runs.ts'
import { RUN_INTERRUPTED_WAITS_MAX } from '../../src/thread/executor/limits.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { BUDGET, HandClock, speaks, TestThread } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { hang, ScriptedModel, text, use } from './scripted-model.ts'
import { tool } from './world.ts'

const RICH = { ...BUDGET, tokens: 20_000_000, usd: 100 }
const DONE = { content: [text('Done.')] }

interface Killed {
  readonly thread: TestThread
  readonly runId: string
  readonly model: ScriptedModel
}

/** Kills the object while a model call is unanswered, the first `deaths` times. */
async function killedWaiting(
  deaths: number,
  budget = RICH,
  ports: Partial<ThreadPorts> = {},
): Promise<Killed> {
  const model = new ScriptedModel((_, call) =>
    call < deaths ? { act: (__, ___, signal) => hang(signal) } : DONE,
  )
  const thread = new TestThread({ ...speaks(model), ...ports })
  const { run_id: runId } = await thread.start('Go.', { budget })
  for (let death = 1; death <= deaths; death++) {
    const requested = await eventually(
      async () => model.requests.length >= death || (await thread.status(runId)) !== 'running',
      (known) => known,
    )
    if (!requested) break
    await thread.kill()
    await thread.alarm()
  }
  return { thread, runId, model }
}

/** Wakes the object until its run has ended, whatever kills it. */
async function woken(thread: TestThread, runId: string): Promise<Receipt> {
  for (let turn = 0; turn < 4 * RUN_INTERRUPTED_WAITS_MAX; turn++) {
    await thread.alarm()
    const status = await thread.status(runId).catch(() => 'died')
    if (status !== 'running' && status !== 'died') break
  }
  return thread.ended(runId)
}

describe('a run whose object dies', () => {
  it('while it waits for the model continues however often it is killed, and pays for each lost call', async () => {
    const deaths = RUN_RECOVERIES_DEFAULT + 3
    const { thread, runId, model } = await killedWaiting(deaths)
    const receipt = await thread.ended(runId)
    expect(receipt).toMatchObject({
      status: 'completed',
      recoveries: 0,
      interrupted_waits: deaths,
      model_calls: deaths + 1,
      budget: { recoveries: { used: 0, limit: RUN_RECOVERIES_DEFAULT } },
    })
    expect(receipt.budget['tokens']?.used).toBeGreaterThan(deaths * 100)
    expect(receipt.charged.estimated).toBe(true)
    await thread.checkEnded(runId, model.requests.length)
    expect(model.problems).toEqual([])
  })

  it('while it waits for the model more often than allowed is given up, and says so', async () => {
    const { thread, runId, model } = await killedWaiting(RUN_INTERRUPTED_WAITS_MAX + 1)
    const receipt = await woken(thread, runId)
    expect(receipt).toMatchObject({ status: 'failed', stop_reason: 'recovery_limit', recoveries: 0 })
    expect(receipt.error?.detail).toContain('while it waited for the model')
    expect(model.requests).toHaveLength(RUN_INTERRUPTED_WAITS_MAX + 1)
  })

  it('while it waits for the model ends at its budget, if that comes first', async () => {
    const { now } = new HandClock(1_000)
    const budget = { ...RICH, tokens: 60_000 }
    const { thread, runId, model } = await killedWaiting(RUN_RECOVERIES_DEFAULT, budget, { now })
    const receipt = await woken(thread, runId)
    expect(receipt).toMatchObject({ status: 'failed', stop_reason: 'budget' })
    expect(receipt.budget['tokens']?.used).toBeLessThanOrEqual(60_000)
    expect(model.requests.length).toBeLessThan(6)
  })

  it('because of the answer that it reads uses up its recoveries and is given up, although it was waiting for that answer', async () => {
    const { thread, runId, model } = await killedWaiting(1)
    await thread.ended(runId)
    expect(model.problems).toEqual([])
    const asking = new ScriptedModel((_, call) =>
      call === 0 ? { act: (__, ___, signal) => hang(signal) } : { content: [use('t1', 'look')] },
    )
    thread.replan(speaks(asking))
    await thread.kill()
    const { run_id } = await thread.start('Again.', { budget: RICH })
    await eventually(
      () => asking.requests.length === 1,
      (requested) => requested,
    )
    let deaths = 0
    const index: ThreadPorts['index'] = async () => {
      deaths += 1
      // Not during the alarm that asks, because that would crash the runtime itself.
      await scheduler.wait(1)
      await thread.kill()
      return new Promise(() => undefined)
    }
    thread.replan({ ...speaks(asking), index })
    await thread.kill()
    const receipt = await woken(thread, run_id)
    expect(receipt).toMatchObject({
      status: 'failed',
      stop_reason: 'recovery_limit',
      recoveries: RUN_RECOVERIES_DEFAULT + 1,
      interrupted_waits: 1,
    })
    expect(deaths).toBe(RUN_RECOVERIES_DEFAULT + 1)
  })

  it('while a tool runs is charged', async () => {
    let ran = 0
    const tools = [
      tool('look', 'read', async () => {
        ran += 1
        while (ran === 1) await scheduler.wait(1)
        return { content: 'seen', isError: false }
      }),
    ]
    const thread = new TestThread({
      ...speaks(new ScriptedModel([{ content: [use('t1', 'look')] }, DONE])),
      tools: () => tools,
    })
    const { run_id } = await thread.start('Go.')
    await eventually(
      () => ran === 1,
      (begun) => begun,
    )
    // By the time anybody could kill it from outside, the step's writes are on disk.
    await thread.kill()
    await thread.alarm()
    expect(await thread.ended(run_id)).toMatchObject({
      status: 'completed',
      recoveries: 1,
      interrupted_waits: 0,
    })
  })
})
