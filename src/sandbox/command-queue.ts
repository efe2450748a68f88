// The queue for commands: all threads of an isolate share it. Keys take turns, so that one key's commands, which compute beside
// everybody's requests and each take memory, leave room for others. A command that sleeps keeps its slot: its memory stays.

import type { ToolCall } from '../agent/tool.ts'
import { WeightedSemaphore, lookEvery, type SemaphoreRules } from '../lib/weighted-semaphore.ts'
import type { Clock } from '../lib/clock.ts'
import type { Result } from '../lib/result.ts'
import { COMMAND_LOOK_MS, COMMAND_QUEUE } from './limits.ts'

/** Does `work` once a slot is free. Fails where that took too long, or the call was stopped meanwhile; rejects as `work` does. */
export type CommandQueue = <T>(
  call: Pick<ToolCall, 'signal' | 'queue'>,
  work: () => Promise<T>,
) => Promise<Result<T, 'busy' | 'many'>>

export function commandQueue(now: Clock, rules: SemaphoreRules = COMMAND_QUEUE): CommandQueue {
  const queue = new WeightedSemaphore(rules, now, lookEvery(COMMAND_LOOK_MS))
  return async (call, work) =>
    queue.holding({ key: '', thread: '', ...call.queue, signal: call.signal }, 1, work)
}
