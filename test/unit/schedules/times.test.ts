// Guards the times of schedules: what a cron expression means where clocks change, which ones are refused and why, and
// how one time is read.
import { describe, expect, it } from 'vitest'
import { checkCron, checkTimeZone, nextTime, nextTimes, readTime } from '../../../src/schedules/times.ts'

const MINUTE = 60_000

/** The planned times from `from` until `to`, found one by one as a schedule finds them. */
function planned(cron: string, time_zone: string, from: string, to: string): string[] {
  const next = nextTime({ cron, at: null, time_zone })
  const times: string[] = []
  for (let time = next(Date.parse(from)); time !== null && time <= Date.parse(to); time = next(time))
    times.push(new Date(time).toISOString().slice(0, 16))
  return times
}

interface Change {
  readonly cron: string
  /** The watched period. */
  readonly days: readonly [string, string]
}

const zones: readonly {
  readonly zone: string
  readonly gap: Change
  readonly atGap: readonly string[]
  readonly twice: Change
  readonly atTwice: readonly string[]
}[] = [
  {
    zone: 'Europe/Berlin',
    // 02:00 becomes 03:00 at 01:00 UTC.
    gap: { cron: '30 2 * * *', days: ['2026-03-27T12:00Z', '2026-03-30T12:00Z'] },
    atGap: ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30'],
    // 03:00 becomes 02:00 at 01:00 UTC.
    twice: { cron: '30 2 * * *', days: ['2026-10-23T12:00Z', '2026-10-26T12:00Z'] },
    atTwice: ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30'],
  },
  {
    zone: 'America/New_York',
    gap: { cron: '30 2 * * *', days: ['2026-03-06T12:00Z', '2026-03-09T12:00Z'] },
    atGap: ['2026-03-07T07:30', '2026-03-08T07:00', '2026-03-09T06:30'],
    twice: { cron: '30 1 * * *', days: ['2026-10-30T12:00Z', '2026-11-02T12:00Z'] },
    atTwice: ['2026-10-31T05:30', '2026-11-01T05:30', '2026-11-02T06:30'],
  },
  {
    // Its clocks change by half an hour, at 02:00.
    zone: 'Australia/Lord_Howe',
    gap: { cron: '15 2 * * *', days: ['2026-10-02T12:00Z', '2026-10-04T18:00Z'] },
    atGap: ['2026-10-02T15:45', '2026-10-03T15:30', '2026-10-04T15:15'],
    twice: { cron: '45 1 * * *', days: ['2026-04-03T00:00Z', '2026-04-05T18:00Z'] },
    atTwice: ['2026-04-03T14:45', '2026-04-04T14:45', '2026-04-05T15:15'],
  },
]

describe.each(zones)('in $zone', ({ zone, gap, atGap, twice, atTwice }) => {
  it('a daily time that does not exist runs at the first minute after the gap', () => {
    expect(planned(gap.cron, zone, ...gap.days)).toEqual(atGap)
  })

  it('a daily time that exists twice runs at the first of the two', () => {
    expect(planned(twice.cron, zone, ...twice.days)).toEqual(atTwice)
  })

  it.each([gap, twice])('every half hour is 30 minutes apart, also when clocks change', ({ days }) => {
    const times = planned('*/30 * * * *', zone, ...days).map((time) => Date.parse(`${time}Z`))
    expect(times.length).toBeGreaterThan(96)
    for (const [index, time] of times.slice(1).entries()) expect(time - (times[index] ?? 0)).toBe(30 * MINUTE)
  })

  it.each([gap, twice])('the next time is the same whenever it is asked for', ({ cron, days }) => {
    const next = nextTime({ cron, at: null, time_zone: zone })
    const times = planned(cron, zone, ...days).map((time) => Date.parse(`${time}Z`))
    for (let now = Date.parse(days[0]); now < (times.at(-1) ?? 0); now += 7 * MINUTE)
      expect(next(now)).toBe(times.find((time) => time > now))
  })
})

