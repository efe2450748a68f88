// The memory for files that tools read from the store, and for pages: an isolate's, and runs share it. What is small passes by.

import type { ToolCall } from '../agent/tool.ts'
import { WeightedSemaphore, lookEvery } from '../lib/weighted-semaphore.ts'
import { systemClock } from '../lib/clock.ts'
import { FILE_INLINE_MAX_BYTES } from '../limits/files.ts'
import { SEMAPHORE_LOOK_MS } from '../limits/runs.ts'
import { FILE_READ_QUEUE } from './limits.ts'

const lane = new WeightedSemaphore(FILE_READ_QUEUE, systemClock, lookEvery(SEMAPHORE_LOOK_MS))

/** Said where a file waited too long for its turn. */
export const BUSY_READING = 'Too many large files are being read at this moment. Try again in the next step.'

/**
 * Does `work`, which holds so many bytes of a file until it is done; keys take turns, and threads of a key do. Answers
 * `busy` where it waited too long, or the call was stopped meanwhile.
 */
export async function whileReading<T>(
  { signal, queue }: Pick<ToolCall, 'signal' | 'queue'>,
  bytes: number,
  busy: T,
  work: () => Promise<T>,
): Promise<T> {
  if (bytes <= FILE_INLINE_MAX_BYTES) return work()
  const done = await lane.holding({ key: '', thread: '', ...queue, signal }, bytes, work)
  return done.ok ? done.value : busy
}
