// Tells whoever watches this process how long a call into an isolate may take: one that never gives its thread back
// takes ours with it, and only another process can end that. Never ends a call itself.

import { WATCHER_ANSWER_MS } from './limits.ts'
import { err, ok, type Result } from './result.ts'
import { within } from './within.ts'

/** A call that is not made: one of this name had to be stopped before, with the whole process. */
interface Stopped {
  readonly key: string
}

export interface Deadlines {
  /**
   * Does `work`, which may take `ms` milliseconds. `key` names it: the same input to the same isolate is the same key,
   * at most 200 characters, fit to be shown. Fails, without beginning, when a call of that name ran past its time
   * before and was stopped. Rejects as `work` does. A call that is late is not cut off here: the isolate's own limits
   * do that, and the watcher when nothing answers any more.
   */
  guard<T>(key: string, ms: number, work: () => Promise<T>): Promise<Result<T, Stopped>>
}

/** The binding of the watcher: `POST /calls` `{key, ms}` → `{id, go}`, `DELETE /calls/<id>` once it is over. */
export interface Watcher {
  fetch(url: string, init: { readonly method: string; readonly body?: string }): Promise<Response>
}

/** Without a watcher (deployed, where the platform ends what takes too long) each call is just made. */
export function deadlines(watcher: Watcher | undefined): Deadlines {
  return {
    guard: async (key, ms, work) => {
      if (!watcher) return ok(await work())
      const answer = await withRetries(announce(watcher, key, ms))
      if (answer && !answer.go) return err({ key })
      try {
        return ok(await work())
      } finally {
        // Waited for: what a request leaves behind when it ends is not sent.
        if (answer) await withRetries(retract(watcher, answer.id))
      }
    },
  }
}

/** Null when it fails or takes too long: a watcher that is away is no reason to refuse. */
async function withRetries<T>(asked: Promise<T>): Promise<T | null> {
  return within(
    WATCHER_ANSWER_MS,
    asked.catch(() => null),
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
