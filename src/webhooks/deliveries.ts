// What happens to one recorded delivery: its message is made, its run is started, or it waits, or it is put aside with a
// run that says why.
// Pure: knows no storage and no clock.

import type { Caller } from '../lib/caller.ts'
import { err, ok, type Code, type Failure, type Result } from '../lib/result.ts'
import { within } from '../lib/within.ts'
import { fromUtf8 } from '../lib/bytes.ts'
import { cutText } from '../lib/text.ts'
import { RUN_STEPS, RUN_TOKENS, RUN_TOOL_CALLS, RUN_USD, RUN_WALL_S } from '../limits/runs.ts'
import {
  DELIVERY_BACKOFF_CAP_MS,
  DELIVERY_BACKOFF_MS,
  DELIVERY_PROBLEM_MAX_CHARS,
  DELIVERY_START_TIMEOUT_MS,
  DELIVERY_TRIES_MAX,
  NO_ROOM_WAIT_MS,
  NOT_READY_TIMEOUT_MS,
  NOT_READY_WAIT_MS,
} from './limits.ts'
import type { StartInput, ThreadApi, Unstarted } from '../thread/api.ts'
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
  /** Epoch ms. */
  readonly receivedAt: number
  /** Tries made before. */
  readonly tries: number
}

export type DeliveryOutcome =
  | { readonly state: 'started' }
  | {
      readonly state: 'recorded'
      readonly tries: number
      readonly waitMs: number
      readonly problem: string
      /** Who meets the same: every delivery of the hook, those of the same build, or it alone. */
      readonly shared: 'hook' | 'build' | null
    }
  | { readonly state: 'dead'; readonly tries: number; readonly problem: string }

type Waiting = Pick<Extract<DeliveryOutcome, { state: 'recorded' }>, 'waitMs' | 'shared'>

/** What passes by itself: a delivery that meets it spends no try. */
const WAITS: Readonly<Partial<Record<Code, Waiting>>> = {
  too_many_runs: { waitMs: NO_ROOM_WAIT_MS, shared: 'hook' },
  storage_full: { waitMs: NO_ROOM_WAIT_MS, shared: 'hook' },
  thread_busy: { waitMs: NO_ROOM_WAIT_MS, shared: null },
  not_ready: { waitMs: NOT_READY_WAIT_MS, shared: 'build' },
}

/** For a hook, whose deliveries name no thread. */
const THAW = 'Delete that thread, and the next delivery begins it anew; or make another hook.'

/** Why a try came to nothing. */
interface Problem {
  readonly words: string
  /** Null: no thread answered, or not with a code of ours. */
  readonly code: Code | null
  /** The field that it names first. */
  readonly field: string | null
}

type Failing = Pick<ThreadApi, 'startFailed'>
type HookOf = Pick<HookConfig, 'id' | 'workspace' | 'user' | 'template' | 'allowed_calls'>

/**
 * Starts the delivery's run. Safe to repeat: the thread knows the delivery by its id. Never throws. What another try cannot
 * cure, and what DELIVERY_TRIES_MAX of them did not, is dead once its thread has the promised run as a failed one. A
 * delivery for which there is no room yet waits, however long; one whose Worker lacks its skills, for an hour.
 */
export async function startDelivery(
  thread: Pick<ThreadApi, 'start'> & Failing,
  hook: HookOf,
  delivery: Recorded,
  now: number,
  timeoutMs = DELIVERY_START_TIMEOUT_MS,
): Promise<DeliveryOutcome> {
  const message = messageOf(hook.template, delivery.body)
  if (!message.ok) return endDelivery(thread, hook, delivery, message.error, timeoutMs)
  const input = inputOf(hook.id, delivery, message.value)
  const problem = await attempt(() => thread.start(callerOf(hook), input), timeoutMs)
  if (problem === null) return { state: 'started' }
  const { words, code, field } = problem
  const tries = delivery.tries + 1
  // Its run came to be, and was deleted with its thread: that stays deleted.
  if (code === 'gone') return { state: 'dead', tries, problem: words }
  const wait = waiting(code, delivery, now)
  if (wait) return { state: 'recorded', tries: delivery.tries, ...wait, problem: words }
  // What a thread is fixed to does not change: every try would meet it again.
  if (code === 'prefix_frozen') return endDelivery(thread, hook, delivery, `${words} ${THAW}`, timeoutMs)
  // The body is too long for what a delivery may spend, and stays so.
  if (code === 'invalid_request' && field === 'budget')
    return endDelivery(thread, hook, delivery, words, timeoutMs, 'budget')
  if (tries >= DELIVERY_TRIES_MAX) return endDelivery(thread, hook, delivery, words, timeoutMs)
  return { state: 'recorded', tries, waitMs: backoffMs(tries), problem: words, shared: null }
}

