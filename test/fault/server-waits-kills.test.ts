// Guards "effects happen once" from a call to its server's later result: a thread that is killed at any point makes
// the call at most once, and a call whose 202 was lost has an unknown outcome.
import { afterEach, describe, expect, it } from 'vitest'
import { UNKNOWN_OUTCOME } from '../../src/agent/repair.ts'
import { resultsOf } from './approving.ts'
import { nextAlarm, READY, reports, WORKING } from './job-server.ts'
import { unwatch, watchPoints, type CrashMode } from './plan.ts'
import { ANN } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

afterEach(unwatch)

async function round(kill: number, mode: CrashMode): Promise<readonly string[]> {
  const job = reports()
  const { thread, server, model } = job
  server.answers = [WORKING, READY]
  const crash = watchPoints(thread.name, (at, _, { fired }) => (at === kill && fired === 0 ? mode : null))
  const input = await thread.input('Report.', { runId: `run_${'0'.repeat(20)}${String(kill + 2000)}` })
  const runId = input.runId ?? ''
  await eventually(async () => (await thread.api.start(ANN, input).catch(() => null)) !== null)
  const states: unknown[] = []
  await eventually(
    async () => {
      const [call, run] = await thread
        .sql((sql) => [
          sql.exec('SELECT state, tries FROM tool_calls').toArray()[0],
          sql.exec('SELECT status FROM runs').toArray()[0],
        ])
        .catch(() => [])
      if (call) states.push(`${call['state']} ${call['tries']}`)
      if (run?.['status'] !== 'completed') await nextAlarm(job)
      return run?.['status']
    },
    (status) => status === 'completed',
  )
  unwatch()
  const where = `${crash.points[kill]} ${mode}`
  const [result] = await resultsOf(thread)
  expect(server.begun.length, where).toBeLessThanOrEqual(1)
  if (result?.[1] !== UNKNOWN_OUTCOME)
    expect([server.begun.length, result?.[1]], where).toEqual([1, 'HTTP 200\n\nready'])
  // Begun once, and never planned again.
  expect(states, where).not.toContain('planned 1')
  expect(states.at(-1), where).toMatch(/^finished/)
  expect((await thread.receipt(runId)).recoveries).toBeLessThanOrEqual(1)
  await thread.checkEnded(runId, 0)
  expect(model.problems).toEqual([])
  return crash.points
}

describe('killed once at each point', () => {
  it.each(['lose', 'keep'] as const)('the call is never made twice (%s)', async (mode) => {
    const points = await round(-1, mode)
    expect(points).toEqual(
      expect.arrayContaining([
        'tool.started',
        'tool.ran',
        'tool.waiting',
        'run.waiting',
        'server.polled',
        'tool.finished',
      ]),
    )
    for (let kill = 0; kill < points.length; kill++) await round(kill, mode)
  })
})
