// A run's slot among those that its key may use at once, counted by the workspace. The request goes out beside the
// catalog's and has a time limit: if the workspace is away or slow, the run continues and is reported later.

import { redact } from '../../lib/redact.ts'
import { ok, type Result } from '../../lib/result.ts'
import { within } from '../../lib/within.ts'
import { SLOT_WAIT_MS, QUEUED_LEASE_MS, RUN_LEASE_MARGIN_MS } from './limits.ts'
import type { OpenRun } from '../../workspace/api.ts'
import type { ThreadPorts, Parts } from '../parts.ts'

function warn(error: unknown): void {
  console.warn(JSON.stringify({ at: 'thread.place', error: redact(String(error)) }))
}

/** The slot of one run. */
export class RunSlot {
  readonly #ctx: DurableObjectState
  readonly #out: Pick<ThreadPorts, 'now' | 'workspace'>
  readonly #workspace: string
  readonly #run: Pick<OpenRun, 'thread' | 'run' | 'key' | 'begins'>
  readonly #wallS: number
  /** As requested; null if no slot was requested. */
  #queued: boolean | null = null

  constructor(
    ctx: DurableObjectState,
    out: Pick<ThreadPorts, 'now' | 'workspace'>,
    workspace: string,
    run: Pick<OpenRun, 'thread' | 'run' | 'key' | 'begins'>,
    wallS: number,
  ) {
    this.#ctx = ctx
    this.#out = out
    this.#workspace = workspace
    this.#run = run
    this.#wallS = wallS
  }

  /** Never throws. Failures: `too_many_runs`, `storage_full`. `queued`: the thread is busy, so the run will wait. */
  async request(queued: boolean): Promise<Result<null>> {
    this.#queued = queued
    try {
      const answer = await within(SLOT_WAIT_MS, this.#admit(queued, false))
      if (answer) return answer
      warn(`no answer within ${SLOT_WAIT_MS} ms`)
    } catch (error) {
      warn(error)
    }
    return ok(null)
  }

  /** The run was accepted. Reports it again only if its state differs from the request. */
  taken(queued: boolean): void {
    if (this.#queued === queued) return
    const left = leaving.get(this.#ctx) ?? Promise.resolve()
    this.#ctx.waitUntil(left.then(() => this.#admit(queued, true)).catch(warn))
  }

  /** The run was not created. */
  giveBack(): void {
    if (this.#queued !== null) this.#ctx.waitUntil(this.#leave().catch(warn))
  }

  async #leave(): Promise<void> {
    await this.#out.workspace(this.#workspace).leave(this.#run.thread, this.#run.run)
  }

  async #admit(queued: boolean, accepted: boolean): Promise<Result<null>> {
    const leaseMs = queued ? QUEUED_LEASE_MS : this.#wallS * 1000 + RUN_LEASE_MARGIN_MS
    const run = { ...this.#run, queued, until: this.#out.now() + leaseMs }
    return this.#out.workspace(this.#workspace).admit(run, accepted)
  }
}

/** Releases in progress, by thread: a run that takes its slot again must not be overtaken by its own release. */
const leaving = new WeakMap<DurableObjectState, Promise<unknown>>()

/** The run waits for others, so it does not count among its key's active runs. */
export function releaseSlot({ ctx, row, out }: Parts<'ctx' | 'row', 'workspace'>, runId: string): void {
  const { id, workspace } = row.data
  const left = (async () => out.workspace(workspace).leave(id, runId))().catch(warn)
  leaving.set(ctx, left)
  ctx.waitUntil(left)
}

/** The slot request in progress for a thread; a concurrent request for the same run shares its answer. */
const asking = new WeakMap<
  DurableObjectState,
  { readonly runId: string; readonly answer: Promise<number | null> }
>()

/**
 * Requests the slot of an accepted run that waited, for a person or in the thread's queue. Null: it has one, or the
 * workspace gives no answer; else the time until the next try (ms). Never throws.
 */
export async function takeSlot(
  thread: Parts<'ctx' | 'row' | 'runs', 'now' | 'workspace'>,
  runId: string,
): Promise<number | null> {
  const { ctx } = thread
  const hasDeletedRows = asking.get(ctx)
  if (hasDeletedRows?.runId === runId) return hasDeletedRows.answer
  const mine = { runId, answer: requestSlot(thread, runId) }
  asking.set(ctx, mine)
  try {
    return await mine.answer
  } finally {
    if (asking.get(ctx) === mine) asking.delete(ctx)
  }
}

async function requestSlot(
  { ctx, row, runs, out }: Parts<'ctx' | 'row' | 'runs', 'now' | 'workspace'>,
  runId: string,
): Promise<number | null> {
  const run = runs.get(runId)
  if (!run) return null
  const { id, workspace } = row.data
  const { key, budget } = run.options
  const request = async (): Promise<Result<number | null>> => {
    await leaving.get(ctx)
    const until = out.now() + budget.wall_s * 1000 + RUN_LEASE_MARGIN_MS
    return out.workspace(workspace).resume({ thread: id, run: runId, key, queued: false, until })
  }
  try {
    const answer = await within(SLOT_WAIT_MS, request())
    if (answer?.ok) return answer.value
    warn(answer ? answer.error.detail : `no answer within ${SLOT_WAIT_MS} ms`)
  } catch (error) {
    warn(error)
  }
  return null
}

/**
 * An accepted run is now running: it leaves the queue, or is reported again after a crash that may have lost the
 * report.
 */
export function holdSlot(
  { ctx, row, runs, out }: Parts<'ctx' | 'row' | 'runs', 'now' | 'workspace'>,
  runId: string,
): void {
  const run = runs.get(runId)
  if (!run) return
  const { id, workspace } = row.data
  const { key, budget } = run.options
  new RunSlot(ctx, out, workspace, { thread: id, run: runId, key }, budget.wall_s).taken(false)
}
