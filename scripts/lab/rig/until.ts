// Waits by asking again, never by a guess of how long something takes.

import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds that any wait here has: a busy machine is no failure. How long things take, `npm run bench` measures. */
const DEADLINE_MS = 90_000

/** Asks until it is true; rejects with `what` where it never is. */
export async function until<T>(
  what: string,
  ask: () => T | null | false | undefined | Promise<T | null | false | undefined>,
  everyMs = 25,
): Promise<T> {
  const deadline = performance.now() + DEADLINE_MS
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (performance.now() > deadline) throw new Error(`${what}: not within ${DEADLINE_MS} ms`)
    await sleep(everyMs)
  }
}
