// The only reader of the system clock. Everything else is handed a Clock.

/** Epoch milliseconds. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

/** RFC 3339 UTC, the form of every time in the contract. */
export function rfc3339(ms: number): string {
  return new Date(ms).toISOString()
}

export const DAY_MS = 86_400_000
