// Promise: a planned time starts one run, wherever the schedule's object dies between its alarm and the next one.

import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test'
import { beforeAll, expect, it } from 'vitest'
import { Schedule } from '../../src/schedules/schedule.ts'
import { servePushedBuild } from '../../src/skills/current-build.ts'
import { BUILD, Threads } from './hook-fixture.ts'
import { bindings, config, DAY, HOUR, inside, START, started } from './schedule-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

beforeAll(() => servePushedBuild(BUILD))

it('runs each time once when it dies at any step from its alarm to its next one', async () => {
  // Dies at the step with this index, and returns the number of steps.
  const killedAt = async (step: number | null): Promise<number> => {
    const schedule = config()
    const stub = bindings.SCHEDULES.getByName(`default/${schedule.id}`)
    await inside(schedule, async ({ object }) => object.configure(schedule))
    const threads = new Threads()
    const answer = threads.answer
    let steps = 0
    let died = false
    // What follows the step in which it dies never runs.
    const pass = (): Promise<void> | void => {
      if (died || steps++ === step) died = true
      if (died) return new Promise(() => {})
    }
    threads.answer = async (input) => {
      await pass()
      const started = await answer(input)
      await pass()
      return started
    }
    await runInDurableObject(stub, async (_, state) => {
      const setAlarm = state.storage.setAlarm.bind(state.storage)
      Object.defineProperty(state.storage, 'setAlarm', {
        configurable: true,
        value: async (at: number) => {
          await pass()
          await setAlarm(at)
          await pass()
        },
      })
      // The cast is safe: the object uses only getByName() of the namespace.
      const fake = { ...bindings, THREADS: threads as unknown as DurableObjectNamespace }
      const object = new Schedule(state, fake, () => START + DAY)
      const alarm = object.alarm().then(() => true)
      await eventually(async () => died || (await Promise.race([alarm, scheduler.wait(1)])) === true)
      await state.storage.sync()
      Reflect.deleteProperty(state.storage, 'setAlarm')
    })
    if (died) await abortAllDurableObjects()
    threads.answer = answer
    await inside(
      schedule,
      async ({ wakeAt, state }) => {
        for (let hour = 1; hour <= 3; hour++) await wakeAt(START + DAY + hour * HOUR)
        expect(await state.storage.getAlarm()).toBeGreaterThan(START + DAY + 3 * HOUR)
      },
      threads,
    )
    expect(new Set(started(threads)), `step ${step}`).toEqual(new Set(['2031-03-29T01:30:00.000Z']))
    expect(new Set(threads.requested.map(({ input }) => input.runId)).size, `step ${step}`).toBe(1)
    return steps
  }
  const steps = await killedAt(null)
  expect(steps).toBeGreaterThan(3)
  for (let step = 0; step < steps; step++) await killedAt(step)
})
