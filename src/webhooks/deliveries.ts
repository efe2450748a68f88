// Processes one recorded delivery: builds its message and starts its run. If that is not possible, lets it
// wait, or gives up and stores a failed run with the reason. Pure: accesses no storage and no clock.

import type { Caller } from '../lib/caller.ts'
import { err, ok, type Code, type Failure, type Result } from '../lib/result.ts'
import { withTimeout } from '../lib/with-timeout.ts'
import { fromUtf8 } from '../lib/bytes.ts'
import { cutText } from '../lib/text.ts'
import {
  RUN_RECOVERIES_DEFAULT,
  RUN_STEPS_DEFAULT,
  RUN_TOKENS_DEFAULT,
  RUN_TOOL_CALLS_DEFAULT,
  RUN_USD_DEFAULT,
  RUN_WALL_DEFAULT_S,
} from '../limits/runs.ts'
import {
  DELIVERY_PAUSE_MAX_MS,
  DELIVERY_FIRST_PAUSE_MS,
  DELIVERY_PROBLEM_MAX_CHARS,
  DELIVERY_START_TIMEOUT_MS,
  DELIVERY_ATTEMPTS_MAX,
  NO_SLOT_RECHECK_MS,
  NOT_READY_TIMEOUT_MS,
  NOT_READY_RECHECK_MS,
} from './limits.ts'
import type { StartInput, ThreadApi, StartFailureReason } from '../thread/api.ts'
import type { HookConfig } from './api.ts'
import { render } from './template.ts'

/** A delivery whose run has not started yet. */
export interface RecordedDelivery {
  readonly id: string
  /** The sender's ID of the delivery, or null if it sent none. */
  readonly webhookId: string | null
  readonly digest: string
  readonly body: Uint8Array
  readonly threadId: string
  readonly runId: string
  readonly build: string
  /** Epoch milliseconds. */
  readonly receivedAt: number
  /** Number of earlier attempts. */
  readonly tries: number
}

export type DeliveryOutcome =
  | { readonly state: 'started' }
  | {
      readonly state: 'recorded'
      readonly tries: number
      readonly waitMs: number
      readonly problem: string
      /**
       * Which deliveries the problem affects: all deliveries of the hook, all of the same build, or (null) only
       * this delivery.
       */
      readonly affects: 'hook' | 'build' | null
    }
  | { readonly state: 'dead'; readonly tries: number; readonly problem: string }

type RecheckTerms = Pick<Extract<DeliveryOutcome, { state: 'recorded' }>, 'waitMs' | 'affects'>

/** Temporary problems, which do not count as attempts. */
const TEMPORARY_PROBLEMS: Readonly<Partial<Record<Code, RecheckTerms>>> = {
  too_many_runs: { waitMs: NO_SLOT_RECHECK_MS, affects: 'hook' },
  storage_full: { waitMs: NO_SLOT_RECHECK_MS, affects: 'hook' },
  thread_busy: { waitMs: NO_SLOT_RECHECK_MS, affects: null },
  not_ready: { waitMs: NOT_READY_RECHECK_MS, affects: 'build' },
}

/** Advice for a frozen prefix: a hook's deliveries cannot name a thread. */
const FROZEN_PREFIX_ADVICE =
  'Delete that thread, and the next delivery will create a new one, or create another hook.'

/** Why an attempt failed. */
interface Problem {
  readonly text: string
  /** Null if no thread responded, or if its response had no error code. */
  readonly code: Code | null
  /** The first field that the problem names. */
  readonly field: string | null
}

type StartFailedApi = Pick<ThreadApi, 'startFailed'>
/** What the start of a delivery needs to know about its hook. */
export type DeliverySource = Pick<HookConfig, 'id' | 'workspace' | 'user' | 'template' | 'allowed_calls'>

/**
 * Starts the delivery's run. Safe to repeat, because the thread recognizes the delivery by its ID. Never
 * throws. If another attempt cannot help, or after DELIVERY_ATTEMPTS_MAX attempts, the promised run is stored as
 * failed; the delivery is dead once that is done. It waits without limit while there is no free run slot or
 * space, and for an hour while its Worker's skills are missing.
 */
export async function startDelivery(
  thread: Pick<ThreadApi, 'start'> & StartFailedApi,
  hook: DeliverySource,
  delivery: RecordedDelivery,
  now: number,
  timeoutMs = DELIVERY_START_TIMEOUT_MS,
): Promise<DeliveryOutcome> {
  const message = messageOf(hook.template, delivery.body)
  if (!message.ok) return endDelivery(thread, hook, delivery, message.error, timeoutMs)
  const input = inputOf(hook.id, delivery, message.value)
  const problem = await attempt(() => thread.start(callerOf(hook), input), timeoutMs)
  if (problem === null) return { state: 'started' }
  const { text, code, field } = problem
  const tries = delivery.tries + 1
  // The run was created, and then deleted with its thread, so it must not be created again.
  if (code === 'gone') return { state: 'dead', tries, problem: text }
  const recheck = recheckTermsFor(code, delivery, now)
  if (recheck) return { state: 'recorded', tries: delivery.tries, ...recheck, problem: text }
  // A frozen prefix never changes, so every attempt would fail.
  if (code === 'prefix_frozen')
    return endDelivery(thread, hook, delivery, `${text} ${FROZEN_PREFIX_ADVICE}`, timeoutMs)
  // The body will always be too long for the budget of a delivery.
  if (code === 'invalid_request' && field === 'budget')
    return endDelivery(thread, hook, delivery, text, timeoutMs, 'budget')
  if (tries >= DELIVERY_ATTEMPTS_MAX) return endDelivery(thread, hook, delivery, text, timeoutMs)
  return { state: 'recorded', tries, waitMs: backoffMs(tries), problem: text, affects: null }
}

