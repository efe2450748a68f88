// How every rig and test waits: by asking again, never by a guess of how long something takes. It runs in Node and in workerd.

/** Milliseconds that any wait has: a busy machine is no failure. How long things take, `npm run bench` measures. */
const UNTIL_MS = 90_000
/** The same, for what no other process takes part in. */
const EVENTUALLY_MS = 20_000

type Falsy = null | false | undefined

/** Asks until there is an answer; rejects with `what` where there never is. */
export async function until<T>(
  what: string,
  ask: () => T | Falsy | Promise<T | Falsy>,
  everyMs = 25,
): Promise<T> {
  // What is left when the asking is over is no falsy one.
  return asking(what, ask, Boolean, everyMs, UNTIL_MS) as Promise<T>
}

/** Asks until the answer is `done`. */
export async function eventually<T>(
  ask: () => T | Promise<T>,
  done: (answer: T) => boolean = Boolean,
): Promise<T> {
  return asking('it never came to that', ask, done, 5, EVENTUALLY_MS)
}

async function asking<T>(
  what: string,
  ask: () => T | Promise<T>,
  done: (answer: T) => boolean,
  everyMs: number,
  boundMs: number,
): Promise<T> {
  const deadline = performance.now() + boundMs
  for (let turn = 1; ; turn++) {
    const answer = await ask()
    if (done(answer)) return answer
    if (performance.now() > deadline) throw new Error(`${what}: not within ${boundMs} ms`)
    // The first questions follow at once: most of what is waited for takes a few milliseconds.
    await new Promise((resolve) => setTimeout(resolve, Math.min(turn, everyMs)))
  }
}
