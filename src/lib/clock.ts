// The only reader of the system clock. All other code receives a Clock.

/** Epoch milliseconds. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

// Events of the same millisecond share their text.
let last = { ms: Number.NaN, text: '' }

/** RFC 3339 UTC, the format of every time in the contract. */
export function rfc3339(ms: number): string {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() }
  return last.text
}

export const DAY_MS = 86_400_000
