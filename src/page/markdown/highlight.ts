// The page's one highlighter, in a real Worker.

import { HIGHLIGHT_MS, HIGHLIGHT_START_MS } from './limits.ts'
import type { Painted } from './highlight.worker.ts'
import { createHighlighter, type Highlight, type HighlightWorker } from './highlighter.ts'

/** Set by the build: the Worker's file, named by its content (scripts/assets/page.ts). */
declare const HIGHLIGHT_WORKER: string

/** The part of Trusted Types that is used here. */
interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: () => string },
  ): { createScriptURL(given: string): string }
}

let address: string | null = null

/** The only URL from which the page's policy allows a Worker. The policy ignores its input. */
function workerAddress(): string {
  if (address !== null) return address
  // Not in the platform's types yet, and not in every browser.
  const { trustedTypes } = globalThis as { readonly trustedTypes?: PolicyFactory }
  const policy = trustedTypes?.createPolicy('satchel-worker', { createScriptURL: () => HIGHLIGHT_WORKER })
  return (address = policy?.createScriptURL('') ?? HIGHLIGHT_WORKER)
}

function begin(onAnswer: (answer: Painted) => void, onFault: () => void): HighlightWorker {
  const worker = new Worker(workerAddress(), { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<Painted>) => onAnswer(data))
  worker.addEventListener('error', onFault)
  return { post: (job) => worker.postMessage(job), end: () => worker.terminate() }
}

export const highlight: Highlight = createHighlighter({
  begin,
  later: (run, ms) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  startMs: HIGHLIGHT_START_MS,
  jobMs: HIGHLIGHT_MS,
})
