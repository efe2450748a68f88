// A run's slot. The workspace counts how many slots each key uses at the same time. The request for a slot is
// sent in parallel with the catalog request and has a timeout: if the workspace is unavailable or slow, the run
// begins without a slot and is reported later; but it spends nothing before the workspace has said what it may spend.

import { logText } from '../../lib/redact.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import { REPORT_RETRY_PAUSE_MS } from '../../limits/runs.ts'
import { CAP_RECHECK_MS, SLOT_TIMEOUT_MS, QUEUED_LEASE_MS, RUN_LEASE_MARGIN_MS } from './limits.ts'
import type { OpenRun } from '../../workspace/api.ts'
import type { Lease, LeaseWish } from '../../workspace/cap-api.ts'
import type { ThreadPorts, Parts } from '../parts.ts'
import { daySpends, shrunkLease } from '../rows/run-lease.ts'
import { isOpen } from '../rows/run.ts'
import { firstWish } from './first-call.ts'

function warn(error: unknown): void {
  console.warn(JSON.stringify({ at: 'thread.run_slot', error: logText(error) }))
}

/** A hook or schedule then starts its run again later, when the run can continue. */
const NO_LEASE = fail('too_many_runs', 'The workspace did not say whether the run may start. Try again.', {
  retryAfterS: SLOT_TIMEOUT_MS / 1000,
})

/** The runs of each thread whose slots were requested by requests that are not over. */
const requestedRuns = new WeakMap<DurableObjectState, string[]>()

/** The slot of one run. */
export class RunSlot {
  readonly #ctx: DurableObjectState
  readonly #ports: Pick<ThreadPorts, 'now' | 'workspace' | 'starter'>
  readonly #workspace: string
  readonly #run: Pick<OpenRun, 'thread' | 'run' | 'key' | 'begins'>
  readonly #wallS: number
  /** The `queued` value of the request; null if no slot was requested. */
  #queued: boolean | null = null

  constructor(
    ctx: DurableObjectState,
    ports: Pick<ThreadPorts, 'now' | 'workspace' | 'starter'>,
    workspace: string,
    run: Pick<OpenRun, 'thread' | 'run' | 'key' | 'begins'>,
    wallS: number,
  ) {
    this.#ctx = ctx
    this.#ports = ports
    this.#workspace = workspace
    this.#run = run
    this.#wallS = wallS
  }

