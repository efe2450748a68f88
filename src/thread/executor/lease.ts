// Asks the workspace what a run may spend of its caps, before the run reserves it. A run without a lease has no caps, and
// never asks.

import type { ReachedLimit } from '../../agent/loop.ts'
import { rfc3339 } from '../../lib/clock.ts'
import { pause } from '../../lib/pause.ts'
import { logText } from '../../lib/redact.ts'
import { fail } from '../../lib/result.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import { LEASE_RETRY_MS, LEASE_TIMEOUT_MS } from '../../limits/caps.ts'
import type { Lease, ThreadCap } from '../../workspace/cap-api.ts'
import type { RunBudget } from '../api.ts'
import type { Parts } from '../parts.ts'
import { insertOutgoing } from '../rows/outbox.ts'
import { chargedTotal } from '../rows/run-charges.ts'
import { emptyLease, leasedBudget, storedLease, wishOf } from '../rows/run-lease.ts'
import type { Run } from '../rows/run.ts'
import type { CallReservation } from './budget.ts'

type Storing = Parts<'ctx' | 'row' | 'runs' | 'log', 'now'>
export type LeasingThread = Storing & Parts<'atomically', 'workspace'>

/**
 * Stores what the workspace granted, and announces its warnings. Must be called in a block, before anything of the lease is
 * reserved.
 */
export function storeLease(thread: Storing, runId: string, lease: Lease | null): void {
  const { ctx, row, runs, log, ports } = thread
  const { sql } = ctx.storage
  const run = runs.get(runId)
  if (!run) return
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
 * Stores the first lease of a run, which is undefined if the workspace did not say. Then the run asks again before it spends
 * anything, if there are caps as far as its key and thread know.
 */
export function storeFirstLease(
  thread: Storing,
  runId: string,
  lease: Lease | null | undefined,
  isCapped: boolean,
): void {
  if (lease) return storeLease(thread, runId, lease)
  if (lease === null) return
  const query = 'SELECT 1 FROM runs WHERE lease IS NOT NULL ORDER BY ord DESC LIMIT 1'
  if (isCapped || thread.ctx.storage.sql.exec(query).toArray().length > 0)
    thread.runs.change(runId, () => ({ lease: emptyLease(thread.ports.now()) }))
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
 * Asks for enough to reserve `next`, and stores the answer. Without an answer, the lease stays as it is: nothing is spent that
 * was not granted. Never throws.
 */
export async function askForLease(
  thread: LeasingThread,
  run: Run,
  next: { readonly usd: number; readonly tokens: number },
  holdsRun: () => boolean,
): Promise<void> {
  const { row, ports } = thread
  const { id, workspace, user } = row.data
  const { key, budget } = run.options
  const wish = wishOf(run, budget, next, user, ports.now())
  const answer = await firstAnswer(() => ports.workspace(workspace).lease(id, run.id, key, wish))
  if (!holdsRun()) return
  thread.atomically(() => {
    if (answer?.ok) return storeLease(thread, run.id, answer.value)
    const reached = answer
      ? answer.error.detail
      : 'The workspace did not respond in time with what the run may still spend, so the run ended. Send the message again.'
    thread.runs.change(run.id, ({ lease }) => ({ lease: lease && { ...lease, reached } }))
  })
}

/** Repeats a request that fails, until there is an answer or the time is over; then null. */
async function firstAnswer<T>(ask: () => Promise<T>): Promise<T | null> {
  let isOver = false
  const repeat = async (): Promise<T | null> => {
    while (!isOver) {
      try {
        return await ask()
      } catch (error) {
        console.warn(JSON.stringify({ at: 'thread.lease', error: logText(error) }))
        await pause(LEASE_RETRY_MS)
      }
    }
    return null
  }
  const answer = await withTimeout(LEASE_TIMEOUT_MS, repeat())
  isOver = true
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
  holdsRun: () => boolean,
  plan: (budget: RunBudget) => Plan,
): Plan | Promise<Plan> {
  const run = thread.runs.get(given.id) ?? given
  const { id, options } = run
  const wanted = plan(options.budget)
  if ('stop' in wanted || run.lease === null) return wanted
  const leased = plan(leasedBudget(run, options.budget, thread.ports.now()))
  if (!('stop' in leased) && leased.maxOutputTokens >= wanted.maxOutputTokens) return leased
  return (async () => {
    await askForLease(thread, run, wanted, holdsRun)
    const current = holdsRun() ? thread.runs.get(id) : null
    if (!current) return wanted
    const covered = plan(leasedBudget(current, options.budget, thread.ports.now()))
    return 'stop' in covered ? { stop: 'quota_exceeded', detail: whyNoMore(current) } : covered
  })()
}

/** Why the lease of the run covers nothing more. */
export function whyNoMore({ lease }: Run): string {
  return lease?.reached ?? THREAD_CAPPED
}
