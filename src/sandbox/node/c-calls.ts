// Host functions for the C library that QuickJS uses: memory, time zone, and unused streams. They have no
// access to files or to a clock.

import type { Memory } from '../wasm/memory.ts'

/** The WASI error number for a missing function. */
const NO_SYSTEM = 52
const DAY_MS = 86_400_000

/** `grow` returns false if memory is refused. */
export function cCalls(memory: Memory, grow: (bytes: number) => boolean): Record<string, CallableFunction> {
  const aborted = (what: string) => (): never => {
    throw new Error(`the interpreter ${what}`)
  }
  return {
    b: aborted('reached an impossible state'),
    q: aborted('gave up'),
    r: aborted('ended'),
    k: (bytes: number) => (grow(bytes >>> 0) ? 1 : 0),
    // localtime_r, tzset: the time zone is UTC.
    m: (seconds: bigint, into: number) => writeTime(memory, Number(seconds) * 1_000, into),
    n: (zone: number, daylight: number, name: number, other: number) => {
      memory.setU32(zone, 0)
      memory.setU32(daylight, 0)
      memory.setText(name, 'UTC')
      memory.setText(other, 'UTC')
    },
    // environ_sizes_get, environ_get: the environment is empty.
    f: (count: number, bytes: number) => {
      memory.setU32(count, 0)
      memory.setU32(bytes, 0)
      return 0
    },
    e: () => 0,
    c: () => NO_SYSTEM,
    d: () => NO_SYSTEM,
    o: () => NO_SYSTEM,
    // Stubs for unused functions: timers of the C library, interrupts of QuickJS, and references to host
    // values.
    j: () => 0,
    l: () => {},
    i: () => 0,
    t: () => {},
  }
}

function writeTime(memory: Memory, ms: number, into: number): void {
  const date = new Date(ms)
  const year = date.getUTCFullYear()
  const fields = [
    date.getUTCSeconds(),
    date.getUTCMinutes(),
    date.getUTCHours(),
    date.getUTCDate(),
    date.getUTCMonth(),
    year - 1900,
    date.getUTCDay(),
    Math.floor((ms - Date.UTC(year, 0, 1)) / DAY_MS),
    0,
    0,
  ]
  for (const [index, field] of fields.entries()) memory.setU32(into + index * 4, field)
}
