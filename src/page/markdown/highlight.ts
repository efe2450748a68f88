// The page's highlighter, which runs in a Worker.

import { HIGHLIGHT_TIMEOUT_MS, HIGHLIGHT_START_TIMEOUT_MS } from './limits.ts'
import type { HighlightResult } from './highlight.worker.ts'
import { createHighlighter, type Highlight, type HighlightWorker } from './highlighter.ts'

/** The URL of the Worker's script, set by the build (scripts/assets/page.ts). It contains a hash of the content. */
declare const HIGHLIGHT_WORKER: string

/** The part of the Trusted Types API that is used here. */
interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: () => string },
  ): { createScriptURL(input: string): string }
}

let workerUrl: string | null = null

/** The only URL from which the page's Trusted Types policy allows a Worker. The policy ignores its input. */
function trustedWorkerUrl(): string {
  if (workerUrl !== null) return workerUrl
  // TypeScript's DOM types lack Trusted Types, and so do some browsers.
  const { trustedTypes } = globalThis as { readonly trustedTypes?: PolicyFactory }
  const policy = trustedTypes?.createPolicy('satchel-worker', { createScriptURL: () => HIGHLIGHT_WORKER })
  return (workerUrl = policy?.createScriptURL('') ?? HIGHLIGHT_WORKER)
}

function startWorker(onMessage: (answer: HighlightResult) => void, onError: () => void): HighlightWorker {
  const worker = new Worker(trustedWorkerUrl(), { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<HighlightResult>) => onMessage(data))
  worker.addEventListener('error', onError)
  return { post: (job) => worker.postMessage(job), terminate: () => worker.terminate() }
}

export const highlight: Highlight = createHighlighter({
  startWorker,
  schedule: (run, ms) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  startTimeoutMs: HIGHLIGHT_START_TIMEOUT_MS,
  jobTimeoutMs: HIGHLIGHT_TIMEOUT_MS,
})
