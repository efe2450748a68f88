// node:timers/promises: timers as promises.

import { clearTimer, Timeout, timerFunctions } from './base/timers.ts'

interface TimerOptions {
  readonly ref?: boolean
  readonly signal?: AbortSignal
}

/** A promise of `value`, which `signal` rejects. `start` starts the timer and returns a function that stops it. */
async function abortable(
  value: unknown,
  { signal }: TimerOptions,
  start: (done: () => void) => () => void,
): Promise<unknown> {
  const aborted = (): Error => {
    const error = new Error('The operation was aborted', { cause: signal?.reason })
    error.name = 'AbortError'
    return Object.assign(error, { code: 'ABORT_ERR' })
  }
  if (signal?.aborted) throw aborted()
  return new Promise((resolve, reject) => {
    const stop = start(() => {
      signal?.removeEventListener('abort', abort)
      resolve(value)
    })
    const abort = (): void => {
      stop()
      reject(aborted())
    }
    signal?.addEventListener('abort', abort, { once: true })
  })
}

export const timerPromises = {
  setTimeout: async (ms?: number, value?: unknown, options: TimerOptions = {}) =>
    abortable(value, options, (done) => {
      const timer = new Timeout(done, ms, [], false)
      if (options.ref === false) timer.unref()
      return () => clearTimer(timer)
    }),
  setImmediate: async (value?: unknown, options: TimerOptions = {}) =>
    abortable(value, options, (done) => {
      const immediate = timerFunctions.setImmediate(done)
      return () => clearTimer(immediate)
    }),
  setInterval: async function* (ms?: number, value?: unknown, options: TimerOptions = {}) {
    for (;;) yield timerPromises.setTimeout(ms, value, options)
  },
  scheduler: {
    wait: async (ms: number, options?: TimerOptions) => timerPromises.setTimeout(ms, undefined, options),
    yield: async () => timerPromises.setImmediate(),
  },
}
for (const name of ['setTimeout', 'setImmediate'] as const)
  Object.defineProperty(timerFunctions[name], Symbol.for('nodejs.util.promisify.custom'), {
    value: timerPromises[name],
  })
