// Waits by polling, never for a fixed time. Runs in Node and in workerd.

/**
 * Maximum duration of any wait in ms. It is long, so that tests do not fail on a busy machine. `npm run bench`
 * measures durations.
 */
export const UNTIL_MS = 90_000
/** Maximum number of characters of the last result that an error quotes. */
const QUOTED_CHARS = 400

type Falsy = null | false | undefined

/** Polls until `ask` returns a result. Rejects with `what` at the limit. */
export async function until<T>(
  what: string,
  ask: () => T | Falsy | Promise<T | Falsy>,
  everyMs = 25,
  limitMs = UNTIL_MS,
): Promise<T> {
  // The cast is safe: the result is never falsy.
  return poll(what, ask, Boolean, everyMs, limitMs) as Promise<T>
}

/** Polls until the result satisfies `done`. */
export async function eventually<T>(
  ask: () => T | Promise<T>,
  done: (answer: T) => boolean = Boolean,
): Promise<T> {
  return poll('the condition was never met', ask, done, 5)
}

async function poll<T>(
  what: string,
  ask: () => T | Promise<T>,
  done: (answer: T) => boolean,
  everyMs: number,
  limitMs = UNTIL_MS,
): Promise<T> {
  const deadline = performance.now() + limitMs
  for (let attempt = 1; ; attempt++) {
    const answer = await ask()
    if (done(answer)) return answer
    if (performance.now() > deadline) {
      const last = (JSON.stringify(answer) ?? String(answer)).slice(0, QUOTED_CHARS)
      throw new Error(`${what}: not within ${limitMs} ms; the last answer: ${last}`)
    }
    // The first polls follow quickly, because most waits take a few milliseconds.
    await new Promise((resolve) => setTimeout(resolve, Math.min(attempt, everyMs)))
  }
}
