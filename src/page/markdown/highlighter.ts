// Runs highlighting jobs in a Worker, one at a time, each with a timeout. A job that exceeds it stays plain and its Worker is
// terminated: nothing else stops a runaway pattern.

import type { Job, Painted } from './highlight.worker.ts'
import type { Grammar } from './languages.ts'
import type { ColouredText } from './paint.ts'

/** The part of Worker that is used here. */
export interface HighlightWorker {
  post(job: Job): void
  end(): void
}

export interface HighlighterPorts {
  /** Starts a Worker. `onFault`: it will not answer any more. Throws if the browser has none. */
  readonly begin: (onAnswer: (answer: Painted) => void, onFault: () => void) => HighlightWorker
  /** Runs after `ms`, unless the returned function is called first. */
  readonly later: (run: () => void, ms: number) => () => void
  /** ms to start, and ms per job. */
  readonly startMs: number
  readonly jobMs: number
}

export type Highlight = (code: string, grammar: Grammar) => Promise<readonly ColouredText[] | null>

/** Resolves to null for code that stays plain. */
export function createHighlighter({ begin, later, startMs, jobMs }: HighlighterPorts): Highlight {
  interface Waiting extends Job {
    readonly resolve: (runs: readonly ColouredText[] | null) => void
  }
  const queue: Waiting[] = []
  let line: HighlightWorker | null = null
  let ready = false
  let current: Waiting | null = null
  let ids = 0
  let stop: () => void = () => undefined

  function settle(runs: readonly ColouredText[] | null): void {
    stop()
    const job = current
    current = null
    job?.resolve(runs)
    next()
  }
  /** The job stays plain. A new Worker takes the next one. */
  function fail(): void {
    line?.end()
    line = null
    ready = false
    // A Worker that never started would not start for the next job either.
    if (!current) for (const job of queue.splice(0)) job.resolve(null)
    settle(null)
  }
  function start(): void {
    stop = later(fail, startMs)
    let own: HighlightWorker | null = null
    const mine = (act: () => void) => (): void => {
      if (line === own) act()
    }
    try {
      own = begin(
        (answer) => mine(() => heard(answer))(),
        () => mine(fail)(),
      )
      line = own
    } catch {
      fail()
    }
  }
  function heard({ id, runs }: Painted): void {
    if (id === 0) {
      ready = true
      stop()
      next()
    } else if (id === current?.id) {
      settle(runs)
    }
  }
  function next(): void {
    if (current || queue.length === 0) return
    if (!line) start()
    if (!line || !ready) return
    current = queue.shift() ?? null
    if (!current) return
    stop = later(fail, jobMs)
    const { id, code, grammar } = current
    line.post({ id, code, grammar })
  }

  return async (code, grammar) =>
    new Promise((resolve) => {
      ids += 1
      queue.push({ id: ids, code, grammar, resolve })
      next()
    })
}
