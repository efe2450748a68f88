// The page's side of the Worker that colours code: one job at a time, each with a time that it may take. Code that takes
// longer stays plain, and its Worker is ended: nothing else stops a pattern that runs away.

import type { Job, Painted } from './highlight.worker.ts'
import type { Grammar } from './languages.ts'
import type { ColouredText } from './paint.ts'

/** Of a Worker, what is used. */
export interface HighlightWorker {
  post(job: Job): void
  end(): void
}

export interface HighlighterPorts {
  /** Begins a Worker; `onFault`: it will not answer any more. Throws where the browser has none. */
  readonly begin: (onAnswer: (answer: Painted) => void, onFault: () => void) => HighlightWorker
  /** Runs it after `ms`, unless what is answered is called before. */
  readonly later: (run: () => void, ms: number) => () => void
  /** ms to begin, and ms for a job. */
  readonly startMs: number
  readonly jobMs: number
}

export type Highlight = (code: string, grammar: Grammar) => Promise<readonly ColouredText[] | null>

/** Answers null for code that stays plain. */
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
  /** The job stays plain; another Worker does the next. */
  function fail(): void {
    line?.end()
    line = null
    ready = false
    // One that never began will not begin for the next either.
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
