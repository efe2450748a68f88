// Guards the files of time zones: readers that know only version 1 of the format, such as dateutil, find the same offsets.

import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { timeZones } from '../../../scripts/runtimes/time-zones.ts'

const ZONES = timeZones(fileURLToPath(new URL('../../..', import.meta.url)))

/** Seconds east of Greenwich, by the block of version 1. */
function offsetAt(zone: string, moment: string): number {
  const { buffer, byteOffset } = ZONES.get(zone) ?? new Uint8Array(0)
  const file = new DataView(buffer, byteOffset)
  const [seconds, times] = [Date.parse(moment) / 1000, file.getUint32(32)]
  let kind = 0
  for (let at = 0; at < times && file.getInt32(44 + at * 4) <= seconds; at++)
    kind = file.getUint8(44 + times * 4 + at)
  return file.getInt32(44 + times * 5 + kind * 6)
}

test.each([
  ['Europe/Berlin', '2026-07-01', 2],
  ['Europe/Berlin', '2036-12-01', 1],
  ['America/New_York', '1950-01-01', -5],
  ['Asia/Kolkata', '2026-01-01', 5.5],
  ['Africa/Lagos', '2026-01-01', 1],
  ['UTC', '2026-01-01', 0],
])('version 1 has the offset of %s in %s', (zone, moment, hours) => {
  expect(offsetAt(zone, `${moment}T00:00:00Z`)).toBe(hours * 3_600)
})