/**
 * Ends a delivery whose run is never going to begin. The sender was promised a run: until there is one to be read, a
 * failed one that says `why`, the delivery is not put aside. Safe to repeat. Never throws.
 */
export async function endDelivery(
  thread: Failing,
  hook: HookOf,
  delivery: Recorded,
  why: string,
  timeoutMs = DELIVERY_START_TIMEOUT_MS,
  stop: Unstarted = 'internal',
): Promise<DeliveryOutcome> {
  const tries = delivery.tries + 1
  const problem = shown(why)
  const message = messageOf(hook.template, delivery.body)
  const input = inputOf(hook.id, delivery, message.ok ? message.value : problem)
  const unrecorded = await attempt(() => thread.startFailed(callerOf(hook), input, problem, stop), timeoutMs)
  if (unrecorded === null) return { state: 'dead', tries, problem }
  return { state: 'recorded', tries, waitMs: backoffMs(tries), problem, shared: null }
}

function waiting(code: Code | null, { receivedAt }: Recorded, now: number): Waiting | null {
  // Whichever way the clock was put meanwhile.
  if (code === 'not_ready' && Math.abs(now - receivedAt) >= NOT_READY_TIMEOUT_MS) return null
  return (code && WAITS[code]) ?? null
}

function callerOf(hook: HookOf): Caller {
  const { id, workspace, user, allowed_calls } = hook
  const caller = { workspace, keyId: `hook:${id}`, role: 'chat', user } as const
  return allowed_calls.length > 0 ? { ...caller, allowedCalls: allowed_calls } : caller
}

/** How long to wait after `tries` failed tries: 5 s, doubling, capped at 10 minutes. */
export function backoffMs(tries: number): number {
  return Math.min(DELIVERY_BACKOFF_MS * 2 ** (tries - 1), DELIVERY_BACKOFF_CAP_MS)
}

/** The message that a body makes in a template, or why it makes none. */
export function messageOf(template: string, body: Uint8Array): Result<string, string> {
  const text = fromUtf8(body)
  if (text === null) return err('The body is not UTF-8: send text.')
  const message = render(template, text)
  if (message.ok) return ok(message.value)
  return err(
    `No message could be made of the body: ${message.error}. Fix the sender, or make a hook with another template.`,
  )
}

function inputOf(
  hookId: string,
  delivery: Recorded,
  message: string,
): StartInput & { readonly runId: string } {
  return {
    threadId: delivery.threadId,
    create: true,
    message: [{ type: 'text', text: message }],
    fenced: true,
    metadata: { hook_id: hookId, delivery_id: delivery.id, webhook_id: delivery.webhookId },
    context: {},
    allowSkills: null,
    tools: null,
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

// What went wrong; null when nothing did. A try that hangs counts as failed: should it still succeed, the next one
// finds its run.
async function attempt(start: () => Promise<Result<unknown>>, timeoutMs: number): Promise<Problem | null> {
  try {
    const result = await within(timeoutMs, start())
    if (result?.ok) return null
    const late = {
      code: 'overloaded',
      detail: `The thread did not answer within ${timeoutMs / 1000} s.`,
    } as const
    const { code, detail, errors }: Failure = result?.error ?? late
    return { words: shown(`${code}: ${detail}`), code, field: errors?.[0]?.path ?? null }
  } catch (error) {
    const words = error instanceof Error ? error.message : 'unknown error'
    return { words: shown(`The thread could not be reached: ${words}`), code: null, field: null }
  }
}

function shown(problem: string): string {
  return cutText(problem.toWellFormed(), DELIVERY_PROBLEM_MAX_CHARS)
}
