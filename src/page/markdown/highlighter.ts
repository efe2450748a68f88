// Runs highlighting jobs in a Worker, one at a time, each with a timeout. If a job exceeds its timeout, its code is not
// highlighted and the Worker is terminated, because nothing else stops a runaway regular expression.

import type { HighlightJob, HighlightResult } from './highlight.worker.ts'
import type { Grammar } from './languages.ts'
import type { ColouredText } from './paint.ts'

/** The part of Worker that is used here. */
export interface HighlightWorker {
  post(job: HighlightJob): void
  terminate(): void
}

export interface HighlighterPorts {
  /** Starts a Worker. It calls `onError` if the Worker has failed. Throws if the browser does not support Workers. */
  readonly startWorker: (onMessage: (answer: HighlightResult) => void, onError: () => void) => HighlightWorker
  /** Runs a function after `ms`, unless the returned function is called first. */
  readonly schedule: (run: () => void, ms: number) => () => void
  /** Timeout for starting a Worker. */
  readonly startTimeoutMs: number
  /** Timeout for one job. */
  readonly jobTimeoutMs: number
}

export type Highlight = (code: string, grammar: Grammar) => Promise<readonly ColouredText[] | null>

/** The returned function resolves to null if the code cannot be highlighted. */
export function createHighlighter({
  startWorker,
  schedule,
  startTimeoutMs,
  jobTimeoutMs,
}: HighlighterPorts): Highlight {
  interface QueuedJob extends HighlightJob {
    readonly resolve: (runs: readonly ColouredText[] | null) => void
  }
  const queue: QueuedJob[] = []
  let worker: HighlightWorker | null = null
  let isReady = false
  let current: QueuedJob | null = null
  let lastId = 0
  let cancelTimeout: () => void = () => undefined

  function finishJob(runs: readonly ColouredText[] | null): void {
    cancelTimeout()
    const job = current
    current = null
    job?.resolve(runs)
    runNext()
  }
  /** Gives up on the current job. A new Worker runs the next one. */
  function failJob(): void {
    worker?.terminate()
    worker = null
    isReady = false
    // A Worker that never started would not start for the next job either.
    if (!current) for (const job of queue.splice(0)) job.resolve(null)
    finishJob(null)
  }
  function start(): void {
    cancelTimeout = schedule(failJob, startTimeoutMs)
    let newWorker: HighlightWorker | null = null
    const ifCurrent = (action: () => void) => (): void => {
      if (worker === newWorker) action()
    }
    try {
      newWorker = startWorker(
        (answer) => ifCurrent(() => onResult(answer))(),
        () => ifCurrent(failJob)(),
      )
      worker = newWorker
    } catch {
      failJob()
    }
  }
  function onResult({ id, runs }: HighlightResult): void {
    if (id === 0) {
      isReady = true
      cancelTimeout()
      runNext()
    } else if (id === current?.id) {
      finishJob(runs)
    }
  }
  function runNext(): void {
    if (current || queue.length === 0) return
    if (!worker) start()
    if (!worker || !isReady) return
    current = queue.shift() ?? null
    if (!current) return
    cancelTimeout = schedule(failJob, jobTimeoutMs)
    const { id, code, grammar } = current
    worker.post({ id, code, grammar })
  }

  return async (code, grammar) =>
    new Promise((resolve) => {
      lastId += 1
      queue.push({ id: lastId, code, grammar, resolve })
      runNext()
    })
}
