// The only code that reads the system clock. All other code receives a Clock.

/** Returns the time in epoch milliseconds. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

// The last text is cached, because events of the same millisecond have the same text.
let lastFormatted = { ms: Number.NaN, text: '' }

/** Formats a time as RFC 3339 in UTC, the format of every time in the contract. */
export function rfc3339(ms: number): string {
  if (ms !== lastFormatted.ms) lastFormatted = { ms, text: new Date(ms).toISOString() }
  return lastFormatted.text
}

export const DAY_MS = 86_400_000
