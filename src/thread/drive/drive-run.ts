// One drive of one run: its fence, its deadline, what its tools are made from, and how it tells readers where it is.

import type { Result } from '../../lib/result.ts'
import { ASK_AHEAD_MS } from '../../limits.ts'
import type { Core } from '../core.ts'
import type { Run } from '../rows/run.ts'
import type { LiveCatalog, SkillIndex } from '../../skills/skill.ts'
import type { ToolContext } from '../../tools/builtin.ts'

/** What a run is pinned to: its catalog, and what its tools are made from. */
export interface Pinned {
  readonly index: SkillIndex
  readonly context: ToolContext
}

export class DriveRun {
  readonly #core: Core
  readonly #runId: string
  readonly #epoch: number
  readonly signal: AbortSignal
  #pinned: Promise<Pinned> | null = null
  #announced = 0
  /** What is live, as it was told for the calls of the step that is going on. */
  #live: Promise<Result<LiveCatalog>> | null = null
  /** The run waits for its alarm: the drive ends without ending the run. */
  asleep = false

  constructor(core: Core, runId: string, epoch: number, signal: AbortSignal) {
    this.#core = core
    this.#runId = runId
    this.#epoch = epoch
    this.signal = signal
  }

  /** False once another drive took over, the run ended or the thread was deleted: nothing more may be written. */
  holds(): boolean {
    if (this.#core.gone) return false
    try {
      return this.#core.runs.holds(this.#runId, this.#epoch)
    } catch {
      return false // the tables are gone with the thread
    }
  }

  /**
   * Looked at right before anything is done to the world: this drive holds the run, nobody stopped it, and its time is
   * not up, by the clock, for a timer fires only when nothing else is under way.
   */
  goesOn(): boolean {
    if (this.signal.aborted || !this.holds()) return false
    const run = this.#core.runs.get(this.#runId)
    if (!run || run.cancel !== null) return false
    return this.#core.out.now() < (run.startedAt ?? 0) + run.options.budget.wall_s * 1000
  }

  /** Tells readers that a step begins, or begins again because of `why`. Once for each time it does. */
  announce(step: number, why: 'model_fault' | 'crash'): void {
    if (this.#announced === step) return
    this.#announced = step
    if (this.#core.log.lastStep(this.#runId) === step)
      this.#core.log.append(this.#runId, { type: 'step.restarted', step, reason: why })
    else this.#core.log.append(this.#runId, { type: 'step.started', step })
  }

  /** The step's calls are answered: the next ones ask anew what is live. */
  answered(): void {
    this.#announced = 0
    this.#live = null
  }

  /** The step has its answer: what is announced next is another. */
  spoken(): void {
    this.#announced = 0
  }

  /** The catalog of this run. Rejects when that catalog cannot be read. */
  pinned(run: Run): Promise<Pinned> {
    this.#pinned ??= this.#loadPinned(run)
    return this.#pinned
  }

  async #loadPinned(run: Run): Promise<Pinned> {
    const { out, row, loads } = this.#core
    const { workspace, allow } = row.data
    const index = await out.index(workspace, run.catalogIndex)
    if (!index.ok) throw new Error(index.error.detail)
    const ask = (): Promise<Result<LiveCatalog>> => this.#live ?? out.liveCatalog(workspace, run.build)
    const invoked = loads
      .of(run.id)
      .filter(({ via }) => via === 'slash' || via === 'request')
      .map(({ name }) => name)
    const skills = out.skills(workspace, index.value, run.catalogVersion, { allow, invoked }, ask, () =>
      loads.held(),
    )
    return { index: index.value, context: { skills } }
  }

  /**
   * Asks once, for all calls that a step is about to make, what is live. Asked before the step's answer is written, so
   * that answer, calls and results go to disk together; an object that is slow to tell holds up nothing.
   */
  async askAhead(run: Run): Promise<void> {
    const { out, row } = this.#core
    const asked = out.liveCatalog(row.data.workspace, run.build)
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), ASK_AHEAD_MS)
    })
    const told = await Promise.race([asked, late]).catch(() => null)
    clearTimeout(timer)
    // A failure is no answer: then the tools ask.
    this.#live = told?.ok ? asked : null
  }

  /** Waits here, or leaves it to the alarm so that the object may sleep. */
  async waitUntil(at: number, here: boolean): Promise<void> {
    this.#announced = 0
    if (!here) {
      this.asleep = true
      await this.#core.alarm.by(at)
      await this.#core.log.sync()
      return
    }
    await this.#core.log.sync()
    await new Promise<void>((resolve) => {
      // A signal that was aborted while the disk was waited for tells nobody any more.
      if (this.signal.aborted) return resolve()
      const timer = setTimeout(resolve, Math.max(0, at - this.#core.out.now()))
      this.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}
