// Runs jobs in a Worker, one at a time, each with a timeout. A job that exceeds its timeout has no result, and the
// Worker is terminated, because nothing else stops a runaway regular expression or an endless macro.

/** What the Worker receives. */
export interface WorkerJob<Input> {
  readonly id: number
  readonly input: Input
}

/** What the Worker sends. A result with ID 0 reports that it has started. */
export interface WorkerResult<Output> {
  readonly id: number
  /** Null if the job failed. */
  readonly output: Output | null
}

/** The part of Worker that is used here. */
export interface JobWorker<Input> {
  post(job: WorkerJob<Input>): void
  terminate(): void
}

export interface WorkerQueuePorts<Input, Output> {
  /** Starts a Worker. It calls `onError` if the Worker has failed. Throws if the browser does not support Workers. */
  readonly startWorker: (
    onMessage: (answer: WorkerResult<Output>) => void,
    onError: () => void,
  ) => JobWorker<Input>
  /** Runs a function after `ms`, unless the returned function is called first. */
  readonly schedule: (run: () => void, ms: number) => () => void
  /** Timeout for starting a Worker. */
  readonly startTimeoutMs: number
  /** Timeout for one job. */
  readonly jobTimeoutMs: number
}

/** The returned function resolves to null if the job has no result. */
export function createWorkerQueue<Input, Output>({
  startWorker,
  schedule,
  startTimeoutMs,
  jobTimeoutMs,
}: WorkerQueuePorts<Input, Output>): (input: Input) => Promise<Output | null> {
  interface QueuedJob extends WorkerJob<Input> {
    readonly resolve: (output: Output | null) => void
  }
  const queue: QueuedJob[] = []
  let worker: JobWorker<Input> | null = null
  let isReady = false
  let current: QueuedJob | null = null
  let lastId = 0
  let cancelTimeout: () => void = () => undefined

  function finishJob(output: Output | null): void {
    cancelTimeout()
    const job = current
    current = null
    job?.resolve(output)
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
    let newWorker: JobWorker<Input> | null = null
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
  function onResult({ id, output }: WorkerResult<Output>): void {
    if (id === 0) {
      isReady = true
      cancelTimeout()
      runNext()
    } else if (id === current?.id) {
      finishJob(output)
    }
  }
  function runNext(): void {
    if (current || queue.length === 0) return
    if (!worker) start()
    if (!worker || !isReady) return
    current = queue.shift() ?? null
    if (!current) return
    cancelTimeout = schedule(failJob, jobTimeoutMs)
    const { id, input } = current
    worker.post({ id, input })
  }

  return async (input) =>
    new Promise((resolve) => {
      lastId += 1
      queue.push({ id: lastId, input, resolve })
      runNext()
    })
}
