// Guards "effects happen once" and "accepted is kept" from a request for approval to the result of the approved call: a
// thread killed at any point is found either waiting or decided, and the call is made at most once.
import { afterEach, describe, expect, it } from 'vitest'
import { WATCHDOG_INTERVAL_MS } from '../../src/limits/runs.ts'
import { APPROVAL_EXPIRY_MS } from '../../src/thread/approvals/limits.ts'
import { answer, type RequestMessage, asks, resultsOf, waits, YES } from './approving.ts'
import { unwatch, watchPoints, type CrashMode } from './plan.ts'
import { ANN } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

afterEach(unwatch)

/** Answers each request for approval, twice each time, and wakes a dead object only by its alarm. */
async function answered({ thread }: RequestMessage, runId: string): Promise<void> {
  await eventually(
    async () => {
      const status = await thread.status(runId).catch(() => 'died')
      if (status === 'waiting')
        await Promise.allSettled([
          answer(thread, ANN, runId, 't1', YES),
          answer(thread, ANN, runId, 't1', YES),
        ])
      else if (status !== 'completed') await thread.alarm()
      return status
    },
    (status) => status === 'completed',
  )
}

async function round(kill: number, mode: CrashMode): Promise<readonly string[]> {
  const asking = asks()
  const { thread, world, model } = asking
  const crash = watchPoints(thread.name, (at, _, { fired }) => (at === kill && fired === 0 ? mode : null))
  const input = await thread.input('Pay.', { runId: `run_${'0'.repeat(20)}${String(kill + 1000)}` })
  const runId = input.runId ?? ''
  // A person whose answer failed sends it again.
  await eventually(
    async () => (await thread.api.start(ANN, input).catch(() => null)) !== null,
    (done) => done,
  )
  await answered(asking, runId)
  unwatch()
  const [result] = await resultsOf(thread)
  const output = String(result?.[1])
  const where = `${crash.points[kill]} ${mode}: ${output}`
  expect(world.sent.length, where).toBeLessThanOrEqual(1)
  if (output === 'paid') expect(world.sent, where).toEqual([`${runId}:2:t1`])
  else expect(output, where).toContain('outcome of this call is unknown')
  const { approvals, recoveries } = await thread.receipt(runId)
  expect(approvals, where).toMatchObject([{ tool_use_id: 't1', decision: 'approve' }])
  expect(recoveries).toBeLessThanOrEqual(1)
  await thread.checkEnded(runId, 0)
  expect(model.problems).toEqual([])
  return crash.points
}

describe('killed right after a decision is on disk', () => {
  it('the thread is woken by its alarm as soon as any run that died', async () => {
    const { thread, clock, world } = asks()
    const { run_id } = await thread.start('Pay.')
    await waits(thread, run_id)
    await eventually(
      () => thread.alarmAt(),
      (at) => at === clock.ms + APPROVAL_EXPIRY_MS,
    )
    const crash = watchPoints(thread.name, (_, point, { fired }) =>
      point === 'approval.decided' && fired === 0 ? 'lose' : null,
    )
    await answer(thread, ANN, run_id, 't1', YES).catch(() => null)
    expect(crash.fired).toBe(1)
    expect(await thread.status(run_id)).toBe('waiting')
    expect(await thread.alarmAt()).toBeLessThanOrEqual(clock.ms + WATCHDOG_INTERVAL_MS)
    await thread.alarm()
    await thread.ended(run_id)
    expect(world.sent.length).toBeLessThanOrEqual(1)
  })
})

describe('killed once at each point', () => {
  it.each(['lose', 'keep'] as const)('the call is never made twice (%s)', async (mode) => {
    const points = await round(-1, mode)
    expect(points).toEqual(
      expect.arrayContaining([
        'approval.requested',
        'run.waiting',
        'approval.decided',
        'tool.started',
        'tool.ran',
        'tool.finished',
      ]),
    )
    for (let kill = 0; kill < points.length; kill++) await round(kill, mode)
  })
})
