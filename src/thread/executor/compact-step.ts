// Continues a thread in a new window: asks the model for a summary, in up to three ways, and begins the window with it.
// The summary is reserved and charged like a step. All state is in rows, so that another execution can continue.

import type { ModelFacts, ModelFault, ModelOutcome } from '../../agent/model.ts'
import { sentPrompt, certainlyCachedTokens } from '../../agent/prompt-cache.ts'
import { summaryByCode, summaryIn } from '../../agent/summary.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import type { Parts } from '../parts.ts'
import { wallDeadline, type CompactionState, type Run } from '../rows/run.ts'
import { CODE_TRY, EXTENDING_TRIES, OWN_TRY, SUMMARY_OUTPUT_MAX_TOKENS } from '../windows/limits.ts'
import { summaryRequest, type SummaryRequest } from '../windows/summary-request.ts'
import { planReservation, spentOf, type CallReservation } from './budget.ts'
import { charge } from './charge.ts'
import type { Execution } from './execution.ts'
import { finish, type EndingThread } from './finish.ts'
import { hasFileImages, withImages } from './images.ts'
import { estimateInputTokens } from '../windows/input-tokens.ts'
import { planLeased } from './lease.ts'
import { MODEL_BACKOFF_MAX_MS, MODEL_BACKOFF_MS } from './limits.ts'
import { beginWindow, type WindowThread } from './new-window.ts'
import { trackOpenCall } from './open-call.ts'
import { maxServerSearches, messagesToSend } from './server-search.ts'

type Thread = EndingThread & WindowThread & Parts<'ctx' | 'files', 'store' | 'workspace' | 'leaseWaitMs'>

const FIRST_STATE: CompactionState = { attempt: 1, refused: false, least: false, usd: 0 }

/** Performs one try of a summary, or begins the new window. Resolves when that is written, or has to stop. */
export async function compactStep(
  thread: Thread,
  execution: Execution,
  run: Run,
  forbidTools: boolean,
): Promise<void> {
  const { transcript, ports } = thread
  const model = ports.models.resolve(run.model)
  if (!model) {
    finish(thread, run.id, 'failed', 'model_error', ports.models.unavailableMessage(run.model))
    return
  }
  const state = run.compaction ?? FIRST_STATE
  const last = transcript.last(run.id)
  // The message of a run that has made no step yet is not summarized: the new window contains it.
  const pending =
    run.steps === 0 && last?.role === 'user' && last.content[0]?.type !== 'tool_result' ? last : null
  const inputTokens = estimateInputTokens(thread)
  const window = { messages: messagesToSend(thread), hasPending: pending !== null, inputTokens }
  const about = run.ask.compact?.about ?? null
  const request = summaryRequest(thread, model.facts, window, state, about)
  const reservation = request && (await reserve(thread, execution, run, model.facts, request))
  // State may have changed during that wait.
  if (!execution.holdsRun() || execution.signal.aborted) return
  const border = {
    begins: pending?.seq ?? transcript.lastSeq() + 1,
    isOpen: pending === null && last !== null,
    beforeTokens: inputTokens,
    least: state.least,
  }
  if (!request || !reservation) {
    const summary = summaryByCode(window.messages, thread.row.data.window.summary)
    await beginWindow(
      thread,
      execution,
      run,
      model.facts,
      { text: summary, way: 'code', usd: state.usd },
      border,
    )
    return
  }
  const { outcome, usd } = await callModel(thread, execution, run, request, reservation, state, forbidTools)
  if (!execution.holdsRun()) return
  const spent = { ...state, usd: state.usd + usd }
  const text = outcome.kind === 'message' ? summaryIn(outcome) : null
  if (text !== null) {
    const summary = { text, way: request.way, usd: spent.usd }
    await beginWindow(thread, execution, run, model.facts, summary, border)
    return
  }
  const fault = outcome.kind === 'fault' ? outcome.fault : null
  if (execution.signal.aborted || fault?.reason === 'aborted') return
  await planNextTry(
    thread,
    execution,
    run,
    { ...spent, attempt: Math.max(state.attempt, request.way === 'cut' ? OWN_TRY : 1) },
    fault,
  )
}

