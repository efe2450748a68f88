// What reads whole files takes turns: with other requests, by resting, and with each other, so that one file of a thread
// stands in memory.

import type { FileAccess } from '../../files/access.ts'
import { startPace, type Pace } from '../../lib/steps.ts'

export function searchPace(): Pace {
  return startPace(() => new Promise((resolve) => setTimeout(resolve, 0)))
}

const last = new WeakMap<FileAccess, Promise<unknown>>()

/** After what the same run began before. */
export function inTurn<T>(files: FileAccess, work: () => Promise<T>): Promise<T> {
  const mine = (last.get(files) ?? Promise.resolve()).then(work, work)
  last.set(files, mine)
  return mine
}
