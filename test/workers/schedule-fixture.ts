// Helpers for the Schedule object: a schedule, its object on its real storage with a clock, and scripted threads.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { Env } from '../../src/env/env.ts'
import { randomToken } from '../../src/lib/ids.ts'
import type { OccurrenceInfo, ScheduleConfig } from '../../src/schedules/api.ts'
import { Schedule } from '../../src/schedules/schedule.ts'
import { Threads } from './hook-fixture.ts'

export const bindings: Env = env
// Later than today, so that the real alarm of the object never fires.
export const START = Date.parse('2031-03-28T12:00:00Z')
export const HOUR = 3_600_000
export const DAY = 24 * HOUR

export function config(change: Partial<ScheduleConfig> = {}): ScheduleConfig {
  return {
    id: `sc_${randomToken(24)}`,
    workspace: 'default',
    name: 'Report',
    cron: '30 2 * * *',
    at: null,
    time_zone: 'Europe/Berlin',
    message: 'Write the report for {{weekday}}, {{date}} {{time}}.',
    missed: 'once',
    thread: 'each',
    user: null,
    skills: { allow: null, load: [] },
    tools: null,
    model: null,
    budget: { tokens: 1_000, usd: 1, steps: 5, tool_calls: 5, wall_s: 60, recoveries: 3 },
    allowed_calls: [],
    callback: null,
    created_at: '2031-03-28T12:00:00.000Z',
    ...change,
  }
}

interface Rig {
  readonly object: Schedule
  readonly state: DurableObjectState
  readonly threads: Threads
  /** Another object on the same storage, as after a restart. */
  readonly again: () => Schedule
  /** Sets the clock, and fires the alarm if it is due. */
  readonly wakeAt: (ms: number) => Promise<void>
  readonly occurrences: () => Promise<readonly OccurrenceInfo[]>
}

/** Runs the test inside the schedule's object, on its real storage, with a clock and threads of the test. */
export async function inside<T>(
  schedule: ScheduleConfig,
  test: (rig: Rig) => Promise<T>,
  threads = new Threads(),
  more: Partial<Env> = {},
): Promise<T> {
  const stub = bindings.SCHEDULES.getByName(`default/${schedule.id}`)
  return runInDurableObject(stub, async (_, state) => {
    let now = START
    // The cast is safe: the object uses only getByName() of the namespace.
    const fake = { ...bindings, THREADS: threads as unknown as DurableObjectNamespace, ...more }
    const again = (): Schedule => new Schedule(state, fake, () => now)
    let object = again()
    return test({
      object,
      state,
      threads,
      again: () => (object = again()),
      wakeAt: async (ms) => {
        now = ms
        const alarm = await state.storage.getAlarm()
        if (alarm !== null && alarm <= ms) await object.alarm()
      },
      occurrences: async () => {
        const list = await object.occurrences('default', 100, null)
        if (!list.ok) throw new Error(list.error.detail)
        return list.value
      },
    })
  })
}

export function started({ requested }: Threads): unknown[] {
  return requested.map(({ input }) => input.metadata['planned_at'])
}
