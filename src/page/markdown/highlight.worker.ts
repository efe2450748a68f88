// Colours code away from the page: it can be slow on hostile text, and is ended then (highlighter.ts).

import type { Grammar } from './languages.ts'
import { paintCode, type ColouredText } from './paint.ts'

export interface Job {
  readonly id: number
  readonly code: string
  readonly grammar: Grammar
}

/** Of job 0: it has begun. */
export interface Painted {
  readonly id: number
  /** Null: the library failed on it. */
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
