// What the C library below QuickJS asks of its host, besides time and the calls of a guest: memory, a time zone, and
// streams that are never used. Nothing of it reaches a file or a clock.

import type { Memory } from '../wasm/memory.ts'

/** WASI's number for what is not there. */
const NO_SYSTEM = 52
const DAY_MS = 86_400_000

/** `grow` gives false where memory is refused. */
export function cCalls(memory: Memory, grow: (bytes: number) => boolean): Record<string, CallableFunction> {
  const aborted = (what: string) => (): never => {
    throw new Error(`the interpreter ${what}`)
  }
  return {
    b: aborted('found itself in a state that cannot be'),
    q: aborted('gave up'),
    r: aborted('ended'),
    k: (bytes: number) => (grow(bytes >>> 0) ? 1 : 0),
    // localtime_r, tzset: everybody here lives in UTC.
    m: (seconds: bigint, into: number) => writeTime(memory, Number(seconds) * 1_000, into),
    n: (zone: number, daylight: number, name: number, other: number) => {
      memory.setU32(zone, 0)
      memory.setU32(daylight, 0)
      memory.setText(name, 'UTC')
      memory.setText(other, 'UTC')
    },
    // environ_sizes_get, environ_get: nothing.
    f: (count: number, bytes: number) => {
      memory.setU32(count, 0)
      memory.setU32(bytes, 0)
      return 0
    },
    e: () => 0,
    c: () => NO_SYSTEM,
    d: () => NO_SYSTEM,
    o: () => NO_SYSTEM,
    // Timers of the C library, interrupts of QuickJS, references to host values: none is used.
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
