// Reads and changes the rows of runs. No other file writes these columns, so open runs, and the run that
// ended last, are cached in memory.

import { deleteRunSecrets } from './run-secrets.ts'
import type { Charged, Problem, Rating, RunStopReason } from '../../agent/events.ts'
import { addUsage, type Usage } from '../../agent/message.ts'
import type { NoticeKind } from '../../agent/notices.ts'
import {
  endWait,
  insertRun,
  isOpen,
  runOf,
  OPEN_STATUSES_SQL,
  SELECT_RUNS,
  NEW_RUN_DEFAULTS,
  updateRun,
  type CompactionState,
  type RunChange,
  type ReservedCost,
  type Run,
  type RunRow,
} from './run.ts'

export type NewRun = Omit<Run, 'ord' | keyof typeof NEW_RUN_DEFAULTS> & { readonly jumpsQueue?: boolean }

export class Runs {
  readonly #sql: SqlStorage
  /** Changes made in a block, written at its end. A run that the block inserted is written as a new row. */
  readonly #deferred = new Map<string, RunChange>()
  readonly #inserted = new Set<string>()
  #isDeferring = false
  /** Open runs by ID, in order; null until they are read. */
  #cachedOpenRuns: Map<string, Run> | null = null
  #lastEnded: Run | null = null

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** Drops the cache, which may be wrong; the next access reads the rows. */
  dropCache(): void {
    this.#cachedOpenRuns = null
    this.#lastEnded = null
    this.#deferred.clear()
    this.#inserted.clear()
  }

  /** Sets whether changes wait for write(). */
  deferWrites(isDeferring: boolean): void {
    this.#isDeferring = isDeferring
  }

  write(): void {
    for (const [id, change] of this.#deferred) {
      const run = this.#inserted.has(id) ? this.get(id) : null
      if (run) insertRun(this.#sql, run)
      else updateRun(this.#sql, id, change)
    }
    this.#deferred.clear()
    this.#inserted.clear()
  }

  #openRuns(): Map<string, Run> {
    this.#cachedOpenRuns ??= new Map(
      this.#sql
        .exec<RunRow>(`${SELECT_RUNS} WHERE recorded <> 1 AND status IN ${OPEN_STATUSES_SQL} ORDER BY ord`)
        .toArray()
        .map((row) => [row.id, runOf(row)]),
    )
    return this.#cachedOpenRuns
  }

