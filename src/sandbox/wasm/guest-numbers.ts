// Checks numbers that a guest passes to the host. A guest may pass anything: NaN, fractions and negative numbers.

/** The latest time of a JavaScript date, in milliseconds since 1970. */
const TIME_MAX_MS = 8.64e15

/** The value if it is an integer from `min` to `max`; otherwise null. */
export function integer(value: unknown, min: number, max: number): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value : null
}

/** Whether a number can be the size of a file, or a position in it. */
export function isFilePosition(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

/** Whether a JavaScript date can have this time, in milliseconds since 1970. */
export function isTime(ms: number): boolean {
  return Math.abs(ms) <= TIME_MAX_MS
}
