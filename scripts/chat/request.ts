// Builds the request of a message. Pure.

import type { ChatRequest } from '../../src/client/types.ts'

/** `keepsPlan`: the message begins a thread that keeps a plan. */
export function requestFor(message: string, thread: string | undefined, keepsPlan: boolean): ChatRequest {
  return {
    message,
    ...(thread === undefined ? {} : { thread_id: thread }),
    ...(keepsPlan ? { plan: true } : {}),
  }
}
