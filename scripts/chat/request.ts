// Builds the request of a message. Pure.

import type { ChatRequest } from '../../src/client/types.ts'

/**
 * `keepsPlan` says whether the new thread keeps a plan. `model` is the model with which the thread begins or
 * continues; null keeps its current model, or uses the default.
 */
export function requestFor(
  message: string,
  thread: string | undefined,
  keepsPlan: boolean,
  model: string | null = null,
): ChatRequest {
  return {
    message,
    ...(thread === undefined ? {} : { thread_id: thread }),
    ...(keepsPlan ? { plan: true } : {}),
    ...(model === null ? {} : { model, ...(thread === undefined ? {} : { rebase: true }) }),
  }
}
