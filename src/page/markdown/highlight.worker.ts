// Highlights code outside the main thread. Hostile text can make this slow; worker-queue.ts then terminates the Worker.

import type { Grammar } from './languages.ts'
import { highlightCode } from './paint.ts'
import { runJobs } from './run-in-worker.ts'

export interface CodeJob {
  readonly code: string
  readonly grammar: Grammar
}

runJobs(({ code, grammar }: CodeJob) => highlightCode(code, grammar))
