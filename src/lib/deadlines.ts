// Reports to a watcher how long a call into an isolate may take. An isolate that blocks its thread blocks ours too, and only
// another process can end that. Never ends a call itself.

import { WATCHER_ANSWER_MS } from './limits.ts'
import { err, ok, type Result } from './result.ts'
import { within } from './within.ts'

/** A call that was not made: an earlier one of this name had to be stopped together with the process. */
interface Stopped {
  readonly key: string
}

export interface Deadlines {
  /**
   * Runs `work`, which may take `ms` milliseconds. `key` names it: the same input to the same isolate has the same key, at most
   * 200 displayable characters. Fails without starting if a call of that name was stopped after its deadline. Rejects as `work`
   * does. Does not cancel a late call: the isolate's limits do, or the watcher when this process no longer responds.
   */
  guard<T>(key: string, ms: number, work: () => Promise<T>): Promise<Result<T, Stopped>>
}

/** The watcher's binding: `POST /calls` `{key, ms}` → `{id, go}`, `DELETE /calls/<id>` after the call. */
export interface Watcher {
  fetch(url: string, init: { readonly method: string; readonly body?: string }): Promise<Response>
}

/** Without a watcher (deployed, where the platform enforces limits) calls run directly. */
export function deadlines(watcher: Watcher | undefined): Deadlines {
  return {
    guard: async (key, ms, work) => {
      if (!watcher) return ok(await work())
      const answer = await withRetries(announce(watcher, key, ms))
      if (answer && !answer.go) return err({ key })
      try {
        return ok(await work())
      } finally {
        // Awaited, because requests that are pending when a request ends are not sent.
        if (answer) await withRetries(retract(watcher, answer.id))
      }
    },
  }
}

/** Null if it fails or takes too long: a missing watcher must not stop calls. */
async function withRetries<T>(request: Promise<T>): Promise<T | null> {
  return within(
    WATCHER_ANSWER_MS,
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
  // scripts/start/watcher.ts wrote it.
  return response.ok ? ((await response.json()) as Answer) : null
}

async function retract(watcher: Watcher, id: number): Promise<null> {
  const response = await watcher.fetch(`http://watcher/calls/${id}`, { method: 'DELETE' })
  await response.body?.cancel()
  return null
}
