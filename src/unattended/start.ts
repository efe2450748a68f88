// Starts a run whose IDs were promised. If that is not possible, says when to try again, or gives up and stores a failed
// run with the reason. Accesses no storage and no clock.

import type { Caller } from '../lib/caller.ts'
import { cutText } from '../lib/text.ts'
import type { Code, Failure, Result } from '../lib/result.ts'
import { withTimeout } from '../lib/with-timeout.ts'
import type { StartFailureReason, StartInput, ThreadApi } from '../thread/api.ts'
import {
  CAP_RETRY_MAX_MS,
  NO_SLOT_RECHECK_MS,
  NOT_READY_RECHECK_MS,
  NOT_READY_TIMEOUT_MS,
  START_ATTEMPTS_MAX,
  START_FIRST_PAUSE_MS,
  START_PAUSE_MAX_MS,
  START_PROBLEM_MAX_CHARS,
  START_TIMEOUT_MS,
} from './limits.ts'

export type StartOutcome =
  | { readonly state: 'started' }
  | {
      readonly state: 'recorded'
      readonly tries: number
      readonly waitMs: number
      readonly problem: string
      /** Which runs the problem affects: all of the same starter, all of the same build, or (null) only this run. */
      readonly affects: 'starter' | 'build' | null
    }
  | { readonly state: 'dead'; readonly tries: number; readonly problem: string }

type RecheckTerms = Pick<Extract<StartOutcome, { state: 'recorded' }>, 'waitMs' | 'affects'>

/** Temporary problems, which do not count as attempts. */
const TEMPORARY_PROBLEMS: Readonly<Partial<Record<Code, RecheckTerms>>> = {
  too_many_runs: { waitMs: NO_SLOT_RECHECK_MS, affects: 'starter' },
  storage_full: { waitMs: NO_SLOT_RECHECK_MS, affects: 'starter' },
  thread_busy: { waitMs: NO_SLOT_RECHECK_MS, affects: null },
  not_ready: { waitMs: NOT_READY_RECHECK_MS, affects: 'build' },
}

/** Why an attempt failed. */
interface Problem {
  readonly text: string
  /** Null if no thread responded, or if its response had no error code. */
  readonly code: Code | null
  /** The first field that the problem names. */
  readonly field: string | null
  readonly retryAfterS?: number | undefined
}

type PromisedInput = StartInput & { readonly runId: string }
export type StartFailedApi = Pick<ThreadApi, 'startFailed'>

export interface Attempt {
  readonly caller: Caller
  readonly input: PromisedInput
  /** Number of earlier attempts. */
  readonly tries: number
  /** When the run was promised, in epoch milliseconds. */
  readonly promisedAt: number
  /** What to do if the thread has other fixed options, for the reason that people read. */
  readonly advice: string
}

/**
 * Starts the run. Safe to repeat, because the thread recognizes the run by its idempotency key. Never throws. If another
 * attempt cannot help, or after START_ATTEMPTS_MAX attempts, the promised run is stored as failed; `dead` means that
 * this is done. It waits without limit while there is no free run slot or space or a cap is reached, and for an hour while
 * its Worker's skills are missing.
 */
export async function startPromisedRun(
  thread: Pick<ThreadApi, 'start'> & StartFailedApi,
  { caller, input, tries: earlier, promisedAt, advice }: Attempt,
  now: number,
  timeoutMs = START_TIMEOUT_MS,
): Promise<StartOutcome> {
  const problem = await attempt(() => thread.start(caller, input), timeoutMs)
  if (problem === null) return { state: 'started' }
  const { text, code, field } = problem
  const tries = earlier + 1
  // The run was created, and then deleted with its thread, so it must not be created again.
  if (code === 'gone') return { state: 'dead', tries, problem: text }
  const recheck = recheckTermsFor(problem, promisedAt, now)
  if (recheck) return { state: 'recorded', tries: earlier, ...recheck, problem: text }
  const give = (reason: string, stop?: StartFailureReason): Promise<StartOutcome> =>
    failPromisedRun(thread, { caller, input, tries: earlier }, reason, timeoutMs, stop)
  // A frozen prefix never changes, so every attempt would fail.
  if (code === 'prefix_frozen') return give(`${text} ${advice}`)
  // The message will always be too long for the budget.
  if (code === 'invalid_request' && field === 'budget') return give(text, 'budget')
  // The cap of a thread never resets.
  if (code === 'quota_exceeded') return give(text, code)
  if (tries >= START_ATTEMPTS_MAX) return give(text)
  return { state: 'recorded', tries, waitMs: backoffMs(tries), problem: text, affects: null }
}

/**
 * Ends a run that will never begin. It was promised, so the outcome is `dead` only once a failed run with this reason
 * exists. Safe to repeat. Never throws.
 */
export async function failPromisedRun(
  thread: StartFailedApi,
  { caller, input, tries: earlier }: Pick<Attempt, 'caller' | 'input' | 'tries'>,
  reason: string,
  timeoutMs = START_TIMEOUT_MS,
  stop: StartFailureReason = 'internal',
): Promise<StartOutcome> {
  const tries = earlier + 1
  const problem = shortenProblem(reason)
  const storeProblem = await attempt(() => thread.startFailed(caller, input, problem, stop), timeoutMs)
  if (storeProblem === null) return { state: 'dead', tries, problem }
  return { state: 'recorded', tries, waitMs: backoffMs(tries), problem, affects: null }
}

function recheckTermsFor(
  { code, retryAfterS }: Problem,
  promisedAt: number,
  now: number,
): RecheckTerms | null {
  if (code === 'quota_exceeded' && retryAfterS !== undefined)
    return { waitMs: Math.min(retryAfterS * 1_000, CAP_RETRY_MAX_MS), affects: 'starter' }
  // The clock may have been set back, so the age is compared by its absolute value.
  if (code === 'not_ready' && Math.abs(now - promisedAt) >= NOT_READY_TIMEOUT_MS) return null
  return (code && TEMPORARY_PROBLEMS[code]) ?? null
}

/** How long to wait after `tries` failed attempts: 5 s, doubling each time, at most 10 minutes. */
export function backoffMs(tries: number): number {
  return Math.min(START_FIRST_PAUSE_MS * 2 ** (tries - 1), START_PAUSE_MAX_MS)
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
    const { code, detail, errors, retryAfterS }: Failure = result?.error ?? timeout
    return { text: shortenProblem(`${code}: ${detail}`), code, field: errors?.[0]?.path ?? null, retryAfterS }
  } catch (error) {
    const text = error instanceof Error ? error.message : 'unknown error'
    return { text: shortenProblem(`The thread could not be reached: ${text}`), code: null, field: null }
  }
}

export function shortenProblem(problem: string): string {
  return cutText(problem.toWellFormed(), START_PROBLEM_MAX_CHARS)
}
