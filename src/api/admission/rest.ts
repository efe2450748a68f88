// Work that keeps its place for longer than it takes, so that who sends it in a loop leaves time to others.

import type { Clock } from '../../lib/clock.ts'

export interface RestRules {
  /** So many times as long as the work took. */
  readonly times: number
  readonly capMs: number
}

/** Answers, or rejects, as `work` does, after the rest. */
export async function withRest<T>(
  { times, capMs }: RestRules,
  work: () => Promise<T>,
  now: Clock,
  sleep: (ms: number) => Promise<void>,
): Promise<T> {
  const since = now()
  try {
    return await work()
  } finally {
    await sleep(Math.min(Math.max(0, now() - since) * times, capMs))
  }
}
