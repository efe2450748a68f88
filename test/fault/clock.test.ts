// Guards "accepted is kept" and "money has a limit" against a clock that is set back by hours: no wait, limit or alarm
// becomes longer.
import { describe, expect, it } from 'vitest'
import { WATCHDOG_INTERVAL_MS } from '../../src/limits/runs.ts'
import { SteadyClock } from '../../src/thread/executor/steady-clock.ts'
import { BUDGET, HandClock, speaks, TestThread } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { hang, ScriptedModel, text } from './scripted-model.ts'

const HOURS = 7 * 3_600_000
const DONE = { content: [text('Done.')] }
const BUSY = {
  retry: 'later',
  reason: 'overloaded',
  detail: 'Busy.',
  retryAfterMs: 60_000,
  usage: null,
} as const

describe("a thread's time", () => {
  it('advances with the system, and never goes back', () => {
    const system = { ms: 1_000 }
    const clock = new SteadyClock(() => system.ms, 5_000)
    const seen: number[] = []
    for (const step of [0, 100, -HOURS, 100, 10 * HOURS, -1]) {
      system.ms += step
      seen.push(clock.now())
    }
    expect(seen).toEqual([5_000, 5_100, 5_100, 5_200, 5_200 + 10 * HOURS, 5_200 + 10 * HOURS])
    expect(clock.toSystemTime(clock.now())).toBe(system.ms)
  })
})

describe('a clock that is set back by hours', () => {
  for (const dies of [false, true])
    it(`does not lengthen a wait, whose alarm is on time (${dies ? 'it dies meanwhile' : 'it lives'})`, async () => {
      const clock = new HandClock()
      const model = new ScriptedModel((_, call) =>
        call === 0 ? { act: async () => ({ kind: 'fault', fault: BUSY }) } : DONE,
      )
      const thread = new TestThread({ ...speaks(model), now: clock.now, randomFraction: () => 0 })
      const { run_id } = await thread.start()
      await eventually(
        () => thread.sql((sql) => sql.exec('SELECT resume_at FROM runs').one()['resume_at']),
        (at) => at !== null,
      )
      clock.ms -= HOURS
      if (dies) await thread.kill()
      // Any request sets the alarm.
      await thread.receipt(run_id)
      expect(await thread.alarmAt()).toBeLessThanOrEqual(clock.ms + BUSY.retryAfterMs)
      clock.ms += BUSY.retryAfterMs
      await thread.alarm()
      expect(await thread.ended(run_id)).toMatchObject({ status: 'completed' })
      await thread.checkEnded(run_id, 2)
      const times = (await thread.replay(run_id)).map(({ at }) => at)
      expect(times).toEqual([...times].sort())
    })

  it('leaves no alarm that is hours ahead', async () => {
    const clock = new HandClock()
    const gate = { open: false }
    const model = new ScriptedModel((_, call) => ({
      act: async (request, onDelta, signal) => {
        while (!gate.open && !signal.aborted) await scheduler.wait(1)
        if (call > 0) return hang(signal)
        return new ScriptedModel(() => ({ content: [text('On.')], stop: 'pause_turn' })).call(
          request,
          onDelta,
          signal,
        )
      },
    }))
    const thread = new TestThread({ ...speaks(model), now: clock.now })
    await thread.start()
    await eventually(
      () => model.requests.length === 1,
      (requested) => requested,
    )
    clock.ms -= HOURS
    gate.open = true
    await eventually(
      () => model.requests.length === 2,
      (requested) => requested,
    )
    expect(await thread.alarmAt()).toBeLessThanOrEqual(clock.ms + WATCHDOG_INTERVAL_MS)
  })

  it('does not lengthen the time limit', async () => {
    const clock = new HandClock()
    const model = new ScriptedModel(() => ({ act: async () => ({ kind: 'fault', fault: BUSY }) }))
    const thread = new TestThread({ ...speaks(model), now: clock.now })
    const { run_id } = await thread.start('Go.', { budget: { ...BUDGET, wall_s: 90 } })
    await eventually(
      () => thread.sql((sql) => sql.exec('SELECT resume_at FROM runs').one()['resume_at']),
      (at) => at !== null,
    )
    clock.ms -= HOURS
    await thread.kill()
    // How long the object was dead is unknown, so the run's time continues from here.
    await thread.receipt(run_id)
    clock.ms += 91_000
    await thread.alarm()
    const receipt = await thread.ended(run_id)
    expect(receipt).toMatchObject({ status: 'failed', stop_reason: 'budget' })
    expect(receipt.error?.detail).toContain('90 seconds')
  })
})