  /**
   * Requests the slot and a lease. Fails with `too_many_runs`, `storage_full` or `quota_exceeded`, also if the
   * workspace did not answer for the run of a hook or schedule, which then waits; never throws. The lease is null
   * if no caps apply, and undefined if the workspace did not answer. `queued` is true if the thread is busy, so the run
   * will wait.
   */
  async request(queued: boolean, wish: LeaseWish): Promise<Result<Lease | null | undefined>> {
    this.#queued = queued
    const requested = requestedRuns.get(this.#ctx) ?? []
    requestedRuns.set(this.#ctx, [...requested, this.#run.run])
    try {
      const answer = await withTimeout(SLOT_TIMEOUT_MS, this.#admit(queued, false, wish))
      if (answer) return answer
      warn(`no response within ${SLOT_TIMEOUT_MS} ms`)
    } catch (error) {
      warn(error)
    }
    return this.#ports.starter(this.#workspace, this.#run.key) ? NO_LEASE : ok(undefined)
  }

  /** Called once the run is accepted. Reports the run again only if its state differs from the request. */
  confirm(queued: boolean): void {
    if (this.#queued === queued) return
    const earlierRelease = releasesInProgress.get(this.#ctx) ?? Promise.resolve()
    this.#ctx.waitUntil(earlierRelease.then(() => this.#admit(queued, true)).catch(warn))
  }

  /**
   * Called once when the request for the run is over. Gives back what the workspace granted, unless the run was created, or another
   * request is about to create the same promised run.
   */
  end(created: boolean): void {
    if (this.#queued === null) return
    const requested = requestedRuns.get(this.#ctx) ?? []
    requested.splice(requested.indexOf(this.#run.run), 1)
    if (!created && !requested.includes(this.#run.run)) this.#ctx.waitUntil(this.#leave().catch(warn))
  }

  async #leave(): Promise<void> {
    await this.#ports.workspace(this.#workspace).leave(this.#run.thread, this.#run.run)
  }

  async #admit(queued: boolean, accepted: boolean, wish?: LeaseWish): Promise<Result<Lease | null>> {
    const leaseMs = queued ? QUEUED_LEASE_MS : this.#wallS * 1000 + RUN_LEASE_MARGIN_MS
    const run = { ...this.#run, queued, until: this.#ports.now() + leaseMs }
    return this.#ports.workspace(this.#workspace).admit(run, accepted, wish)
  }
}

/**
 * Releases in progress, by thread. A run that requests its slot again first waits until its release is
 * finished.
 */
const releasesInProgress = new WeakMap<DurableObjectState, Promise<unknown>>()

/**
 * Releases the slot of a run that is waiting for a person or another system, so that the run does not count as one of
 * its key's active runs. Also returns what it does not need of its lease.
 */
export function releaseSlot(
  { ctx, row, runs, ports }: Parts<'ctx' | 'row' | 'runs', 'workspace'>,
  runId: string,
): void {
  const { id, workspace } = row.data
  const run = runs.get(runId)
  if (run?.lease && isOpen(run)) runs.change(runId, (current) => ({ lease: shrunkLease(current) }))
  const spent = run ? daySpends(run) : []
  const released = (async () => ports.workspace(workspace).leave(id, runId, spent))().catch(warn)
  releasesInProgress.set(ctx, released)
  ctx.waitUntil(released)
}

interface SlotAnswer {
  /** The time until the next attempt in milliseconds; null if the run may continue. */
  readonly retryMs: number | null
  /** The first lease of a queued run: null if no caps apply, undefined if there was no answer. */
  readonly lease?: Lease | null
  /** The cap that ends a queued run. */
  readonly reached?: string
}

/** The slot request in progress for each thread. Concurrent requests for the same run share its result. */
const requestsInProgress = new WeakMap<
  DurableObjectState,
  { readonly runId: string; readonly answer: Promise<SlotAnswer> }
>()

/**
 * Requests the slot of an accepted run that waited for a person or in the thread's queue. The run may continue if it has a slot,
 * or if the workspace did not respond. At a cap, or without a response, queued runs of hooks and schedules wait, because they
 * were promised; at a cap, others end. Never throws.
 */
export async function requestSlotOnce(thread: QueueingThread, runId: string): Promise<SlotAnswer> {
  const { ctx } = thread
  const pending = requestsInProgress.get(ctx)
  if (pending?.runId === runId) return pending.answer
  const slotRequest = { runId, answer: requestSlot(thread, runId) }
  requestsInProgress.set(ctx, slotRequest)
  try {
    return await slotRequest.answer
  } finally {
    if (requestsInProgress.get(ctx) === slotRequest) requestsInProgress.delete(ctx)
  }
}

type QueueingThread = Parts<'ctx' | 'row' | 'runs', 'now' | 'workspace' | 'models' | 'starter'>

async function requestSlot(thread: QueueingThread, runId: string): Promise<SlotAnswer> {
  const { ctx, row, runs, ports } = thread
  const run = runs.get(runId)
  if (!run) return { retryMs: null }
  const { id, workspace } = row.data
  const { key, budget } = run.options
  const isPromised = ports.starter(workspace, key) !== null
  const request = async (): Promise<Result<number | Lease | null>> => {
    await releasesInProgress.get(ctx)
    const until = ports.now() + budget.wall_s * 1000 + RUN_LEASE_MARGIN_MS
    const wish = run.status === 'queued' ? firstWish({ thread, ports }, null, budget, null) : undefined
    return ports.workspace(workspace).resume({ thread: id, run: runId, key, queued: false, until }, wish)
  }
  try {
    const answer = await withTimeout(SLOT_TIMEOUT_MS, request())
    if (answer?.ok)
      return typeof answer.value === 'number'
        ? { retryMs: answer.value }
        : { retryMs: null, lease: answer.value }
    if (answer?.error.code === 'quota_exceeded') {
      const waitMs = (answer.error.retryAfterS ?? 0) * 1000
      return waitMs < CAP_RECHECK_MS || isPromised
        ? { retryMs: Math.min(waitMs, CAP_RECHECK_MS) }
        : { retryMs: null, reached: answer.error.detail }
    }
    warn(answer ? answer.error.detail : `no response within ${SLOT_TIMEOUT_MS} ms`)
  } catch (error) {
    warn(error)
  }
  return { retryMs: isPromised && run.status === 'queued' ? REPORT_RETRY_PAUSE_MS : null }
}

/**
 * Reports that an accepted run is now running, because it left the queue, or because a crash may have lost
 * the earlier report.
 */
export function reportRunning(
  { ctx, row, runs, ports }: Parts<'ctx' | 'row' | 'runs', 'now' | 'workspace' | 'starter'>,
  runId: string,
): void {
  const run = runs.get(runId)
  if (!run) return
  const { id, workspace } = row.data
  const { key, budget } = run.options
  new RunSlot(ctx, ports, workspace, { thread: id, run: runId, key }, budget.wall_s).confirm(false)
}