/** Null if the budget or the lease does not cover the request. */
async function reserve(
  thread: Thread,
  execution: Execution,
  run: Run,
  facts: ModelFacts,
  { way, inputTokens }: SummaryRequest,
): Promise<CallReservation | null> {
  const { row, ports } = thread
  const searches = way === 'model' ? maxServerSearches(row.data.tools) : 0
  const spent = spentOf(run, ports.now())
  const reserved = await planLeased(thread, run, execution, (budget) =>
    planReservation(spent, budget, facts, inputTokens, searches, SUMMARY_OUTPUT_MAX_TOKENS),
  )
  return 'stop' in reserved ? null : reserved
}

/** Calls the model and charges the call. */
async function callModel(
  thread: Thread,
  execution: Execution,
  run: Run,
  request: SummaryRequest,
  reservation: CallReservation,
  state: CompactionState,
  forbidTools: boolean,
): Promise<{ readonly outcome: ModelOutcome; readonly usd: number }> {
  const { row, runs, files, ports } = thread
  await checkpoint('summary.begun', thread.ctx)
  const bytesOf = (object: number): Promise<Uint8Array | null> => files.bytes(object, ports.store)
  const messages = hasFileImages(request.messages)
    ? await withImages(request.messages, bytesOf, execution.images)
    : request.messages
  const model = ports.models.resolve(run.model)
  if (!execution.holdsRun() || !model) return { outcome: STOPPED, usd: 0 }
  const extends_ = request.way === 'model'
  const sending = {
    model: run.model,
    system: request.system,
    tools: request.tools.map(({ spec }) => spec),
    messages,
    maxTokens: reservation.maxOutputTokens,
    effort: run.options.effort ?? undefined,
    forbidTools: extends_ && forbidTools,
  }
  const calledAt = ports.now()
  const sent = extends_ && maxServerSearches(row.data.tools) === 0 ? sentPrompt(sending, calledAt) : null
  const cached = sent ? certainlyCachedTokens(row.data.cachedPrompt, sent, messages) : 0
  // Written in the turn of the event loop in which the call is sent, as in a step.
  runs.planCompaction(run.id, state)
  runs.reserve(run.id, reservation, cached, calledAt)
  const openCall = trackOpenCall(thread, execution, run.id, sent)
  const outcome = await model.call(sending, () => undefined, execution.signal, openCall.onReported)
  openCall.stop()
  await checkpoint('summary.answered', thread.ctx)
  if (!execution.holdsRun()) return { outcome, usd: 0 }
  const { contextTokens, cachedPrompt } = row.data
  const spentBefore = runs.get(run.id)?.usedUsd ?? 0
  thread.atomically(() => {
    const usage = outcome.kind === 'message' ? outcome.usage : outcome.fault.usage
    charge(thread, run.id, usage, outcome.kind === 'message', sent)
    // The window itself has not grown: until a new one begins, its size is the measured one.
    row.setUsage(contextTokens, row.data.usage, extends_ ? row.data.cachedPrompt : cachedPrompt)
  })
  return { outcome, usd: (runs.get(run.id)?.usedUsd ?? 0) - spentBefore }
}

const STOPPED: ModelOutcome = {
  kind: 'fault',
  fault: { retry: 'never', reason: 'aborted', detail: '', retryAfterMs: null, usage: null },
}

/** Plans the try after one that failed. A request that cannot succeed is not repeated. */
async function planNextTry(
  { runs, ports }: Thread,
  execution: Execution,
  run: Run,
  state: CompactionState,
  fault: ModelFault | null,
): Promise<void> {
  const isFinal = fault?.retry === 'never'
  const attempt = isFinal ? (state.attempt <= EXTENDING_TRIES ? OWN_TRY : CODE_TRY) : state.attempt + 1
  const waitMs = fault && !isFinal ? (fault.retryAfterMs ?? MODEL_BACKOFF_MS) : 0
  const resumeAt = ports.now() + waitMs
  // There is no time to wait for another answer, so code writes the summary.
  if (waitMs > MODEL_BACKOFF_MAX_MS || resumeAt >= wallDeadline(run)) {
    runs.planCompaction(run.id, { ...state, attempt: CODE_TRY })
    return
  }
  runs.planCompaction(run.id, { ...state, attempt }, waitMs === 0 ? null : resumeAt)
  if (waitMs > 0) await execution.waitUntil(resumeAt, true)
}
