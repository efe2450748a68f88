// Runs the jobs of the page's Workers.

import type { WorkerJob, WorkerResult } from './worker-queue.ts'

/** Runs each job that arrives. Call it once, at the end of the Worker's file. */
export function runJobs<Input, Output>(run: (input: Input) => Output | null): void {
  const answer = (result: WorkerResult<Output>): void => self.postMessage(result)
  self.addEventListener('message', ({ data: { id, input } }: MessageEvent<WorkerJob<Input>>) => {
    try {
      answer({ id, output: run(input) })
    } catch {
      answer({ id, output: null })
    }
  })
  answer({ id: 0, output: null })
}
