// Delays the end of work, so that a caller who repeats it in a loop leaves time to others.

import type { Clock } from '../../lib/clock.ts'

export interface CooldownRules {
  /** The delay as a multiple of the duration of the work. */
  readonly factor: number
  readonly maxMs: number
}

/** Settles as `work` does, after the delay. */
export async function withCooldown<T>(
  { factor, maxMs }: CooldownRules,
  work: () => Promise<T>,
  now: Clock,
  sleep: (ms: number) => Promise<void>,
): Promise<T> {
  const since = now()
  try {
    return await work()
  } finally {
    await sleep(Math.min(Math.max(0, now() - since) * factor, maxMs))
  }
}
