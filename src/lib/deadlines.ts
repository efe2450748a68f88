// Tells a watcher how long a call into an isolate may take. An isolate that computes without a pause blocks
// the thread of all isolates, and only another process can stop it. This code never ends a call itself.

import { WATCHER_TIMEOUT_MS } from './limits.ts'
import { err, ok, type Result } from './result.ts'
import { withTimeout } from './with-timeout.ts'

/**
 * A call that was not made, because an earlier call with this key had to be stopped together with its
 * process.
 */
interface StoppedCall {
  readonly key: string
}

export interface Deadlines {
  /**
   * Runs `work`, which may take `ms` milliseconds. `key` identifies the call: the same input to the same
   * isolate has the same key, of at most 200 printable characters. Fails without starting if an earlier call
   * with this key was stopped after its deadline. Rejects if `work` does. Does not cancel a late call; the
   * isolate's limits do that, or the watcher if this process no longer responds.
   */
  guard<T>(key: string, ms: number, work: () => Promise<T>): Promise<Result<T, StoppedCall>>
}

/**
 * The binding to the watcher. `POST /calls` with `{key, ms}` returns `{id, go}`; `DELETE /calls/<id>` ends
 * the call.
 */
export interface Watcher {
  fetch(url: string, init: { readonly method: string; readonly body?: string }): Promise<Response>
}

/**
 * Without a watcher, calls run directly: deployed Workers have none, because the platform enforces limits.
 */
export function deadlines(watcher: Watcher | undefined): Deadlines {
  return {
    guard: async (key, ms, work) => {
      if (!watcher) return ok(await work())
      const answer = await nullIfSlowOrFailed(announce(watcher, key, ms))
      if (answer && !answer.go) return err({ key })
      try {
        return ok(await work())
      } finally {
        // The request is awaited, because requests still pending when the current request ends are not sent.
        if (answer) await nullIfSlowOrFailed(retract(watcher, answer.id))
      }
    },
  }
}

/** Returns null if the request fails or takes too long: a missing watcher must not prevent calls. */
async function nullIfSlowOrFailed<T>(request: Promise<T>): Promise<T | null> {
  return withTimeout(
    WATCHER_TIMEOUT_MS,
    request.catch(() => null),
  )
}

interface Answer {
  readonly id: number
  readonly go: boolean
}

async function announce(watcher: Watcher, key: string, ms: number): Promise<Answer | null> {
  const response = await watcher.fetch('http://watcher/calls', {
    method: 'POST',
    body: JSON.stringify({ key, ms }),
  })
  // The cast is safe: scripts/start/watcher.ts writes this response.
  return response.ok ? ((await response.json()) as Answer) : null
}

async function retract(watcher: Watcher, id: number): Promise<null> {
  const response = await watcher.fetch(`http://watcher/calls/${id}`, { method: 'DELETE' })
  await response.body?.cancel()
  return null
}
