// What reads whole files takes turns: with other requests, by resting, and with each other, so that one file of a thread
// stands in memory.

import type { ToolCall } from '../../agent/tool.ts'
import type { FileAccess } from '../../files/access.ts'
import { startPace, type Pace } from '../../lib/steps.ts'

export function searchPace(): Pace {
  return startPace(() => new Promise((resolve) => setTimeout(resolve, 0)))
}

const NOTHING = (): void => undefined

const last = new WeakMap<FileAccess, Promise<unknown>>()

/** After what the same run began before; the wait is no time of `call`. */
export function inTurn<T>(
  files: FileAccess,
  { queue }: Pick<ToolCall, 'queue'>,
  work: () => Promise<T>,
): Promise<T> {
  const before = (last.get(files) ?? Promise.resolve()).then(NOTHING, NOTHING)
  const mine = (queue ? queue.waiting(before) : before).then(work)
  last.set(files, mine)
  return mine
}
