// Builds the request of a message. Pure.

import type { ChatRequest } from '../../src/client/types.ts'

/**
 * `keepsPlan`: the message begins a thread that keeps a plan. `model`: the thread begins or continues with this model; null: it keeps
 * its own, or begins with the default.
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
