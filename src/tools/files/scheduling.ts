// Scheduling of tool calls that read complete files. They pause regularly for other requests, and run one after another,
// so that only one file of a run is in memory at a time.

import type { ToolCall } from '../../agent/tool.ts'
import type { FileAccess } from '../../files/access.ts'
import { pause } from '../../lib/pause.ts'
import { startPace, type Pace } from '../../lib/steps.ts'

export function startSearchPace(): Pace {
  return startPace(() => pause(0))
}

const ignore = (): void => undefined

const lastWork = new WeakMap<FileAccess, Promise<unknown>>()

/** Runs the work after all earlier work of the same run. The wait does not count towards the call's timeout. */
export function runInTurn<T>(
  files: FileAccess,
  { queue }: Pick<ToolCall, 'queue'>,
  work: () => Promise<T>,
): Promise<T> {
  const earlierWork = (lastWork.get(files) ?? Promise.resolve()).then(ignore, ignore)
  const result = (queue ? queue.trackWait(earlierWork) : earlierWork).then(work)
  lastWork.set(files, result)
  return result
}
