// Asks the workspace what a run may spend of its caps, before the run reserves it. A run has no lease only if the workspace
// answered that no caps apply; then it never asks.

import type { ReachedLimit } from '../../agent/loop.ts'
import { rfc3339 } from '../../lib/clock.ts'
import { pause } from '../../lib/pause.ts'
import { logText } from '../../lib/redact.ts'
import { fail, type Result } from '../../lib/result.ts'
import { LEASE_RETRY_MS } from '../../limits/caps.ts'
import type { Lease, ThreadCap } from '../../workspace/cap-api.ts'
import type { RunBudget } from '../api.ts'
import type { Parts } from '../parts.ts'
import { insertOutgoing } from '../rows/outbox.ts'
import { chargedTotal } from '../rows/run-charges.ts'
import { emptyLease, leasedBudget, storedLease, wishOf } from '../rows/run-lease.ts'
import type { Run } from '../rows/run.ts'
import type { CallReservation } from './budget.ts'

type Storing = Parts<'ctx' | 'row' | 'runs' | 'log', 'now'>
export type LeasingThread = Storing & Parts<'atomically', 'workspace' | 'leaseWaitMs'>

/** The execution that asks. Its signal ends a wait. */
export interface LeaseHolder {
  holdsRun(): boolean
  readonly signal: AbortSignal
}

/**
 * Stores what the workspace granted, and announces its warnings. Must be called in a block, before anything of the lease is
 * reserved.
 */
function storeLease(thread: Storing, runId: string, lease: Lease | null): void {
  const { ctx, row, runs, log, ports } = thread
  const { sql } = ctx.storage
  const run = runs.get(runId)
  if (!run || (lease === null && run.lease === null)) return
  const cap = lease ? ofThread(sql, run, lease.thread) : {}
  runs.change(runId, () => ({ lease: storedLease(run, lease, cap, ports.now()) }))
  for (const [index, detail] of (lease?.warnings ?? []).entries()) {
    const type = 'budget.warning'
    log.append(runId, { type, detail })
    const id = `evt_${runId.replace('run_', '')}_cap${lease?.number}_${index}`
    const data = { thread_id: row.data.id, run_id: runId, detail }
    const body = JSON.stringify({ type, timestamp: rfc3339(ports.now()), data })
    for (const endpoint of lease?.listeners ?? [])
      insertOutgoing(sql, endpoint, { id, type, url: null, body })
  }
}

/**
 * Stores the first lease of a run, which is undefined if the workspace did not say. Then caps may apply, so that the run asks
 * before it spends anything.
 */
export function storeFirstLease(thread: Storing, runId: string, lease: Lease | null | undefined): void {
  if (lease !== undefined) return storeLease(thread, runId, lease)
  thread.runs.change(runId, (run) => (run.lease ? {} : { lease: emptyLease(thread.ports.now()) }))
}

/** Refuses a run of a thread that has spent all that it may. */
export function whyThreadCapped(
  { ctx }: Parts<'ctx'>,
  lease: Lease | null | undefined,
): ReturnType<typeof fail> | null {
  const { usd = Infinity, tokens = Infinity } = lease?.thread ?? {}
  if (usd === Infinity && tokens === Infinity) return null
  const total = chargedTotal(ctx.storage.sql)
  return total.usd < usd && total.tokens < tokens ? null : fail('quota_exceeded', THREAD_CAPPED)
}

const THREAD_CAPPED =
  'The thread has reached its cap. Start a new thread, or ask an admin to raise the cap with PATCH /admin/limits.'

/** What the run may spend in all, so that its thread stays below its cap. */
function ofThread(sql: SqlStorage, run: Run, cap: ThreadCap): ThreadCap {
  if (Object.keys(cap).length === 0) return cap
  const total = chargedTotal(sql)
  const [usd, tokens] = [total.usd - run.usedUsd, total.tokens - run.usedTokens]
  return {
    ...(cap.usd === undefined ? {} : { usd: cap.usd - usd }),
    ...(cap.tokens === undefined ? {} : { tokens: cap.tokens - tokens }),
  }
}

/**
 * Asks for enough to reserve `next`, and stores the answer. Returns null, or if there was no answer in time, why nothing was
 * granted; the lease then stays as it is. Never throws.
 */
export async function askForLease(
  thread: LeasingThread,
  run: Run,
  next: { readonly usd: number; readonly tokens: number },
  holder: LeaseHolder,
): Promise<string | null> {
  const { row, ports } = thread
  const { id, workspace, user } = row.data
  const { key, budget } = run.options
  const wish = wishOf(run, budget, next, user, ports.now())
  const waitMs = ports.leaseWaitMs(workspace)
  const ask = (): Promise<Result<Lease | null>> => ports.workspace(workspace).lease(id, run.id, key, wish)
  const answer = await firstAnswer(ask, waitMs, holder.signal)
  if (answer === null)
    return `The workspace did not say within ${(await waitMs) / 1000} s what the run may spend, so nothing more was spent. Send the message again.`
  if (!holder.holdsRun()) return null
  thread.atomically(() => {
    if (answer.ok) return storeLease(thread, run.id, answer.value)
    const reached = answer.error.detail
    thread.runs.change(run.id, ({ lease }) => ({ lease: lease && { ...lease, reached } }))
  })
  return null
}

/** Repeats a request that fails, until there is an answer, the time is over or the signal is aborted; then null. */
async function firstAnswer<T>(
  ask: () => Promise<T>,
  waitMs: Promise<number>,
  signal: AbortSignal,
): Promise<T | null> {
  const done = new AbortController()
  const end = AbortSignal.any([signal, done.signal])
  const repeat = async (): Promise<T | null> => {
    while (!end.aborted) {
      try {
        return await ask()
      } catch (error) {
        console.warn(JSON.stringify({ at: 'thread.lease', error: logText(error) }))
        await pause(LEASE_RETRY_MS, end)
      }
    }
    return null
  }
  const isOver = async (): Promise<null> => {
    await pause(await waitMs, end)
    return null
  }
  const answer = await Promise.race([repeat(), isOver()])
  done.abort()
  return answer
}

type Plan = CallReservation | ReachedLimit

/**
 * Plans a call within the budget of the run and its lease. Answers at once, unless the lease covers less than the budget: then
 * it asks for more.
 */
export function planLeased(
  thread: LeasingThread,
  given: Run,
  holder: LeaseHolder,
  plan: (budget: RunBudget) => Plan,
): Plan | Promise<Plan> {
  const run = thread.runs.get(given.id) ?? given
  const { id, options } = run
  const wanted = plan(options.budget)
  if ('stop' in wanted || run.lease === null) return wanted
  const leased = plan(leasedBudget(run, options.budget, thread.ports.now()))
  if (!('stop' in leased) && leased.maxOutputTokens >= wanted.maxOutputTokens) return leased
  return (async () => {
    const unanswered = await askForLease(thread, run, wanted, holder)
    const current = holder.holdsRun() ? thread.runs.get(id) : null
    if (!current) return wanted
    const covered = plan(leasedBudget(current, options.budget, thread.ports.now()))
    if (!('stop' in covered)) return covered
    return unanswered === null
      ? { stop: 'quota_exceeded', detail: whyNoMore(current) }
      : { stop: 'internal', detail: unanswered }
  })()
}

/** Why the lease of the run covers nothing more. */
export function whyNoMore({ lease }: Run): string {
  return lease?.reached ?? THREAD_CAPPED
}
