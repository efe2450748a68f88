// A run's slot. The workspace counts how many slots each key uses at the same time. The request for a slot is
// sent in parallel with the catalog request and has a timeout: if the workspace is unavailable or slow,
// the run continues and is reported later.

import { logText } from '../../lib/redact.ts'
import { ok, type Result } from '../../lib/result.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import { SLOT_TIMEOUT_MS, QUEUED_LEASE_MS, RUN_LEASE_MARGIN_MS } from './limits.ts'
import type { OpenRun } from '../../workspace/api.ts'
import type { Lease } from '../../workspace/cap-api.ts'
import type { ThreadPorts, Parts } from '../parts.ts'

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
   * Requests the slot. Fails with `too_many_runs` or `storage_full`; never throws. `queued` is true if the
   * thread is busy, so the run will wait.
   */
  async request(queued: boolean): Promise<Result<null>> {
    this.#queued = queued
    try {
      const answer = await withTimeout(SLOT_TIMEOUT_MS, this.#admit(queued, false))
      if (answer) return answer.ok ? ok(null) : answer
      warn(`no response within ${SLOT_TIMEOUT_MS} ms`)
    } catch (error) {
      warn(error)
    }
    return ok(null)
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

  async #admit(queued: boolean, accepted: boolean): Promise<Result<Lease | null>> {
    const leaseMs = queued ? QUEUED_LEASE_MS : this.#wallS * 1000 + RUN_LEASE_MARGIN_MS
    const run = { ...this.#run, queued, until: this.#ports.now() + leaseMs }
    return this.#ports.workspace(this.#workspace).admit(run, accepted)
  }
}

/**
 * Releases in progress, by thread. A run that requests its slot again first waits until its release is
 * finished.
 */
const releasesInProgress = new WeakMap<DurableObjectState, Promise<unknown>>()

/**
 * Releases the slot of a run that is waiting for a person or another system, so that the run does not count as one of
 * its key's active runs.
 */
export function releaseSlot({ ctx, row, ports }: Parts<'ctx' | 'row', 'workspace'>, runId: string): void {
  const { id, workspace } = row.data
  const released = (async () => ports.workspace(workspace).leave(id, runId))().catch(warn)
  releasesInProgress.set(ctx, released)
  ctx.waitUntil(released)
}

/** The slot request in progress for each thread. Concurrent requests for the same run share its result. */
const requestsInProgress = new WeakMap<
  DurableObjectState,
  { readonly runId: string; readonly answer: Promise<number | null> }
>()

/**
 * Requests the slot of an accepted run that waited for a person or in the thread's queue. Returns null if the
 * run may continue, because it has a slot or the workspace did not respond; otherwise the time until the next
 * attempt in milliseconds. Never throws.
 */
export async function requestSlotOnce(
  thread: Parts<'ctx' | 'row' | 'runs', 'now' | 'workspace'>,
  runId: string,
): Promise<number | null> {
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

async function requestSlot(
  { ctx, row, runs, ports }: Parts<'ctx' | 'row' | 'runs', 'now' | 'workspace'>,
  runId: string,
): Promise<number | null> {
  const run = runs.get(runId)
  if (!run) return null
  const { id, workspace } = row.data
  const { key, budget } = run.options
  const request = async (): Promise<Result<number | Lease | null>> => {
    await releasesInProgress.get(ctx)
    const until = ports.now() + budget.wall_s * 1000 + RUN_LEASE_MARGIN_MS
    return ports.workspace(workspace).resume({ thread: id, run: runId, key, queued: false, until })
  }
  try {
    const answer = await withTimeout(SLOT_TIMEOUT_MS, request())
    if (answer?.ok) return typeof answer.value === 'number' ? answer.value : null
    warn(answer ? answer.error.detail : `no response within ${SLOT_TIMEOUT_MS} ms`)
  } catch (error) {
    warn(error)
  }
  return null
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