describe('a cron expression', () => {
  it('with lists of hours and minutes runs at each of them once', () => {
    const day = ['2026-10-24T12:00Z', '2026-10-25T12:00Z'] as const
    expect(planned('30 2,3 * * *', 'Europe/Berlin', ...day)).toEqual(['2026-10-25T00:30', '2026-10-25T02:30'])
  })

  it.each([
    ['0 8 * * 1', ['2026-11-30T08:00', '2026-12-07T08:00']],
    ['0 8 * * MON-FRI', ['2026-11-30T08:00', '2026-12-01T08:00']],
    ['0 9 * * 1#1', ['2026-12-07T09:00', '2027-01-04T09:00']],
    ['0 18 L * *', ['2026-11-30T18:00', '2026-12-31T18:00']],
    // As in every cron: either field is enough.
    ['0 0 1 * 3', ['2026-12-01T00:00', '2026-12-02T00:00']],
  ])('%s is understood', (cron, expected) => {
    expect(checkCron(cron, 'UTC')).toBeNull()
    expect(planned(cron, 'UTC', '2026-11-28T20:00Z', '2027-02-01T00:00Z').slice(0, 2)).toEqual(expected)
  })

  it.each([
    ['', /five fields/],
    ['0 8 * *', /five fields/],
    ['0 0 8 * * 1', /five fields/],
    ['@daily', /five fields/],
    ['? 8 * * 1', /five fields/],
    ['0  8 * * 1', /five fields/],
    ['61 8 * * 1', /cannot be read: .*minute/],
    ['0 8 * * funday', /cannot be read/],
    ['0 0 31 2 *', /never comes/],
    ['* * * * *', /5 minutes/],
    ['*/4 * * * *', /5 minutes/],
    ['0,58 * * * *', /5 minutes/],
    ['0,3 8 1 1 *', /5 minutes/],
    ['x'.repeat(300), /five fields/],
  ])('%s is refused with a reason', (cron, reason) => {
    expect(checkCron(cron, 'UTC')).toMatch(reason)
  })

  it.each(['*/5 * * * *', '0,58 8 * * *', '59 23,0 * * *'])('%s is not too frequent', (cron) => {
    expect(checkCron(cron, 'UTC')).toBeNull()
  })
})

describe('a time zone', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])('%s is known', (zone) => {
    expect(checkTimeZone(zone)).toBeNull()
  })

  it.each(['', '+02:00', 'Berlin', 'Europe/Atlantis', '../UTC', 'x'.repeat(300)])('%j is refused', (zone) => {
    expect(checkTimeZone(zone)).toMatch(/IANA/)
  })
})

describe('a single time', () => {
  it.each([
    ['2026-12-01T08:00:00Z', '2026-12-01T08:00:00.000Z'],
    ['2026-12-01T08:00+01:00', '2026-12-01T07:00:00.000Z'],
    ['2026-12-01T08:00', '2026-12-01T07:00:00.000Z'],
    // In the gap, and twice.
    ['2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
    ['2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
  ])('%s in Berlin is %s', (text, utc) => {
    expect(readTime(text, 'Europe/Berlin')).toEqual({ ok: true, value: utc })
  })

  it.each(['tomorrow', '2026-12-01', '2026-13-01T08:00', '2026-12-01T25:00Z', '2026-02-30T08:00', ''])(
    '%j is refused',
    (text) => {
      expect(readTime(text, 'Europe/Berlin')).toMatchObject({ ok: false })
    },
  )

  it('runs once', () => {
    const next = nextTime({ cron: null, at: '2026-12-01T08:00:00.000Z', time_zone: 'UTC' })
    expect(nextTimes(next, 0, 5)).toEqual([Date.parse('2026-12-01T08:00Z')])
    expect(next(Date.parse('2026-12-01T08:00Z'))).toBeNull()
  })
})