/**
 * Ends a delivery whose run will never begin. The sender was promised a run, so the delivery is dead only
 * once a failed run with this reason exists. Safe to repeat. Never throws.
 */
export async function endDelivery(
  thread: StartFailedApi,
  hook: DeliverySource,
  delivery: RecordedDelivery,
  reason: string,
  timeoutMs = DELIVERY_START_TIMEOUT_MS,
  stop: StartFailureReason = 'internal',
): Promise<DeliveryOutcome> {
  const tries = delivery.tries + 1
  const problem = shortenProblem(reason)
  const message = messageOf(hook.template, delivery.body)
  const input = inputOf(hook.id, delivery, message.ok ? message.value : problem)
  const storeProblem = await attempt(
    () => thread.startFailed(callerOf(hook), input, problem, stop),
    timeoutMs,
  )
  if (storeProblem === null) return { state: 'dead', tries, problem }
  return { state: 'recorded', tries, waitMs: backoffMs(tries), problem, affects: null }
}

function recheckTermsFor(
  code: Code | null,
  { receivedAt }: RecordedDelivery,
  now: number,
): RecheckTerms | null {
  // The clock may have been set back, so the age is compared by its absolute value.
  if (code === 'not_ready' && Math.abs(now - receivedAt) >= NOT_READY_TIMEOUT_MS) return null
  return (code && TEMPORARY_PROBLEMS[code]) ?? null
}

function callerOf(hook: DeliverySource): Caller {
  const { id, workspace, user, allowed_calls } = hook
  const caller = { workspace, keyId: `hook:${id}`, role: 'chat', user } as const
  return allowed_calls.length > 0 ? { ...caller, allowedCalls: allowed_calls } : caller
}

/** How long to wait after `tries` failed attempts: 5 s, doubling each time, at most 10 minutes. */
export function backoffMs(tries: number): number {
  return Math.min(DELIVERY_FIRST_PAUSE_MS * 2 ** (tries - 1), DELIVERY_PAUSE_MAX_MS)
}

/** The message that the template yields for a body, or why it yields none. */
export function messageOf(template: string, body: Uint8Array): Result<string, string> {
  const text = fromUtf8(body)
  if (text === null) return err('The body is not UTF-8. Send it as UTF-8 text.')
  const message = render(template, text)
  if (message.ok) return ok(message.value)
  return err(
    `The body does not fit the template: ${message.error}. Fix the sender, or create a hook with a different template.`,
  )
}

function inputOf(
  hookId: string,
  delivery: RecordedDelivery,
  message: string,
): StartInput & { readonly runId: string } {
  return {
    threadId: delivery.threadId,
    create: true,
    message: [{ type: 'text', text: message }],
    fenced: true,
    metadata: {
      hook_id: hookId,
      delivery_id: delivery.id,
      ...(delivery.webhookId !== null && { webhook_id: delivery.webhookId }),
    },
    context: {},
    allowSkills: null,
    tools: null,
    // Untrusted content cannot call skills.
    calls: [],
    model: null,
    effort: null,
    onBusy: 'enqueue',
    onDisconnect: 'continue',
    budget: {
      tokens: RUN_TOKENS_DEFAULT,
      usd: RUN_USD_DEFAULT,
      steps: RUN_STEPS_DEFAULT,
      tool_calls: RUN_TOOL_CALLS_DEFAULT,
      wall_s: RUN_WALL_DEFAULT_S,
      recoveries: RUN_RECOVERIES_DEFAULT,
    },
    idempotency: { key: `delivery:${delivery.id}`, digest: delivery.digest },
    runId: delivery.runId,
    build: delivery.build,
    requestId: delivery.id,
    follow: false,
  }
}

// Returns the problem, or null if there is none. An attempt that hangs counts as failed: if it still succeeds
// later, the next attempt finds its run.
async function attempt(start: () => Promise<Result<unknown>>, timeoutMs: number): Promise<Problem | null> {
  try {
    const result = await withTimeout(timeoutMs, start())
    if (result?.ok) return null
    const timeout = {
      code: 'overloaded',
      detail: `The thread did not respond within ${timeoutMs / 1000} s.`,
    } as const
    const { code, detail, errors }: Failure = result?.error ?? timeout
    return { text: shortenProblem(`${code}: ${detail}`), code, field: errors?.[0]?.path ?? null }
  } catch (error) {
    const text = error instanceof Error ? error.message : 'unknown error'
    return { text: shortenProblem(`The thread could not be reached: ${text}`), code: null, field: null }
  }
}

function shortenProblem(problem: string): string {
  return cutText(problem.toWellFormed(), DELIVERY_PROBLEM_MAX_CHARS)
}
