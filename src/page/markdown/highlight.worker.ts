// Highlights code off the main thread. Hostile text can make it slow; highlighter.ts then terminates the Worker.

import type { Grammar } from './languages.ts'
import { paintCode, type ColouredText } from './paint.ts'

export interface Job {
  readonly id: number
  readonly code: string
  readonly grammar: Grammar
}

/** Job 0 reports that the Worker has started. */
export interface Painted {
  readonly id: number
  /** Null if the library failed. */
  readonly runs: readonly ColouredText[] | null
}

function painted({ id, code, grammar }: Job): Painted {
  try {
    return { id, runs: paintCode(code, grammar) }
  } catch {
    return { id, runs: null }
  }
}

self.addEventListener('message', ({ data }: MessageEvent<Job>) => self.postMessage(painted(data)))
self.postMessage({ id: 0, runs: null } satisfies Painted)
