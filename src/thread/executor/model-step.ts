// One call to the model: its cost is reserved first, its deltas are streamed, its message is written in one
// transaction, and its actual cost is settled.

import { isOnlyThoughts, isToolUse, resultImages, withoutCutCalls, type Block } from '../../agent/message.ts'
import type { ModelDelta, ModelFacts, ModelFault, ModelOutcome } from '../../agent/model.ts'
import { sentPrompt, certainlyCachedTokens, type SentPrompt } from '../../agent/prompt-cache.ts'
import type { Effect } from '../../agent/tool.ts'
import { SEARCH_SOURCES, countSuccessfulSearches } from '../../agent/server-search.ts'
import { redact } from '../../lib/redact.ts'
import { MESSAGE_ROW_MAX_CHARS, STEP_RETRIES_MAX } from '../../limits/runs.ts'
import {
  MODEL_BACKOFF_MAX_MS,
  MODEL_BACKOFF_JITTER_FRACTION,
  MODEL_BACKOFF_MS,
  MODEL_WAIT_IN_MEMORY_MAX_MS,
  STEP_TOOL_CALLS_MAX,
} from './limits.ts'
import { charge } from './charge.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import type { Parts } from '../parts.ts'
import type { Execution } from './execution.ts'
import { finish, type EndingThread } from './finish.ts'
import { PartialAnswer } from '../events/partial-answer.ts'
import { hasFileImages, withImages } from './images.ts'
import { shownContent } from './keep-partial.ts'
import { planLeased } from './lease.ts'
import { planNextCall } from './plan-call.ts'
import { trackOpenCall } from './open-call.ts'
import { stopLoop, repeatRemark } from './repeats.ts'
import { whySearchDisabled, maxServerSearches, messagesToSend } from './server-search.ts'
import type { StoredMessageEvent } from '../events/event-rows.ts'
import { wasInterrupted, wallDeadline, type Run } from '../rows/run.ts'
import { seenCatalogBefore } from '../rows/windows.ts'
import { afterRefusal } from '../windows/fullness.ts'

type Message = Extract<ModelOutcome, { kind: 'message' }>
type Thread = EndingThread &
  Parts<
    'ctx' | 'files' | 'revealed',
    'randomFraction' | 'models' | 'store' | 'toolSettings' | 'workspace' | 'leaseWaitMs'
  >
type EffectOf = (name: string) => Effect

/** Makes the model call. Resolves when its outcome is written, or when the execution has to stop. */
export async function modelStep(
  thread: Thread,
  execution: Execution,
  run: Run,
  forbidTools: boolean,
): Promise<void> {
  const step = run.steps + 1
  const { models } = thread.ports
  const model = models.resolve(run.model)
  if (!model) {
    finish(
      thread,
      run.id,
      'failed',
      'model_error',
      `${models.unavailableMessage(run.model)} Start a new thread.`,
    )
    return
  }
  if (!model.facts.capabilities.images && resultImages(thread.transcript.forModel()).length > 0) {
    const detail = 'This thread contains images that its model does not accept. Start a new thread.'
    finish(thread, run.id, 'failed', 'model_error', detail)
    return
  }
  const maySearch = maxServerSearches(thread.row.data.tools) > 0
  // Without a search tool there is no wait here, so a run's first step begins in the block that accepted the run.
  const whyDisabled = maySearch ? await whySearchDisabled(thread, run) : null
  if (maySearch && !execution.holdsRun()) return
  if (whyDisabled !== null) {
    finish(thread, run.id, 'failed', 'model_error', whyDisabled)
    return
  }
  const planned = planLeased(thread, run, execution, (budget) =>
    planNextCall(thread, run, model.facts, budget),
  )
  const reservation = planned instanceof Promise ? await planned : planned
  if (planned instanceof Promise && (!execution.holdsRun() || execution.signal.aborted)) return
  if ('stop' in reservation) {
    finish(thread, run.id, 'failed', reservation.stop, reservation.detail)
    return
  }
  execution.reportStepStart(step, 'model_fault')
  const partial = new PartialAnswer(run.id, step)
  thread.partial = partial
  await checkpoint('step.begun', thread.ctx)
  // A message that came meanwhile joins before the request.
  if (thread.steered.pending(run.id).length > 0 && execution.holdsRun()) return
  const storedMessages = messagesToSend(thread)
  const bytesOf = (object: number): Promise<Uint8Array | null> =>
    thread.files.bytes(object, thread.ports.store)
  const messages = hasFileImages(storedMessages)
    ? await withImages(storedMessages, bytesOf, execution.images)
    : storedMessages
  // State may have changed during that wait, and the block that accepted the run may have rolled back.
  if (!execution.holdsRun()) return
  const { system, tools } = thread.row.data
  const request = {
    model: run.model,
    system,
    tools: tools.map(({ spec }) => spec),
    messages,
    maxTokens: reservation.maxOutputTokens,
    effort: run.options.effort ?? undefined,
    forbidTools,
  }
  const calledAt = thread.ports.now()
  // Each search reads the prompt again, so the reported input is neither the prompt's size nor a sign of what
  // is cached.
  const sent = maySearch ? null : sentPrompt(request, calledAt)
  const cachedTokens = sent ? certainlyCachedTokens(thread.row.data.cachedPrompt, sent, messages) : 0
  // This is written in the same turn of the event loop in which the call is sent, so a reservation on disk
  // means that the request was sent.
  thread.runs.reserve(run.id, reservation, cachedTokens, calledAt)
  const openCall = trackOpenCall(thread, execution, run.id, sent)
  const sendDelta = (delta: ModelDelta): void => {
    if (execution.holdsRun()) partial.add(delta, thread.ports.now(), (body) => thread.log.send(run.id, body))
  }
  const outcome = await model.call(request, sendDelta, execution.signal, openCall.onReported)
  openCall.stop()
  if (wasInterrupted(run) && execution.holdsRun()) {
    thread.runs.markAnswered(run.id)
    await thread.log.sync()
  }
  await checkpoint('model.answered', thread.ctx)
  if (outcome.kind === 'fault') return handleFault(thread, execution, run, model.facts, outcome.fault, sent)
  // An unknown tool is treated as having the strictest effect.
  const effectOf: EffectOf = (name) => tools.find((tool) => tool.name === name)?.effect ?? 'once'
  const calls = outcome.stop === 'tool_use' ? outcome.content.filter(isToolUse) : []
  const hasSideEffects = calls.some(({ name, input }) => {
    const target = thread.revealed.target(name, input, Number.MAX_SAFE_INTEGER)
    return (target?.row.effect ?? effectOf(name)) !== 'read'
  })
  if (calls.length > 0 && !hasSideEffects) await execution.readCatalogAhead(run)
  if (!execution.holdsRun()) return
  thread.atomically(() => commitAnswer(thread, run, partial, outcome, sent, forbidTools ? null : effectOf))
  thread.partial = null
  // The response must be on disk before any call with side effects. Calls that only read need no wait: the
  // platform sends no request before the write is done anyway, and readers get the message once it is on
  // disk.
  if (hasSideEffects || wasInterrupted(run)) await thread.log.sync()
  else thread.log.syncInBackground()
  await checkpoint('model.committed', thread.ctx)
}

