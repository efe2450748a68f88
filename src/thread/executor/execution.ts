// One execution of a run: its fence, its deadline, what its tools are made from, and how its readers hear where it is. A run that is gone on
// with, by its alarm or after a crash, gets another.

import { fileAccess } from '../../files/tree-access.ts'
import { ok, type Result } from '../../lib/result.ts'
import { within } from '../../lib/within.ts'
import { ASK_AHEAD_MS } from './limits.ts'
import type { Parts } from '../parts.ts'
import { roomOwner, takeRoom } from './file-room.ts'
import type { ImageCache } from './images.ts'
import { paidSearch } from './paid-search.ts'
import { RunSecrets } from './run-secrets.ts'
import { wallEnd, type Run } from '../rows/run.ts'
import type { LiveCatalog, SkillIndex } from '../../skills/skill.ts'
import type { RunTools } from '../../tools/record/source.ts'

type Thread = Parts<
  'ctx' | 'row' | 'runs' | 'loads' | 'log' | 'alarm' | 'files' | 'gone',
  | 'now'
  | 'index'
  | 'liveCatalog'
  | 'toolNet'
  | 'secretsInUrl'
  | 'tools'
  | 'skills'
  | 'store'
  | 'quotas'
  | 'newId'
  | 'documents'
  | 'sandbox'
  | 'net'
  | 'workspace'
  | 'sealer'
  | 'search'
>

/** What a run is pinned to: its catalog, and what its tools are made from. */
export interface Pinned {
  readonly index: SkillIndex
  readonly tools: RunTools
}

export class Execution {
  readonly #thread: Thread
  readonly #runId: string
  readonly #epoch: number
  readonly signal: AbortSignal
  #pinned: Promise<Pinned> | null = null
  /** The step that its readers know of as going on. */
  #step = 0
  /** What is live, as it was asked for the calls of the step that is going on. */
  #live: Promise<Result<LiveCatalog>> | null = null
  readonly secrets: RunSecrets
  /** Images among the files that its requests hold. */
  readonly images: ImageCache = new Map()
  /** The run waits for its alarm: the execution ends without ending the run. */
  asleep = false

  constructor(thread: Thread, runId: string, epoch: number, signal: AbortSignal) {
    this.#thread = thread
    this.#runId = runId
    this.#epoch = epoch
    this.signal = signal
    this.secrets = new RunSecrets(thread, runId)
  }

  /** False once another took over, the run ended or the thread was deleted: nothing more may be written. */
  holds(): boolean {
    if (this.#thread.gone) return false
    try {
      return this.#thread.runs.holds(this.#runId, this.#epoch)
    } catch {
      return false // the tables are gone with the thread
    }
  }

  /**
   * Looked at right before anything is done to the world: this one holds the run, nobody stopped it, and its time is
   * not up, by the clock, for a timer fires only when nothing else is under way.
   */
  goesOn(): boolean {
    if (this.signal.aborted || !this.holds()) return false
    const run = this.#thread.runs.get(this.#runId)
    if (!run || run.cancel !== null) return false
    return this.#thread.out.now() < wallEnd(run)
  }

  /** Its readers hear that a step begins, or begins again because of `why`. Once for each time it does. */
  beginStep(step: number, why: 'model_fault' | 'crash'): void {
    if (this.#step === step) return
    this.#step = step
    const { log } = this.#thread
    if (log.lastStep(this.#runId) === step)
      log.append(this.#runId, { type: 'step.restarted', step, reason: why })
    else log.append(this.#runId, { type: 'step.started', step })
  }

  /** The step's calls were made: the next ones ask anew what is live. */
  stepOver(): void {
    this.#live = null
  }

  /** The catalog of this run. Rejects when that catalog cannot be read. */
  pinned(run: Run): Promise<Pinned> {
    this.#pinned ??= this.#loadPinned(run)
    return this.#pinned
  }

  async #loadPinned(run: Run): Promise<Pinned> {
    const { out, row, loads } = this.#thread
    const { workspace, allow } = row.data
    const index = await out.index(workspace, run.catalogIndex)
    if (!index.ok) throw new Error(index.error.detail)
    const ask = (): Promise<Result<LiveCatalog>> => this.#live ?? out.liveCatalog(workspace, run.build)
    const invoked = loads.called(run.id).map(({ name }) => name)
    const skills = out.skills(workspace, index.value, run.catalogVersion, { allow, invoked }, ask, () =>
      loads.held(),
    )
    const files = fileAccess(this.#thread.files, {
      store: out.store,
      now: out.now,
      newToken: () => out.newId('obj'),
      quotas: () => out.quotas(workspace),
      takeRoom: (kept, stored) => takeRoom(roomOwner(this.#thread), kept, stored, true),
    })
    const sandbox = out.sandbox(workspace, row.data.id)
    const attended = !run.ask.fenced
    const live: RunTools['live'] = async () => {
      const now = await ask()
      if (!now.ok) return now
      const same = now.value.index === run.catalogIndex
      const there = same ? index : await out.index(workspace, now.value.index)
      return there.ok ? ok(there.value.tools ?? []) : there
    }
    const net = this.secrets.masking(out.net(workspace))
    const search = paidSearch(this.#thread, run.id, () => this.holds(), out.search(workspace))
    const context = { skills, files, documents: out.documents, sandbox, net, search, attended, now: out.now }
    const fetch: RunTools['fetch'] = (...of) => out.toolNet(workspace)(...of)
    const ways = { fetch, secrets: this.secrets, secretsInUrl: out.secretsInUrl }
    return { index: index.value, tools: { builtins: out.tools(), context, live, ...ways } }
  }

  /**
   * Asks once, for all calls that a step is about to make, what is live. Asked before the step's answer is written, so
   * that answer, calls and results go to disk together; an object that is slow to answer holds up nothing.
   */
  async askAhead(run: Run): Promise<void> {
    const { out, row } = this.#thread
    const asked = out.liveCatalog(row.data.workspace, run.build)
    const answer = await within(ASK_AHEAD_MS, asked).catch(() => null)
    // A failure is no answer: then the tools ask.
    this.#live = answer?.ok ? asked : null
  }

  /** Waits here, or leaves it to the alarm so that the object may sleep. */
  async waitUntil(at: number, here: boolean): Promise<void> {
    this.#step = 0
    if (!here) {
      this.asleep = true
      await this.#thread.alarm.by(at)
      await this.#thread.log.sync()
      return
    }
    await this.#thread.log.sync()
    await new Promise<void>((resolve) => {
      // A signal that was aborted while the disk was waited for calls nobody any more.
      if (this.signal.aborted) return resolve()
      const timer = setTimeout(resolve, Math.max(0, at - this.#thread.out.now()))
      this.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}
