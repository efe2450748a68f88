// A run's place among those that its key may have at once, as the workspace counts them. The workspace is asked beside the
// catalog and never waited for longer: where it is away or slow, the run goes on and is reported later.

import { redact } from '../../lib/redact.ts'
import { ok, type Result } from '../../lib/result.ts'
import { within } from '../../lib/within.ts'
import { SLOT_WAIT_MS, QUEUED_LEASE_MS, RUN_LEASE_MARGIN_MS } from './limits.ts'
import type { OpenRun } from '../../workspace/api.ts'
import type { ThreadPorts, Parts } from '../parts.ts'

function warn(error: unknown): void {
  console.warn(JSON.stringify({ at: 'thread.place', error: redact(String(error)) }))
}

/** The place of one run. */
export class RunSlot {
  readonly #ctx: DurableObjectState
  readonly #out: Pick<ThreadPorts, 'now' | 'workspace'>
  readonly #workspace: string
  readonly #run: Pick<OpenRun, 'thread' | 'run' | 'key' | 'begins'>
  readonly #wallS: number
  /** As it was asked for; null: it was not. */
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

  /** Never throws. Failures `too_many_runs`, `storage_full`. `queued`: the thread is busy, so the run is going to wait. */
  async ask(queued: boolean): Promise<Result<null>> {
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

  /** The run was accepted: reported anew only where it came otherwise than it was asked for. */
  taken(queued: boolean): void {
    if (this.#queued === queued) return
    const left = leaving.get(this.#ctx) ?? Promise.resolve()
    this.#ctx.waitUntil(left.then(() => this.#admit(queued, true)).catch(warn))
  }

  /** The run does not come to be. */
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

/** What is on its way to the workspace for a thread: one that comes back to its place must not be overtaken by its leaving. */
const leaving = new WeakMap<DurableObjectState, Promise<unknown>>()

/** The run waits for others: it is none of those that its key has going. */
export function releaseSlot({ ctx, row, out }: Parts<'ctx' | 'row', 'workspace'>, runId: string): void {
  const { id, workspace } = row.data
  const left = (async () => out.workspace(workspace).leave(id, runId))().catch(warn)
  leaving.set(ctx, left)
  ctx.waitUntil(left)
}

/** The question that is on its way for a thread: whoever asks the same meanwhile gets its answer. */
const asking = new WeakMap<
  DurableObjectState,
  { readonly runId: string; readonly answer: Promise<number | null> }
>()

/**
 * Asks for the place of a run that was accepted before and waited, for a person or in the thread's queue. Null: it has one,
 * or the workspace cannot say; else after how long to ask again (ms). Never throws.
 */
export async function takeSlot(
  thread: Parts<'ctx' | 'row' | 'runs', 'now' | 'workspace'>,
  runId: string,
): Promise<number | null> {
  const { ctx } = thread
  const going = asking.get(ctx)
  if (going?.runId === runId) return going.answer
  const mine = { runId, answer: placeOf(thread, runId) }
  asking.set(ctx, mine)
  try {
    return await mine.answer
  } finally {
    if (asking.get(ctx) === mine) asking.delete(ctx)
  }
}

async function placeOf(
  { ctx, row, runs, out }: Parts<'ctx' | 'row' | 'runs', 'now' | 'workspace'>,
  runId: string,
): Promise<number | null> {
  const run = runs.get(runId)
  if (!run) return null
  const { id, workspace } = row.data
  const { key, budget } = run.options
  const ask = async (): Promise<Result<number | null>> => {
    await leaving.get(ctx)
    const until = out.now() + budget.wall_s * 1000 + RUN_LEASE_MARGIN_MS
    return out.workspace(workspace).resume({ thread: id, run: runId, key, queued: false, until })
  }
  try {
    const answer = await within(SLOT_WAIT_MS, ask())
    if (answer?.ok) return answer.value
    warn(answer ? answer.error.detail : `no answer within ${SLOT_WAIT_MS} ms`)
  } catch (error) {
    warn(error)
  }
  return null
}

/** A run that was accepted before runs now: it leaves the line, or is reported again after a crash that may have lost it. */
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