/**
 * Writes a complete response in one block: message, planned calls, charge and event. `effectOf` is null if
 * tools were forbidden: calls in the response are then never made, and get a result at the end of the run.
 */
function commitAnswer(
  thread: Thread,
  run: Run,
  partial: PartialAnswer,
  answer: Message,
  sent: SentPrompt | null,
  effectOf: EffectOf | null,
): void {
  const now = thread.ports.now()
  const kept = keptContent(answer)
  // Readers keep the text that they saw, even if the model does not get it back.
  const partialShown = kept.length < answer.content.length ? shownContent(partial) : null
  const seq = thread.transcript.append({
    id: thread.ports.newId('msg'),
    runId: run.id,
    role: 'assistant',
    content: kept,
    ...(partialShown && partialShown.shown.length > 0 ? { shown: partialShown.shown } : {}),
    model: run.model,
    step: partial.step,
    modelStop: answer.stop,
    calls: answer.stop === 'tool_use' && effectOf !== null,
    ...(thread.transcript.last(run.id)?.kind === 'cut_notice' ? { kind: 'continues' } : {}),
    thinkingMs: partial.thinkingMs(),
    at: now,
  })
  if (countSuccessfulSearches(kept) > 0) {
    thread.sources.add(SEARCH_SOURCES, seq)
    thread.approvals.endRememberedApprovals(SEARCH_SOURCES)
  }
  const usage = charge(thread, run.id, answer.usage, true, sent)
  thread.runs.change(run.id, (current) => partial.firstText(current))
  thread.runs.countStep(run.id, answer.stop === 'max_tokens')
  const head = { type: 'message.completed', step: partial.step } as const
  const tail = { model_stop: answer.stop, usage }
  const message = thread.transcript.message(seq)
  if (message)
    thread.log.append(run.id, { ...head, message, ...tail }, {
      ...head,
      message_seq: seq,
      ...tail,
      spans: partialShown?.spans ?? partial.spans(),
    } satisfies StoredMessageEvent)
  if (effectOf) planCalls(thread, run, effectOf)
}

/**
 * What the model gets back of its response: nothing of one that it refused or in which it said nothing, and no tool call
 * that the output limit cut off.
 */
function keptContent({ content, stop }: Message): readonly Block[] {
  const kept = stop === 'max_tokens' ? withoutCutCalls(content) : content
  return stop === 'refusal' || (stop !== 'pause_turn' && isOnlyThoughts(kept)) ? [] : kept
}

