// Limits the memory for files and pages that tools load. All runs in an isolate share this limit; small files do not count.

import type { ToolCall } from '../agent/tool.ts'
import { WeightedSemaphore, pollEvery } from '../lib/weighted-semaphore.ts'
import { systemClock } from '../lib/clock.ts'
import { FILE_INLINE_MAX_BYTES } from '../limits/files.ts'
import { SEMAPHORE_POLL_INTERVAL_MS } from '../limits/runs.ts'
import { FILE_READ_QUEUE } from './limits.ts'

const semaphore = new WeightedSemaphore(FILE_READ_QUEUE, systemClock, pollEvery(SEMAPHORE_POLL_INTERVAL_MS))

/** The message for the model when a read waited too long. */
export const BUSY_READING = 'Too many large files are being read right now. Try again in the next step.'

/**
 * Runs `work`, which keeps this many bytes of a file in memory, once enough memory is free. Keys are served in turn, as are the
 * threads of a key. Returns `busy` if the wait was too long or the call was cancelled.
 */
export async function whileReading<T>(
  { signal, queue }: Pick<ToolCall, 'signal' | 'queue'>,
  bytes: number,
  busy: T,
  work: () => Promise<T>,
): Promise<T> {
  if (bytes <= FILE_INLINE_MAX_BYTES) return work()
  const result = await semaphore.run({ key: '', thread: '', ...queue, signal }, bytes, work)
  return result.ok ? result.value : busy
}
