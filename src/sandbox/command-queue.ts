// The queue for commands, shared by all threads of an isolate. It divides slots fairly among keys, because commands
// need memory and CPU. A sleeping command keeps its slot, because it keeps its memory.

import type { ToolCall } from '../agent/tool.ts'
import { WeightedSemaphore, pollEvery } from '../lib/weighted-semaphore.ts'
import type { SemaphoreRules } from '../lib/semaphore-slot.ts'
import type { Clock } from '../lib/clock.ts'
import type { Result } from '../lib/result.ts'
import { COMMAND_POLL_INTERVAL_MS, COMMAND_QUEUE } from './limits.ts'

/**
 * Runs `work` once a slot is free. Fails on a timeout, or if the call is stopped before that. Rejects if `work` does.
 */
export type CommandQueue = <T>(
  call: Pick<ToolCall, 'signal' | 'queue'>,
  work: () => Promise<T>,
) => Promise<Result<T, 'busy' | 'key_limit'>>

export function commandQueue(now: Clock, rules: SemaphoreRules = COMMAND_QUEUE): CommandQueue {
  const queue = new WeightedSemaphore(rules, now, pollEvery(COMMAND_POLL_INTERVAL_MS))
  return async (call, work) => queue.run({ key: '', thread: '', ...call.queue, signal: call.signal }, 1, work)
}
