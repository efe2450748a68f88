// The page's Workers: one highlights code, one lays out formulas. Each is loaded with its first job.

import { JOB_TIMEOUT_MS, WORKER_START_TIMEOUT_MS } from './limits.ts'
import type { CodeJob } from './highlight.worker.ts'
import type { ColouredText } from './paint.ts'
import type { MathElement, Tex } from './tex.ts'
import { createWorkerQueue, type JobWorker, type WorkerResult } from './worker-queue.ts'

/** The URLs of the Workers' scripts, set by the build (scripts/assets/page.ts). They contain a hash of the content. */
declare const HIGHLIGHT_WORKER: string
declare const MATH_WORKER: string

/** The part of the Trusted Types API that is used here. */
interface Policy {
  createScriptURL(input: string): string
}
interface PolicyFactory {
  createPolicy(name: string, rules: Policy): Policy
}

let policy: Policy | null = null

/** The page's Trusted Types policy allows no other URLs than these two. */
function trustedUrl(worker: 'highlight' | 'math'): string {
  const rules = {
    createScriptURL: (name: string) => (name === 'math' ? MATH_WORKER : HIGHLIGHT_WORKER),
  }
  // TypeScript's DOM types lack Trusted Types, and so do some browsers.
  const { trustedTypes } = globalThis as { readonly trustedTypes?: PolicyFactory }
  policy ??= trustedTypes?.createPolicy('satchel-worker', rules) ?? rules
  return policy.createScriptURL(worker)
}

function createQueue<Input, Output>(name: 'highlight' | 'math'): (input: Input) => Promise<Output | null> {
  return createWorkerQueue<Input, Output>({
    startWorker: (onMessage, onError): JobWorker<Input> => {
      const worker = new Worker(trustedUrl(name), { type: 'module' })
      worker.addEventListener('message', ({ data }: MessageEvent<WorkerResult<Output>>) => onMessage(data))
      worker.addEventListener('error', onError)
      return { post: (job) => worker.postMessage(job), terminate: () => worker.terminate() }
    },
    schedule: (run, ms) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    startTimeoutMs: WORKER_START_TIMEOUT_MS,
    jobTimeoutMs: JOB_TIMEOUT_MS,
  })
}

/** Resolves to null if the code cannot be highlighted. */
export const highlight = createQueue<CodeJob, readonly ColouredText[]>('highlight')
/** Resolves to null if the formula cannot be laid out. */
export const layOutMath = createQueue<Tex, MathElement>('math')
