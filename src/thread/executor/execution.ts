// One execution of a run: the epoch that makes it the only writer, its deadline, the pinned catalog and
// tools, and the events that report its steps. When a run resumes after its alarm or a crash, it gets a new
// execution.

import { fileAccess } from '../../files/tree-access.ts'
import { pause } from '../../lib/pause.ts'
import { ok, type Result } from '../../lib/result.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import { CATALOG_AHEAD_TIMEOUT_MS } from './limits.ts'
import type { Parts } from '../parts.ts'
import { deferredTools } from './deferred-tools.ts'
import { spaceOwner, reserveSpace } from './file-space.ts'
import type { ImageCache } from './images.ts'
import { paidSearch } from './paid-search.ts'
import { RunSecrets } from './run-secrets.ts'
import { wallDeadline, type Run } from '../rows/run.ts'
import type { LiveCatalog, SkillIndex } from '../../skills/skill.ts'
import { searchConversation } from '../windows/conversation-search.ts'
import type { RunTools } from '../../tools/record/source.ts'
import { namedToolsOf } from '../../tools/sources.ts'

type Thread = Parts<
  | 'ctx'
  | 'row'
  | 'runs'
  | 'loads'
  | 'log'
  | 'atomically'
  | 'alarm'
  | 'files'
  | 'gone'
  | 'sources'
  | 'transcript',
  | 'now'
  | 'index'
  | 'wholeTools'
  | 'liveCatalog'
  | 'toolNet'
  | 'toolStream'
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
  | 'leaseWaitMs'
  | 'sealer'
  | 'search'
  | 'toolSettings'
>

/** What a run is pinned to: its catalog, and the source of its tools. */
export interface PinnedCatalog {
  readonly index: SkillIndex
  readonly tools: RunTools
  /** Names of the tools that settings define, in this catalog and in the live one, if that can be read. */
  readonly configuredNames: () => Promise<readonly string[]>
}

export class Execution {
  readonly #thread: Thread
  readonly #runId: string
  readonly #epoch: number
  readonly signal: AbortSignal
  #pinned: Promise<PinnedCatalog> | null = null
  /** The number of the step whose start was last reported to readers. */
  #reportedStep = 0
  /** The live catalog that was read for the calls of the current step, or null if it was not read ahead. */
  #liveCatalog: Promise<Result<LiveCatalog>> | null = null
  readonly secrets: RunSecrets
  /** Images from the thread's files that the run's requests contain. */
  readonly images: ImageCache = new Map()
  readonly #endings: (() => Promise<void>)[] = []
  /** True if the run waits for its alarm: the execution then ends without ending the run. */
  isSuspended = false

  constructor(thread: Thread, runId: string, epoch: number, signal: AbortSignal) {
    this.#thread = thread
    this.#runId = runId
    this.#epoch = epoch
    this.signal = signal
    this.secrets = new RunSecrets(thread, runId)
  }

