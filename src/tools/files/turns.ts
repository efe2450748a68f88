// Calls that read whole files take turns with other requests, by yielding, and with each other, so that one file of a
// thread is in memory at a time.

import type { ToolCall } from '../../agent/tool.ts'
import type { FileAccess } from '../../files/access.ts'
import { startPace, type Pace } from '../../lib/steps.ts'

export function searchPace(): Pace {
  return startPace(() => new Promise((resolve) => setTimeout(resolve, 0)))
}

const NOTHING = (): void => undefined

const last = new WeakMap<FileAccess, Promise<unknown>>()

/** Runs after earlier work of the same run; the call's timeout does not count the wait. */
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
