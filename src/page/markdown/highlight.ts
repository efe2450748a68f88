// The one highlighter of the page, over a real Worker.

import { HIGHLIGHT_MS, HIGHLIGHT_START_MS } from './limits.ts'
import type { Painted } from './highlight.worker.ts'
import { createHighlighter, type Highlight, type HighlightWorker } from './highlighter.ts'

/** Put in by the build: the Worker's file, named by its bytes (scripts/assets/page.ts). */
declare const HIGHLIGHT_WORKER: string

/** What browsers with Trusted Types have, as far as it is used. */
interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: () => string },
  ): { createScriptURL(given: string): string }
}

let address: string | null = null

/** The one address that the page's policy lets a Worker come from. The policy makes nothing else of whatever it is given. */
function workerAddress(): string {
  if (address !== null) return address
  // Not in the types of the platform yet, and not in every browser.
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
