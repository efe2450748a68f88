// A run's place among those that its key may have at once, as the workspace counts them. The workspace is asked beside the
// catalog and never waited for longer: where it is away or slow, the run goes on and is told of.

import type { Caller } from '../../lib/caller.ts'
import { redact } from '../../lib/redact.ts'
import { ok, type Result } from '../../lib/result.ts'
import { PLACE_WAIT_MS, QUEUED_LEASE_MS, RUN_LEASE_MARGIN_MS } from '../../limits.ts'
import type { OpenRun } from '../../workspace/api.ts'
import type { StartInput } from '../api.ts'
import type { Core, Outside } from '../core.ts'

function openRun(
  out: Outside,
  run: { readonly thread: string; readonly run: string; readonly key: string },
  wallS: number,
  queued: boolean,
): OpenRun {
  const leaseMs = queued ? QUEUED_LEASE_MS : wallS * 1000 + RUN_LEASE_MARGIN_MS
  return { ...run, queued, until: out.now() + leaseMs }
}

function warn(error: unknown): void {
  console.warn(JSON.stringify({ at: 'thread.place', error: redact(String(error)) }))
}

/** The place of one message that is being accepted. */
export class Place {
  readonly #ctx: DurableObjectState
  readonly #out: Outside
  readonly #caller: Caller
  readonly #input: StartInput
  readonly #runId: string
  /** As it was asked for; null: it was not. */
  #queued: boolean | null = null

  constructor(ctx: DurableObjectState, out: Outside, caller: Caller, input: StartInput, runId: string) {
    this.#ctx = ctx
    this.#out = out
    this.#caller = caller
    this.#input = input
    this.#runId = runId
  }

  /** Never throws. Failure `too_many_runs`. `queued`: the thread is busy, so the run is going to wait. */
  async ask(queued: boolean): Promise<Result<null>> {
    this.#queued = queued
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${PLACE_WAIT_MS} ms`)), PLACE_WAIT_MS)
    })
    try {
      return await Promise.race([this.#tell(queued, false), late])
    } catch (error) {
      warn(error)
      return ok(null)
    } finally {
      clearTimeout(timer)
    }
  }

  /** The run was accepted: told anew only where it came otherwise than it was asked for. */
  taken(queued: boolean): void {
    if (this.#queued !== queued) this.#ctx.waitUntil(this.#tell(queued, true).catch(warn))
  }

  /** The run does not come to be. */
  giveBack(): void {
    if (this.#queued !== null) this.#ctx.waitUntil(this.#leave().catch(warn))
  }

  async #leave(): Promise<void> {
    await this.#out.workspace(this.#caller.workspace).leave(this.#input.threadId, this.#runId)
  }

  async #tell(queued: boolean, accepted: boolean): Promise<Result<null>> {
    const { threadId, budget } = this.#input
    const id = { thread: threadId, run: this.#runId, key: this.#caller.keyId }
    const run = openRun(this.#out, id, budget.wall_s, queued)
    return this.#out.workspace(this.#caller.workspace).admit(run, accepted)
  }
}

/** A run that was accepted before runs now: it leaves the line, or is told again after a crash that may have lost it. */
export function holdPlace(core: Core, runId: string): void {
  const run = core.runs.get(runId)
  if (!run) return
  const { id, workspace } = core.row.data
  const { key, budget } = run.options
  const tell = async (): Promise<void> => {
    const open = openRun(core.out, { thread: id, run: runId, key }, budget.wall_s, false)
    await core.out.workspace(workspace).admit(open, true)
  }
  core.ctx.waitUntil(tell().catch(warn))
}
