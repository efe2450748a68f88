// Highlights code outside the main thread. Hostile text can make this slow; highlighter.ts then terminates the Worker.

import type { Grammar } from './languages.ts'
import { highlightCode, type ColouredText } from './paint.ts'

export interface HighlightJob {
  readonly id: number
  readonly code: string
  readonly grammar: Grammar
}

/** The result of a job. A result with ID 0 reports that the Worker has started. */
export interface HighlightResult {
  readonly id: number
  /** Null if the highlighting library failed. */
  readonly runs: readonly ColouredText[] | null
}

function runJob({ id, code, grammar }: HighlightJob): HighlightResult {
  try {
    return { id, runs: highlightCode(code, grammar) }
  } catch {
    return { id, runs: null }
  }
}

self.addEventListener('message', ({ data }: MessageEvent<HighlightJob>) => self.postMessage(runJob(data)))
self.postMessage({ id: 0, runs: null } satisfies HighlightResult)
