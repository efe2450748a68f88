// How long the API asks us to wait. Strict: what is not clearly a wait is no wait.

interface Headers {
  get(name: string): string | null
}

const NUMBER = /^\d+(?:\.\d+)?$/
// An HTTP date begins with the day's name; Date.parse alone would take `-5` for a year.
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /i

function positive(ms: number): number | null {
  return Number.isSafeInteger(Math.ceil(ms)) && ms > 0 ? Math.ceil(ms) : null
}

/**
 * Milliseconds from `retry-after-ms` or `retry-after` (seconds or an HTTP date, counted from `now`).
 * Null for none, garbage, zero, negative and past values: the caller's own backoff then holds.
 */
export function retryAfterMs(headers: Headers | null | undefined, now: number): number | null {
  const exact = headers?.get('retry-after-ms')?.trim() ?? ''
  if (NUMBER.test(exact)) {
    const ms = positive(Number(exact))
    if (ms !== null) return ms
  }
  const value = headers?.get('retry-after')?.trim() ?? ''
  if (NUMBER.test(value)) return positive(Number(value) * 1000)
  return DATE.test(value) ? positive(Date.parse(value) - now) : null
}
