// Limits the memory for files and pages that tools read from the store. All runs in an isolate share it. Small files
// are not counted.

import type { ToolCall } from '../agent/tool.ts'
import { WeightedSemaphore, lookEvery } from '../lib/weighted-semaphore.ts'
import { systemClock } from '../lib/clock.ts'
import { FILE_INLINE_MAX_BYTES } from '../limits/files.ts'
import { SEMAPHORE_LOOK_MS } from '../limits/runs.ts'
import { FILE_READ_QUEUE } from './limits.ts'

const semaphore = new WeightedSemaphore(FILE_READ_QUEUE, systemClock, lookEvery(SEMAPHORE_LOOK_MS))

/** The error for a file that waited too long. */
export const BUSY_READING = 'Too many large files are being read right now. Try again in the next step.'

/**
 * Does `work`, which holds this many bytes of a file until it is done. Keys take turns, and so do the threads of a key.
 * Returns `busy` when it waited too long or the call was cancelled.
 */
export async function whileReading<T>(
  { signal, queue }: Pick<ToolCall, 'signal' | 'queue'>,
  bytes: number,
  busy: T,
  work: () => Promise<T>,
): Promise<T> {
  if (bytes <= FILE_INLINE_MAX_BYTES) return work()
  const done = await semaphore.holding({ key: '', thread: '', ...queue, signal }, bytes, work)
  return done.ok ? done.value : busy
}