  /**
   * False once another execution has taken over, the run has ended or the thread was deleted. Nothing may be
   * written then.
   */
  holdsRun(): boolean {
    if (this.#thread.gone) return false
    try {
      return this.#thread.runs.holdsRun(this.#runId, this.#epoch)
    } catch {
      return false // the tables were deleted with the thread
    }
  }

  /**
   * Whether the run may continue: this execution holds it, nobody cancelled it, and its time is not up. This
   * is checked right before any side effect. It reads the clock, because the timer fires only when nothing
   * else is running.
   */
  mayContinue(): boolean {
    if (this.signal.aborted || !this.holdsRun()) return false
    const run = this.#thread.runs.get(this.#runId)
    if (!run || run.cancel !== null) return false
    return this.#thread.ports.now() < wallDeadline(run)
  }

  /**
   * Reports to readers that a step starts, or restarts because of `why`. Does nothing if the start was
   * already reported.
   */
  reportStepStart(step: number, why: 'model_fault' | 'crash'): void {
    if (this.#reportedStep === step) return
    this.#reportedStep = step
    const { log } = this.#thread
    if (log.lastStep(this.#runId) === step)
      log.append(this.#runId, { type: 'step.restarted', step, reason: why })
    else log.append(this.#runId, { type: 'step.started', step })
  }

  /** Called when this execution is over. */
  end(): void {
    for (const work of this.#endings.splice(0)) void work().catch(() => undefined)
  }

  /** Called at the end of a step, so that the next step reads the live catalog again. */
  dropLiveCatalog(): void {
    this.#liveCatalog = null
  }

  /** The catalog and tools of this run. Rejects if the catalog cannot be read. */
  pinned(run: Run): Promise<PinnedCatalog> {
    this.#pinned ??= this.#loadPinned(run)
    return this.#pinned
  }

  async #loadPinned(run: Run): Promise<PinnedCatalog> {
    const { ports, row, loads } = this.#thread
    const { workspace, allow } = row.data
    const index = await ports.index(workspace, run.catalogIndex)
    if (!index.ok) throw new Error(index.error.detail)
    const readLive = (): Promise<Result<LiveCatalog>> =>
      this.#liveCatalog ?? ports.liveCatalog(workspace, run.build)
    const invoked = loads.calledByUser(run.id).map(({ name }) => name)
    const skills = ports.skills(
      workspace,
      index.value,
      run.catalogVersion,
      { allow, invoked },
      readLive,
      () => loads.namesInContext(),
    )
    const files = fileAccess(this.#thread.files, {
      store: ports.store,
      now: ports.now,
      newToken: () => ports.newId('obj'),
      quotas: () => ports.quotas(workspace),
      reserveSpace: (kept, stored) => reserveSpace(spaceOwner(this.#thread), kept, stored, true),
    })
    const sandbox = ports.sandbox(workspace, row.data.id)
    const attended = !run.ask.fenced
    const live: RunTools['live'] = async () => {
      const catalog = await readLive()
      if (!catalog.ok) return catalog
      const isPinnedIndex = catalog.value.index === run.catalogIndex
      const liveIndex = isPinnedIndex ? index : await ports.index(workspace, catalog.value.index)
      return liveIndex.ok ? ok(liveIndex.value.tools ?? []) : liveIndex
    }
    const whole: RunTools['whole'] = (entries) => ports.wholeTools(workspace, entries)
    const net = this.secrets.withMasking(ports.net(workspace))
    const search = paidSearch(this.#thread, run.id, this, ports.search(workspace))
    const context = {
      skills,
      files,
      documents: ports.documents,
      sandbox,
      net,
      search,
      searchThread: (query: string) => searchConversation(this.#thread, query),
      deferred: deferredTools(this.#thread, run, { live, whole }),
      canAskPerson: attended,
      now: ports.now,
    }
    const fetch: RunTools['fetch'] = (...args) => ports.toolNet(workspace)(...args)
    const stream: RunTools['stream'] = (...args) => ports.toolStream(workspace)(...args)
    const onEnd: RunTools['onEnd'] = (work) => void this.#endings.push(work)
    const reportMcpServer: RunTools['reportMcpServer'] = (...observation) =>
      void ports
        .workspace(workspace)
        .recordMcpServer(...observation)
        .catch(() => undefined)
    const { secretsInUrl } = ports
    const toolPorts = { fetch, stream, secrets: this.secrets, secretsInUrl, onEnd, reportMcpServer }
    const configuredNames = async (): Promise<readonly string[]> => {
      const current = await live().catch(() => null)
      const catalogs = [index.value.tools ?? [], current?.ok ? current.value : []]
      const tools = await Promise.all(catalogs.map((entries) => namedToolsOf(ports.tools(), entries)))
      return [...new Set(tools.flat().map(({ row: { name } }) => name))]
    }
    return {
      index: index.value,
      configuredNames,
      tools: { builtins: ports.tools(), context, live, whole, ...toolPorts },
    }
  }

  /**
   * Reads the live catalog once for all calls of a step. This starts before the step's response is written,
   * so that response, calls and results are written to disk together. A slow catalog does not delay the step.
   */
  async readCatalogAhead(run: Run): Promise<void> {
    const { ports, row } = this.#thread
    const request = ports.liveCatalog(row.data.workspace, run.build)
    const answer = await withTimeout(CATALOG_AHEAD_TIMEOUT_MS, request).catch(() => null)
    // A failure is not cached: the tools will read the catalog themselves.
    this.#liveCatalog = answer?.ok ? request : null
  }

  /**
   * Waits until `resumeAt`: in memory if `inMemory` is true, otherwise by setting the alarm, so that the object may
   * hibernate.
   */
  async waitUntil(resumeAt: number, inMemory: boolean): Promise<void> {
    this.#reportedStep = 0
    if (!inMemory) {
      this.isSuspended = true
      await this.#thread.alarm.setNoLaterThan(resumeAt)
      await this.#thread.log.sync()
      return
    }
    await this.#thread.log.sync()
    await pause(Math.max(0, resumeAt - this.#thread.ports.now()), this.signal)
  }
}