  #read(id: string): Run | null {
    const row = this.#sql.exec<RunRow>(`${SELECT_RUNS} WHERE id = ?`, id).toArray()[0]
    return row ? runOf(row) : null
  }

  #change(id: string, change: RunChange): void {
    const run = this.get(id)
    if (!run) return
    this.#deferred.set(id, { ...this.#deferred.get(id), ...change })
    const changed = { ...run, ...change }
    if (isOpen(changed)) this.#openRuns().set(id, changed)
    else {
      this.#openRuns().delete(id)
      this.#lastEnded = changed
    }
    if (this.#isDeferring) return
    try {
      this.write()
    } catch (error) {
      this.dropCache()
      throw error
    }
  }

  get(id: string): Run | null {
    return this.#openRuns().get(id) ?? (this.#lastEnded?.id === id ? this.#lastEnded : this.#read(id))
  }

  #openRunsWith(status: 'running' | 'waiting' | 'queued'): readonly Run[] {
    return [...this.#openRuns().values()].filter((run) => run.status === status)
  }

  /** The run in progress, or the one that waits for a person or another system. */
  current(): Run | null {
    return this.#openRunsWith('running')[0] ?? this.#openRunsWith('waiting')[0] ?? null
  }

  nextQueued(): Run | null {
    const queued = this.#openRunsWith('queued')
    return queued.find(({ jumpsQueue }) => jumpsQueue) ?? queued[0] ?? null
  }

  countQueued(): number {
    return this.#openRunsWith('queued').length
  }

  /** Whether no run was ever accepted. */
  get isEmpty(): boolean {
    return !this.isBusy && this.#sql.exec('SELECT 1 FROM runs LIMIT 1').toArray().length === 0
  }

  /** Whether a run is in progress, waiting for a person or another system, or queued. */
  get isBusy(): boolean {
    return this.#openRuns().size > 0
  }

  insert(run: NewRun): void {
    const { ord } = this.#sql.exec<{ ord: number }>('SELECT coalesce(max(ord), 0) + 1 AS ord FROM runs').one()
    this.#openRuns().set(run.id, { ...NEW_RUN_DEFAULTS, ...run, ord })
    this.#inserted.add(run.id)
    this.#change(run.id, {})
  }

  /** Starts a run, and pins it to the catalog that is live now. */
  start(id: string, started: Pick<Run, 'model' | 'catalogVersion' | 'catalogIndex'>, at: number): void {
    this.#change(id, { ...started, status: 'running', startedAt: at, attempts: 0 })
  }

  /** Lets a new execution take over the run; earlier ones can write nothing more. Returns the new epoch. */
  takeOver(id: string): number {
    const epoch = (this.get(id)?.epoch ?? 0) + 1
    this.#change(id, { epoch, resumeAt: null })
    return epoch
  }

  holdsRun(id: string, epoch: number): boolean {
    const run = this.#openRuns().get(id)
    return run?.epoch === epoch && run.status === 'running'
  }

  /**
   * Counts an execution that died. A reservation is on disk only if its request was sent, because both happen
   * in one turn of the event loop. So a run with a reservation was waiting for the model; such crashes have a separate limit.
   */
  countRecovery(id: string): void {
    const run = this.get(id)
    if (!run) return
    if (run.openTokens > 0 && !run.answered) this.#change(id, { interruptedWaits: run.interruptedWaits + 1 })
    else this.#change(id, { recoveries: run.recoveries + 1 })
  }

  /** Reserves the cost of a model call. `cachedTokens` of its input tokens are certainly read from a cache. */
  reserve(id: string, { tokens, usd, inputTokens }: ReservedCost, cachedTokens: number, at: number): void {
    const modelCalls = (this.get(id)?.modelCalls ?? 0) + 1
    const amounts = { openTokens: tokens, openUsd: usd, openInput: inputTokens }
    const state = { openSince: at, openSeen: at, openPrompt: null, answered: false, resumeAt: null }
    this.#change(id, { modelCalls, ...amounts, openCached: Math.min(cachedTokens, inputTokens), ...state })
  }

  /** Records that the model call, if any, is in progress, and what the API reported about its prompt. */
  renewOpenCall(id: string, at: number, reported: Run['openPrompt'] = null): void {
    const change = { openSeen: at, ...(reported && { openPrompt: reported }) }
    if ((this.get(id)?.openTokens ?? 0) > 0) this.#change(id, change)
  }

  /** Records that the model call got its response, so the run no longer waits for the model. */
  markAnswered(id: string): void {
    this.#change(id, { answered: true })
  }

  /** Replaces the reservation with the price of the call. */
  settle(id: string, cost: Charged, usage: Usage): void {
    const run = this.get(id)
    if (!run) return
    this.#change(id, {
      usedTokens: run.usedTokens + cost.tokens,
      usedUsd: run.usedUsd + cost.usd,
      estimated: run.estimated || cost.estimated,
      openTokens: 0,
      openUsd: 0,
      usage: addUsage(run.usage, usage),
    })
  }

  /** Changes what is computed elsewhere: the amounts for searches (executor/paid-search.ts), the time of the first text. */
  change(id: string, changeOf: (run: Run) => RunChange): void {
    const run = this.get(id)
    if (run) this.#change(id, changeOf(run))
  }

  /** `isCut`: the output limit cut the response off. */
  countStep(id: string, isCut = false): void {
    const { steps, continuations } = this.get(id) ?? NEW_RUN_DEFAULTS
    this.#change(id, { steps: steps + 1, attempts: 0, continuations: isCut ? continuations : 0 })
  }

  /** Records that the model is asked to go on. */
  countNotice(id: string, why: NoticeKind): void {
    const cut = { continuations: (this.get(id)?.continuations ?? 0) + 1 }
    this.#change(id, { cut, empty: { emptyNoticed: true }, plan: { planReminded: true } }[why])
  }

  countFailedAttempt(id: string, resumeAt: number): void {
    this.#change(id, { attempts: (this.get(id)?.attempts ?? 0) + 1, resumeAt })
  }

  /** Suspends the run, so that no execution holds it. It resumes at `until` or earlier. */
  suspend(id: string, at: number, until: number): void {
    const waitingSince = this.get(id)?.waitingSince ?? at
    this.#change(id, { status: 'waiting', waitingSince, resumeAt: until })
  }

  /** Postpones the resumption, because the run's key has no free run slot although the awaited answer has arrived. */
  postpone(id: string, until: number): void {
    this.#change(id, { resumeAt: until })
  }

  /** Resumes the run after a wait, so that the next execution is not counted as a recovery. */
  resume(id: string, at: number): void {
    const run = this.get(id)
    if (run?.status === 'waiting') this.#change(id, { status: 'running', resumeAt: at, ...endWait(run, at) })
  }

  /** Records the next try of a summary, which may wait until `resumeAt`. */
  planCompaction(id: string, compaction: CompactionState, resumeAt: number | null = null): void {
    this.#change(id, { compaction, resumeAt })
  }

  endCompaction(id: string): void {
    this.#change(id, { compaction: null, attempts: 0 })
  }
  countToolCall(id: string): void {
    this.#change(id, { toolCalls: (this.get(id)?.toolCalls ?? 0) + 1 })
  }

  /** Records that the model asked the person a question: the run ends with this step. */
  markAwaitsInput(id: string): void {
    this.#change(id, { awaitsInput: true })
  }

  requestSummary(id: string): void {
    this.#change(id, { summingUp: true })
  }

  /** Ends the run in progress for run `by`. Earlier ones that were to interrupt it begin and end at once. */
  interrupt(by: string): void {
    for (const { id, status, jumpsQueue } of this.#openRuns().values())
      if (id !== by && (status !== 'queued' || jumpsQueue)) this.requestCancel(id, 'interrupted')
  }

  requestCancel(id: string, reason: 'cancelled' | 'interrupted'): void {
    const run = this.get(id)
    if (run && isOpen(run) && run.cancel === null) this.#change(id, { cancel: reason })
  }

  /** Ends the run. Does nothing if it has already ended. */
  end(
    id: string,
    status: 'completed' | 'failed' | 'cancelled',
    stop: RunStopReason,
    problem: Problem | null,
    at: number,
    nextRunId: string | null = null,
  ): void {
    const run = this.get(id)
    if (!run || !isOpen(run)) return
    const ended = { status, stopReason: stop, problem, endedAt: at, resumeAt: null, nextRunId }
    this.#change(id, { ...ended, ...endWait(run, at) })
    deleteRunSecrets(this.#sql, id)
  }

  rate(id: string, rating: Rating | null): void {
    this.#change(id, { rating })
  }

  /** Records the run's terminal event; no event of the run follows it. */
  setTerminalEvent(id: string, lastSeq: number): void {
    this.#change(id, { lastSeq })
  }

  /** Runs before row number `before`, newest first. */
  page(before: number, limit: number): readonly Run[] {
    return this.#sql
      .exec<RunRow>(`${SELECT_RUNS} WHERE ord < ? ORDER BY ord DESC LIMIT ?`, before, limit)
      .toArray()
      .map(runOf)
  }
}
