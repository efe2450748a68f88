// What happens to one recorded delivery: its message is made, its run is started, or it waits, or it is put aside.
// Pure: knows no storage and no clock.

import type { Code, Failure, Result } from '../lib/result.ts'
import { err, ok } from '../lib/result.ts'
import { fromUtf8 } from '../lib/bytes.ts'
import { cutText } from '../lib/text.ts'
import {
  DELIVERY_BACKOFF_CAP_MS,
  DELIVERY_BACKOFF_MS,
  DELIVERY_PROBLEM_MAX_CHARS,
  DELIVERY_START_TIMEOUT_MS,
  DELIVERY_TRIES_MAX,
  RUN_STEPS,
  RUN_TOKENS,
  RUN_TOOL_CALLS,
  RUN_USD,
  RUN_WALL_S,
} from '../limits.ts'
import type { StartInput, ThreadApi } from '../thread/api.ts'
import type { HookConfig } from './api.ts'
import { render } from './template.ts'

/** A delivery that waits for its run. */
export interface Recorded {
  readonly id: string
  readonly webhookId: string
  readonly digest: string
  readonly body: Uint8Array
  readonly threadId: string
  readonly runId: string
  readonly build: string
  /** Tries made before. */
  readonly tries: number
}

export type Outcome =
  | { readonly state: 'started' }
  | { readonly state: 'recorded'; readonly tries: number; readonly waitMs: number; readonly problem: string }
  | { readonly state: 'dead'; readonly tries: number; readonly problem: string }

/**
 * Starts the delivery's run. Safe to repeat: the thread knows the delivery by its id. Never throws: what a try cannot
 * cure is dead at once, everything else waits for its next try until DELIVERY_TRIES_MAX are spent. Waiting for a Worker
 * whose skills are not there yet spends none.
 */
export async function startDelivery(
  thread: Pick<ThreadApi, 'start'>,
  hook: Pick<HookConfig, 'id' | 'workspace' | 'user' | 'template'>,
  delivery: Recorded,
  timeoutMs = DELIVERY_START_TIMEOUT_MS,
): Promise<Outcome> {
  const tries = delivery.tries + 1
  const message = messageOf(hook.template, delivery.body)
  if (!message.ok) return { state: 'dead', tries, problem: shown(message.error) }
  const caller = {
    workspace: hook.workspace,
    keyId: `hook:${hook.id}`,
    role: 'chat',
    user: hook.user,
  } as const
  const failure = await attempt(
    () => thread.start(caller, inputOf(hook.id, delivery, message.value)),
    timeoutMs,
  )
  if (failure === null) return { state: 'started' }
  const problem = shown(failure.code === null ? failure.detail : `${failure.code}: ${failure.detail}`)
  // The Worker's skills are still to come: that is no try of this delivery.
  if (failure.code === 'not_ready')
    return { state: 'recorded', tries: delivery.tries, waitMs: backoffMs(tries), problem }
  if (tries >= DELIVERY_TRIES_MAX) return { state: 'dead', tries, problem }
  return { state: 'recorded', tries, waitMs: backoffMs(tries), problem }
}

/** How long to wait after `tries` failed tries: 5 s, doubling, capped at 10 minutes. */
export function backoffMs(tries: number): number {
  return Math.min(DELIVERY_BACKOFF_MS * 2 ** (tries - 1), DELIVERY_BACKOFF_CAP_MS)
}

function messageOf(template: string, body: Uint8Array): Result<string, string> {
  const text = fromUtf8(body)
  if (text === null) return err('The body is not UTF-8. A new try cannot cure that; the sender has to.')
  const message = render(template, text)
  if (message.ok) return ok(message.value)
  return err(
    `No message could be made: ${message.error}. A new try cannot cure that; change the template or the sender.`,
  )
}

function inputOf(hookId: string, delivery: Recorded, message: string): StartInput {
  return {
    threadId: delivery.threadId,
    create: true,
    message: [{ type: 'text', text: message }],
    fenced: true,
    metadata: { hook_id: hookId, delivery_id: delivery.id, webhook_id: delivery.webhookId },
    context: {},
    allowSkills: null,
    // What strangers send calls nothing.
    calls: [],
    model: null,
    effort: null,
    onBusy: 'enqueue',
    onDisconnect: 'continue',
    budget: {
      tokens: RUN_TOKENS,
      usd: RUN_USD,
      steps: RUN_STEPS,
      tool_calls: RUN_TOOL_CALLS,
      wall_s: RUN_WALL_S,
    },
    idempotency: { key: `delivery:${delivery.id}`, digest: delivery.digest },
    runId: delivery.runId,
    build: delivery.build,
    requestId: delivery.id,
    follow: false,
  }
}

// What went wrong, without a code where nobody answered; null when nothing did. A try that hangs counts as failed: should it still succeed,
// the next one finds its run.
async function attempt(
  start: () => Promise<Result<unknown>>,
  timeoutMs: number,
): Promise<{ readonly code: Code | null; readonly detail: string } | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<{ readonly ok: false; readonly error: Failure }>((resolve) => {
    const detail = `The thread did not answer within ${timeoutMs / 1000} s.`
    timer = setTimeout(() => resolve({ ok: false, error: { code: 'overloaded', detail } }), timeoutMs)
  })
  try {
    const result = await Promise.race([start(), late])
    return result.ok ? null : result.error
  } catch (error) {
    const detail = `The thread could not be reached: ${error instanceof Error ? error.message : 'unknown error'}`
    return { code: null, detail }
  } finally {
    clearTimeout(timer)
  }
}

function shown(problem: string): string {
  return cutText(problem.toWellFormed(), DELIVERY_PROBLEM_MAX_CHARS)
}
