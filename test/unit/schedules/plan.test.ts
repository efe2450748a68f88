// Guards the plan of a schedule: one run for each planned time, the newest of missed ones or none, and the same when
// the clock is set.
import { describe, expect, it } from 'vitest'
import { SCHEDULE_JITTER_MAX_MS } from '../../../src/schedules/limits.ts'
import { jitterMs, planAt } from '../../../src/schedules/plan.ts'
import { nextTime, nextTimes } from '../../../src/schedules/times.ts'
import { seededChance } from '../../../scripts/lab/rig/random.ts'
import { SEED } from '../../fuzz/seed.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const daily = nextTime({ cron: '0 8 * * *', at: null, time_zone: 'UTC' })
const often = nextTime({ cron: '*/5 * * * *', at: null, time_zone: 'UTC' })
const MONDAY = Date.parse('2026-11-30T08:00Z')

describe('a planned time', () => {
  it('does not run early', () => {
    expect(planAt(daily, MONDAY, MONDAY - 1, 'once')).toEqual({ run: null, missed: null, next: MONDAY })
  })

  it.each(['skip', 'once'] as const)('runs when it is due, and up to ten minutes later (%s)', (policy) => {
    for (const late of [0, 1, 10 * MINUTE])
      expect(planAt(daily, MONDAY, MONDAY + late, policy)).toEqual({
        run: MONDAY,
        missed: null,
        next: MONDAY + DAY,
      })
  })

  it('that was missed runs late, or not at all', () => {
    const plan = { missed: null, next: MONDAY + DAY }
    expect(planAt(daily, MONDAY, MONDAY + HOUR, 'once')).toEqual({ ...plan, run: MONDAY })
    expect(planAt(daily, MONDAY, MONDAY + HOUR, 'skip')).toEqual({
      ...plan,
      run: null,
      missed: { count: 1, isMore: false, first: MONDAY },
    })
  })

  it('of several missed ones is the newest', () => {
    const now = MONDAY + 3 * DAY + HOUR
    expect(planAt(daily, MONDAY, now, 'once')).toEqual({
      run: MONDAY + 3 * DAY,
      missed: { count: 3, isMore: false, first: MONDAY },
      next: MONDAY + 4 * DAY,
    })
    expect(planAt(daily, MONDAY, now, 'skip')).toMatchObject({ run: null, missed: { count: 4 } })
  })

  it('is found at once after years without the deployment', () => {
    const now = MONDAY + 3_650 * DAY + MINUTE
    expect(planAt(often, MONDAY, now, 'once')).toEqual({
      run: now - MINUTE,
      missed: { count: 99, isMore: true, first: MONDAY },
      next: now + 4 * MINUTE,
    })
    const rare = nextTime({ cron: '*/5 8 1 1 *', at: null, time_zone: 'UTC' })
    const first = rare(MONDAY) ?? 0
    expect(planAt(rare, first, first + 20 * 365 * DAY, 'once').run).toBe(Date.parse('2046-01-01T08:55Z'))
  })

  it('is repeated when the clock is set back, and is handled then', () => {
    expect(planAt(daily, MONDAY + 30 * DAY, MONDAY - HOUR, 'once')).toEqual({
      run: null,
      missed: null,
      next: MONDAY,
    })
  })

  it('without a recurring rule is the last one', () => {
    const once = nextTime({ cron: null, at: '2026-11-30T08:00:00.000Z', time_zone: 'UTC' })
    expect(planAt(once, MONDAY, MONDAY, 'skip')).toEqual({ run: MONDAY, missed: null, next: null })
    expect(planAt(once, null, MONDAY + DAY, 'once')).toEqual({ run: null, missed: null, next: null })
  })
})

describe('a schedule', () => {
  it('runs every planned time once, whenever its object wakes up and however the clock is set', () => {
    const chance = seededChance(SEED)
    const next = nextTime({ cron: '30 * * * *', at: null, time_zone: 'Australia/Lord_Howe' })
    let now = Date.parse('2026-04-03T00:00Z')
    let planned = next(now)
    const handled = new Set<number>()
    const wakeUp = (): void => {
      const plan = planAt(next, planned, now, 'once')
      planned = plan.next
      expect(plan.missed).toBeNull()
      if (plan.run !== null) handled.add(plan.run)
    }
    // The clock advances by up to ten minutes, and is sometimes set back by up to a day.
    for (let wake = 0; wake < 1_000; wake++) {
      now += chance.yes(0.005) ? -chance.next() * DAY : chance.next() * 10 * MINUTE
      wakeUp()
    }
    // In the end, it has passed every time.
    for (const end = Math.max(...handled) + HOUR; now < end; now += 10 * MINUTE) wakeUp()
    const first = Math.min(...handled)
    expect(handled.size).toBeGreaterThan(20)
    expect([...handled].toSorted((a, b) => a - b)).toEqual(nextTimes(next, first - 1, handled.size))
  })

  it('starts a fixed delay of less than a minute late, which differs between schedules', () => {
    const ids = Array.from({ length: 200 }, (_, index) => `sc_${index}abcdefghijklmnopqrstu`)
    const delays = ids.map(jitterMs)
    expect(ids.map(jitterMs)).toEqual(delays)
    for (const delay of delays) expect(delay).toBeLessThan(SCHEDULE_JITTER_MAX_MS)
    const perSecond = Map.groupBy(delays, (delay) => Math.floor(delay / 1000))
    expect(perSecond.size).toBeGreaterThan(45)
  })
})