/** Must be called after the message's own event is appended, so that the events of its calls follow it. */
function planCalls(thread: Thread, run: Run, effectOf: EffectOf): void {
  const requestMessage = thread.transcript.last(run.id)
  if (!requestMessage?.calls) return
  for (const [position, call] of thread.journal.plan(run.id, requestMessage, effectOf).entries()) {
    const isTooLong = (JSON.stringify(call.input) ?? '').length > MESSAGE_ROW_MAX_CHARS
    const whyNotRun = isTooLong
      ? `its input is longer than ${MESSAGE_ROW_MAX_CHARS} characters. Call it again with a shorter input.`
      : `at most ${STEP_TOOL_CALLS_MAX} tool calls are made in one step. Call it again in the next step.`
    if (!isTooLong && position < STEP_TOOL_CALLS_MAX) continue
    const content =
      stopLoop(thread, run.id, call) ?? `Not run: ${whyNotRun}${repeatRemark(thread, run.id, call)}`
    thread.journal.finish(call, { content, isError: true }, thread.ports.now())
  }
}

/**
 * Removes a message that the API refuses from later requests, all of which would otherwise fail, too. Returns
 * advice for the person, or an empty string if there is none.
 */
function withdrawRefusedMessage(thread: Thread, run: Run, reason: string): string {
  if (reason !== 'invalid_request' && reason !== 'too_large') return ''
  const messages = thread.transcript.forModel()
  const lastAnswerIndex = messages.findLastIndex((message) => message.role === 'assistant')
  // Content that was already accepted in an earlier request cannot be the reason for this refusal.
  if (resultImages(messages.slice(lastAnswerIndex + 1)).length > 0)
    return ' The request contains images from tools that the model has not answered yet, and they may be the reason. Start a new thread.'
  const newest = thread.transcript.last(run.id)
  if (run.steps > 0 || newest?.role !== 'user' || !thread.transcript.withdraw(newest.seq)) return ''
  // Messages that steered the run were refused together with its own.
  for (let seq = newest.seq - 1; thread.transcript.message(seq)?.run_id === run.id; seq--)
    thread.transcript.withdraw(seq)
  // That message contained the notices about uploads and catalog changes, so the next message repeats them.
  thread.files.markUnannounced(newest.seq)
  const seenCatalog = seenCatalogBefore(thread.ctx.storage.sql)
  thread.row.setSeenCatalog(seenCatalog.version, seenCatalog.index)
  return ' The message is left out of this thread from now on: change it and send it again.'
}

/** Handles a call that failed: retries it if the fault allows that, otherwise ends the run. */
async function handleFault(
  thread: Thread,
  execution: Execution,
  run: Run,
  facts: ModelFacts,
  fault: ModelFault,
  sent: SentPrompt | null,
): Promise<void> {
  if (!execution.holdsRun()) return
  const hasBegunAnswer = thread.partial?.isEmpty === false
  charge(thread, run.id, fault.usage, false, sent)
  if (execution.signal.aborted || fault.reason === 'aborted') return
  const compaction = fault.reason === 'too_large' && !hasBegunAnswer ? afterRefusal(thread, run, facts) : null
  if (compaction) return thread.runs.planCompaction(run.id, compaction)
  const attempts = run.attempts + 1
  const retriesMax = fault.retry === 'later' ? STEP_RETRIES_MAX : fault.retry === 'once' ? 1 : 0
  const baseWaitMs =
    fault.retryAfterMs ?? Math.min(MODEL_BACKOFF_MS * 2 ** run.attempts, MODEL_BACKOFF_MAX_MS)
  const waitMs = Math.round(baseWaitMs * (1 + MODEL_BACKOFF_JITTER_FRACTION * thread.ports.randomFraction()))
  const resumeAt = thread.ports.now() + waitMs
  if (attempts > retriesMax || resumeAt >= wallDeadline(run)) {
    const stop = fault.reason === 'too_large' ? 'context_overflow' : 'model_error'
    // If the model had begun to respond, it had accepted the message, and the partial response belongs to that
    // message.
    const advice = hasBegunAnswer ? '' : withdrawRefusedMessage(thread, run, fault.reason)
    finish(thread, run.id, 'failed', stop, fault.detail + advice)
    return
  }
  // If the failed call used up the budget, the run ends because of that failure, not because of the budget.
  const nextReservation = planNextCall(thread, thread.runs.get(run.id) ?? run, facts)
  if ('stop' in nextReservation) {
    finish(thread, run.id, 'failed', 'model_error', `${fault.detail} ${nextReservation.detail}`)
    return
  }
  thread.runs.countFailedAttempt(run.id, resumeAt)
  const { reason, detail } = fault
  thread.log.append(run.id, {
    type: 'model.retry',
    attempt: attempts,
    wait_ms: waitMs,
    reason,
    detail: redact(detail),
  })
  await execution.waitUntil(resumeAt, waitMs <= MODEL_WAIT_IN_MEMORY_MAX_MS)
}
