// A run's slot. The workspace counts how many slots each key uses at the same time. The request for a slot is
// sent in parallel with the catalog request and has a timeout: if the workspace is unavailable or slow,
// the run continues and is reported later.

import { logText } from '../../lib/redact.ts'
import { ok, type Result } from '../../lib/result.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
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

/** The slot of one run. */
export class RunSlot {
  readonly #ctx: DurableObjectState
  readonly #ports: Pick<ThreadPorts, 'now' | 'workspace'>
  readonly #workspace: string
  readonly #run: Pick<OpenRun, 'thread' | 'run' | 'key' | 'begins'>
  readonly #wallS: number
  /** The `queued` value of the request; null if no slot was requested. */
  #queued: boolean | null = null

  constructor(
    ctx: DurableObjectState,
    ports: Pick<ThreadPorts, 'now' | 'workspace'>,
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
   * Requests the slot and a lease. Fails with `too_many_runs`, `storage_full` or `quota_exceeded`; never throws. The lease is null
   * if there are no caps, and undefined if the workspace did not answer. `queued` is true if the thread is busy, so the run
   * will wait.
   */
  async request(queued: boolean, wish: LeaseWish): Promise<Result<Lease | null | undefined>> {
    this.#queued = queued
    try {
      const answer = await withTimeout(SLOT_TIMEOUT_MS, this.#admit(queued, false, wish))
      if (answer) return answer
      warn(`no response within ${SLOT_TIMEOUT_MS} ms`)
    } catch (error) {
      warn(error)
    }
    return ok(undefined)
  }

  /** Called once the run is accepted. Reports the run again only if its state differs from the request. */
  confirm(queued: boolean): void {
    if (this.#queued === queued) return
    const earlierRelease = releasesInProgress.get(this.#ctx) ?? Promise.resolve()
    this.#ctx.waitUntil(earlierRelease.then(() => this.#admit(queued, true)).catch(warn))
  }

  /** Called if the run was not created. */
  release(): void {
    if (this.#queued !== null) this.#ctx.waitUntil(this.#leave().catch(warn))
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
  /** The first lease of a queued run: null if there are no caps, undefined if there was no answer or it is another run. */
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
 * or if the workspace did not respond. At a cap, runs of hooks and schedules wait, because they were promised; others end.
 * Never throws.
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
      return waitMs < CAP_RECHECK_MS || ports.starter(workspace, key) !== null
        ? { retryMs: Math.min(waitMs, CAP_RECHECK_MS) }
        : { retryMs: null, reached: answer.error.detail }
    }
    warn(answer ? answer.error.detail : `no response within ${SLOT_TIMEOUT_MS} ms`)
  } catch (error) {
    warn(error)
  }
  return { retryMs: null }
}

/**
 * Reports that an accepted run is now running, because it left the queue, or because a crash may have lost
 * the earlier report.
 */
export function reportRunning(
  { ctx, row, runs, ports }: Parts<'ctx' | 'row' | 'runs', 'now' | 'workspace'>,
  runId: string,
): void {
  const run = runs.get(runId)
  if (!run) return
  const { id, workspace } = row.data
  const { key, budget } = run.options
  new RunSlot(ctx, ports, workspace, { thread: id, run: runId, key }, budget.wall_s).confirm(false)
}
