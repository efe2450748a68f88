// Guards "accepted is kept" for schedules: each planned time starts one run, whatever dies in between and however the
// clock is set; missed, paused and failed times are recorded as documented.
import { abortAllDurableObjects } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import { fail, ok } from '../../src/lib/result.ts'
import { SCHEDULE_WAITING_MAX } from '../../src/schedules/limits.ts'
import { jitterMs } from '../../src/schedules/plan.ts'
import { Schedule } from '../../src/schedules/schedule.ts'
import { servePushedBuild } from '../../src/skills/current-build.ts'
import { START_ATTEMPTS_MAX } from '../../src/unattended/limits.ts'
import { BUILD, Threads } from './hook-fixture.ts'
import { config, DAY, HOUR, inside, START, started } from './schedule-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

beforeAll(() => servePushedBuild(BUILD))

describe('a schedule', () => {
  it('starts one run per planned time, even across a change of the clock, as its admin configured', async () => {
    const schedule = config({ user: 'ann', message: '/weekly Report of {{weekday}}, {{date}} {{time}}' })
    await inside(schedule, async ({ object, wakeAt, threads, occurrences }) => {
      const view = await object.configure(schedule)
      expect(view).toMatchObject({
        ok: true,
        value: {
          state: 'active',
          next: [
            '2031-03-29T01:30:00.000Z',
            // 02:30 does not exist.
            '2031-03-30T01:00:00.000Z',
            '2031-03-31T00:30:00.000Z',
            '2031-04-01T00:30:00.000Z',
            '2031-04-02T00:30:00.000Z',
          ],
        },
      })
      for (let now = START; now < START + 4 * DAY; now += 60_000) await wakeAt(now)
      expect(started(threads)).toEqual([
        '2031-03-29T01:30:00.000Z',
        '2031-03-30T01:00:00.000Z',
        '2031-03-31T00:30:00.000Z',
        '2031-04-01T00:30:00.000Z',
      ])
      expect(threads.requested[1]?.input).toMatchObject({
        message: [{ type: 'text', text: '/weekly Report of Sunday, 2031-03-30 03:00' }],
        fenced: false,
        calls: [{ name: 'weekly', via: 'slash', path: 'message' }],
        budget: schedule.budget,
        metadata: { schedule_id: schedule.id },
        build: BUILD,
      })
      expect(new Set(threads.requested.map(({ name }) => name)).size).toBe(4)
      expect(await occurrences()).toHaveLength(4)
    })
  })

  it('starts a run at its own second of the minute', async () => {
    const schedule = config()
    await inside(schedule, async ({ object, wakeAt, threads, state }) => {
      await object.configure(schedule)
      const due = Date.parse('2031-03-29T01:30:00Z') + jitterMs(schedule.id)
      expect(await state.storage.getAlarm()).toBe(due)
      await wakeAt(due - 1)
      expect(threads.requested).toEqual([])
      await wakeAt(due)
      expect(threads.requested).toHaveLength(1)
    })
  })

  it('runs a single time exactly and then ends', async () => {
    const at = '2031-03-29T08:00:00.000Z'
    const schedule = config({ cron: null, at, thread: 'one' })
    await inside(schedule, async ({ object, wakeAt, threads }) => {
      await object.configure(schedule)
      await wakeAt(Date.parse(at))
      await wakeAt(Date.parse(at) + 100 * DAY)
      expect(started(threads)).toEqual([at])
      expect(await object.view('default')).toMatchObject({ value: { state: 'ended', next: [] } })
    })
  })

  it('puts all runs into one thread if configured', async () => {
    const schedule = config({ thread: 'one' })
    await inside(schedule, async ({ object, wakeAt, threads }) => {
      await object.configure(schedule)
      await wakeAt(START + DAY)
      await wakeAt(START + 2 * DAY)
      const [first, second] = threads.requested.map(({ name }) => name)
      expect(second).toBe(first)
      expect(threads.requested[1]?.input.onBusy).toBe('enqueue')
    })
  })

  it('starts one run when two alarms and a restart coincide, and none again when the clock is set back', async () => {
    const schedule = config()
    await inside(schedule, async ({ object, again, wakeAt, threads, occurrences }) => {
      await object.configure(schedule)
      await wakeAt(START + DAY - 1)
      const restarted = again()
      await Promise.all([object.alarm(), object.alarm(), restarted.alarm(), restarted.alarm()])
      expect(started(threads)).toEqual(['2031-03-29T01:30:00.000Z'])
      // Back by ten days: those times have come before, so they run for the first time; later ones not again.
      for (let now = START - 2 * DAY; now < START + 2 * DAY; now += 1_800_000) {
        await wakeAt(now)
        await restarted.alarm()
      }
      const planned = started(threads).map(String).toSorted()
      expect(planned).toEqual([...new Set(planned)])
      expect(planned.at(-1)).toBe('2031-03-30T01:00:00.000Z')
      expect((await occurrences()).every(({ state }) => state === 'started')).toBe(true)
    })
  })

  it('completes a recorded time after it died before its thread answered, under the same IDs', async () => {
    const schedule = config()
    const dying = new Threads()
    dying.answer = () => new Promise(() => {})
    await inside(
      schedule,
      async ({ object, wakeAt, state }) => {
        await object.configure(schedule)
        void wakeAt(START + DAY)
        await eventually(() => dying.requested.length === 1)
        await state.storage.sync()
      },
      dying,
    )
    await abortAllDurableObjects()
    await inside(schedule, async ({ wakeAt, threads, state }) => {
      expect(await state.storage.getAlarm()).not.toBeNull()
      await wakeAt(START + DAY + HOUR)
      expect(threads.requested.map(({ input }) => input.runId)).toEqual([dying.requested[0]?.input.runId])
    })
  })

  it.each([
    ['once', ['2031-04-07T00:30:00.000Z'], 9],
    ['skip', [], 10],
  ] as const)('after ten days without the deployment runs %s', async (missed, expected, count) => {
    const schedule = config({ missed })
    await inside(schedule, async ({ object, wakeAt, threads, occurrences }) => {
      await object.configure(schedule)
      await wakeAt(Date.parse('2031-04-07T12:00:00Z'))
      expect(started(threads)).toEqual(expected)
      const skipped = (await occurrences()).filter(({ state }) => state === 'skipped')
      expect(skipped).toMatchObject([
        {
          planned_at: '2031-03-29T01:30:00.000Z',
          run_id: null,
          problem: expect.stringContaining(`${count} times from 2031-03-29T01:30:00.000Z on were missed`),
        },
      ])
      expect(await object.view('default')).toMatchObject({
        value: { next: expect.arrayContaining(['2031-04-08T00:30:00.000Z']) },
      })
    })
  })

  it('does nothing while it is paused, and does not catch up', async () => {
    const schedule = config()
    await inside(schedule, async ({ object, wakeAt, threads, occurrences }) => {
      await object.configure(schedule)
      expect(await object.setPaused('default', true)).toMatchObject({ value: { state: 'paused', next: [] } })
      await wakeAt(START + 5 * DAY)
      expect(await object.setPaused('default', false)).toMatchObject({ value: { state: 'active' } })
      expect(await occurrences()).toEqual([])
      await wakeAt(START + 6 * DAY)
      expect(started(threads)).toEqual(['2031-04-03T00:30:00.000Z'])
    })
  })

  it('runs on request, even while it is paused, and once per key', async () => {
    const schedule = config({ message: 'At {{time}}' })
    await inside(schedule, async ({ object, threads, occurrences }) => {
      await object.configure(schedule)
      await object.setPaused('default', true)
      const runs = await Promise.all([1, 2, 3].map(() => object.run('default', BUILD, 'key')))
      expect(new Set(runs.map((run) => JSON.stringify(run))).size).toBe(1)
      await object.run('default', BUILD, null)
      await eventually(() => threads.requested.length === 2)
      expect(await occurrences()).toMatchObject([{ planned_at: null }, { planned_at: null }])
      expect(threads.requested[0]?.input.message).toEqual([{ type: 'text', text: 'At 13:00' }])
    })
  })

  it('keeps a due time when its message changes, and drops it when its times change', async () => {
    const schedule = config()
    const { id: _, workspace: __, created_at: ___, ...fields } = schedule
    await inside(schedule, async ({ object, wakeAt, threads }) => {
      await object.configure(schedule)
      const due = Date.parse('2031-03-29T01:30:00Z') + jitterMs(schedule.id)
      await wakeAt(due - 10_000)
      await object.change('default', { ...fields, message: 'Changed' })
      await wakeAt(due)
      expect(threads.requested[0]?.input.message).toEqual([{ type: 'text', text: 'Changed' }])
      await object.change('default', { ...fields, cron: '0 6 * * *' })
      expect(await object.view('default')).toMatchObject({
        value: { next: expect.arrayContaining(['2031-03-29T05:00:00.000Z']) },
      })
    })
  })

  it('gives up a run that cannot start, with the reason, and continues with the next time', async () => {
    const schedule = config()
    await inside(schedule, async ({ object, wakeAt, threads, occurrences }) => {
      const works = threads.answer
      threads.answer = async () => fail('invalid_request', 'There is no skill "weekly".')
      await object.configure(schedule)
      for (let now = START + DAY; now < START + DAY + 12 * HOUR; now += 600_000) await wakeAt(now)
      expect(threads.requested).toHaveLength(START_ATTEMPTS_MAX)
      expect(threads.failed).toHaveLength(1)
      expect(await occurrences()).toMatchObject([
        { state: 'dead', tries: START_ATTEMPTS_MAX, problem: expect.stringContaining('no skill "weekly"') },
      ])
      threads.answer = works
      await wakeAt(START + 2 * DAY)
      expect((await occurrences()).map(({ state }) => state)).toEqual(['started', 'dead'])
    })
  })

  it('queues a few runs for a slot, and records that later times have none', async () => {
    const schedule = config({ cron: '0 * * * *' })
    await inside(schedule, async ({ object, wakeAt, threads, occurrences }) => {
      threads.answer = async () => fail('too_many_runs', 'All slots are taken.')
      await object.configure(schedule)
      for (let hour = 1; hour <= SCHEDULE_WAITING_MAX + 2; hour++) await wakeAt(START + hour * HOUR + 120_000)
      const states = (await occurrences()).map(({ state }) => state)
      expect(states.filter((state) => state === 'recorded')).toHaveLength(SCHEDULE_WAITING_MAX)
      expect(states.slice(0, 2)).toEqual(['skipped', 'skipped'])
      expect(await object.run('default', BUILD, null)).toMatchObject({ error: { code: 'too_many_runs' } })
    })
  })

  it('waits until its Worker has its skills', async () => {
    const schedule = config()
    await inside(schedule, async ({ object, wakeAt, threads, occurrences }) => {
      await object.configure(schedule)
      servePushedBuild('')
      await wakeAt(START + DAY)
      expect(await occurrences()).toEqual([])
      servePushedBuild(BUILD)
      await wakeAt(START + DAY + 10_000)
      expect(started(threads)).toEqual(['2031-03-29T01:30:00.000Z'])
    })
  })

  it('ends waiting runs when it is deleted, and then deletes everything', async () => {
    const schedule = config()
    await inside(schedule, async ({ object, wakeAt, threads, state }) => {
      threads.answer = async () => fail('too_many_runs', 'All slots are taken.')
      await object.configure(schedule)
      await wakeAt(START + DAY)
      expect(await object.remove('default')).toEqual(ok(null))
      expect(await object.view('default')).toMatchObject({ error: { code: 'not_found' } })
      await eventually(() => threads.failed.length === 1)
      expect(threads.failed[0]?.why).toBe('The schedule was deleted.')
      await eventually(async () => (await state.storage.getAlarm()) === null)
      expect(await object.run('default', BUILD, null)).toMatchObject({ error: { code: 'not_found' } })
    })
  })

  it('is unknown to other workspaces, and stores nothing before it is created', async () => {
    const schedule = config()
    await inside(schedule, async ({ object, state }) => {
      expect(await object.view('default')).toMatchObject({ error: { code: 'not_found' } })
      await object.alarm()
      expect(await state.storage.getAlarm()).toBeNull()
      await object.configure(schedule)
      for (const answer of [
        await object.view('other'),
        await object.setPaused('other', true),
        await object.run('other', BUILD, null),
        await object.occurrences('other', 1, null),
        await object.remove('other'),
      ])
        expect(answer).toMatchObject({ error: { code: 'not_found' } })
    })
  })

  it('exposes its interface and nothing else over RPC', () => {
    expect(Object.getOwnPropertyNames(Schedule.prototype).toSorted()).toEqual([
      'alarm',
      'change',
      'configure',
      'constructor',
      'forgetUser',
      'occurrences',
      'remove',
      'run',
      'setPaused',
      'threadHasRoom',
      'view',
    ])
  })
})
