// Accepts a message. Whatever the response promises (a run ID, a stream) is on disk before it is sent. Every
// request takes the same path: check, prepare, check again, and then one block that creates the thread if
// necessary, stores the run, begins it and starts its execution.

import type { Caller } from '../../lib/caller.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { cutText } from '../../lib/text.ts'
import { WATCHDOG_INTERVAL_MS } from '../../limits/runs.ts'
import { keyDefaultModel } from '../../model/key-default.ts'
import { LIST_DELAY_MS, QUEUED_RUNS_MAX, SERVER_WAIT_RETRY_S } from './limits.ts'
import type { StartInput, StartedRun } from '../api.ts'
import { storeFirstLease, whyThreadCapped } from '../executor/lease.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import { replayOf } from '../events/replay.ts'
import type { ThreadParts } from '../parts.ts'
import { reportLater } from '../report/workspace-report.ts'
import { isEmpty } from '../rows/empty-thread.ts'
import { findEarlierRun } from '../rows/idempotency.ts'
import { insertRunSecrets } from '../rows/run-secrets.ts'
import { mayUse, type ThreadData } from '../rows/thread-row.ts'
import type { ThreadHolder } from '../holder.ts'
import { beginRun, composeMessage, enterRun, type MessageTarget, type ComposedMessage } from './begin-run.ts'
import { checkFirstCall, firstWish } from './first-call.ts'
import { threadWithPrefix } from './new-thread.ts'
import { modelRefusal, noThread, whyRefused } from './refusals.ts'
import { rememberRefusal } from './room.ts'
import { RunSlot } from './run-slot.ts'
import { prepare, type Prepared } from './prepare.ts'
import { cancelRun, executeRun, wakeInBackground } from './scheduler.ts'
import { interruptFor, storeSteered, whyNotSteer } from './steer-run.ts'
import { encryptSecrets } from './seal-secrets.ts'
import { pendingWait } from '../waits/details.ts'

type FailedResult = ReturnType<typeof fail>

export async function accept(
  holder: ThreadHolder,
  caller: Caller,
  input: StartInput,
): Promise<Result<StartedRun>> {
  const runId = input.runId ?? holder.ports.newId('run')
  const beginsThread = holder.thread === null || isEmpty(holder.thread)
  const run = { thread: input.threadId, run: runId, key: caller.keyId, begins: beginsThread }
  const slot = new RunSlot(holder.ctx, holder.ports, caller.workspace, run, input.budget.wall_s)
  let started = false
  try {
    const answer = await acceptRun(holder, caller, input, runId, slot)
    started = answer.ok && answer.value.run_id === runId
    return answer
  } finally {
    slot.end(started || holder.thread?.runs.get(runId) != null)
  }
}

async function acceptRun(
  holder: ThreadHolder,
  caller: Caller,
  input: StartInput,
  runId: string,
  slot: RunSlot,
): Promise<Result<StartedRun>> {
  const { thread: before, ports } = holder
  const response = immediateResponse(holder, caller, input, input.create)
  if (response) return response
  const wasBusy = before?.runs.isBusy === true
  // A full queue refuses before other objects are asked.
  const full = wasBusy ? (whyQueueFull(before, caller, input) ?? whyNotSteer(before, caller, input)) : null
  if (wasBusy && full) wakeInBackground(before)
  if (full) return full
  // A message that will be refused because its thread is busy does not take one of its key's run slots.
  const needsSlot = !wasBusy || input.onBusy === 'enqueue' || input.onBusy === 'interrupt'
  const prefixed = before?.row.hasNoPrefix === false ? before.row.data : null
  const model = input.model ?? (prefixed ? null : keyDefaultModel(ports.models, caller))
  const options = { ...input, model, keyTools: caller.tools }
  const wish = firstWish(holder, caller.user, input.budget, model)
  const [prepared, granted, sealed] = await Promise.all([
    prepare(ports, caller.workspace, input.build, prefixed, options, input.calls),
    needsSlot ? slot.request(wasBusy, wish) : ok(undefined),
    encryptSecrets(ports, caller.workspace, input, runId),
  ])
  // State may have changed during that wait. Everything below uses the current state and does not wait again.
  const responseAfterWait = immediateResponse(holder, caller, input, before === null)
  if (responseAfterWait) return responseAfterWait
  // The run before it has ended during that wait, so this message starts a run, which needs a slot.
  if (!needsSlot && holder.thread?.runs.isBusy === false) return acceptRun(holder, caller, input, runId, slot)
  // The preparation applies to the earlier thread, not to one that was created since.
  if (before && holder.thread !== before) return noThread(input)
  if (holder.thread?.runs.isBusy && input.onBusy === 'steer') return steer(holder.thread, caller, input)
  if (!prepared.ok) return prepared
  for (const { skill } of prepared.value.called) if (!skill.ok) return skill
  const refused = holder.thread && whyNotNow(holder.thread, caller, input)
  if (refused) return refused
  if (!granted.ok) return granted
  const capped = holder.thread && whyThreadCapped(holder.thread, granted.value)
  if (capped) return capped
  if (!sealed.ok) return sealed
  const start = composeStart(holder, caller, input, prepared.value)
  if (!start.ok) return start
  const { newRow, composed } = start.value
  const thread = targetThread(holder, newRow)
  const { isBusy } = thread.runs
  // The stream is attached before the run's first event, so that no event has to be read back from rows.
  const events = input.follow
    ? follow(thread, caller, { runId, after: thread.log.lastSeq }, input.onDisconnect, true)
    : null
  thread.atomically(() => {
    // A thread that begins has nothing to rebase.
    const entered = newRow === null ? input : { ...input, rebase: false }
    enterRun(thread, caller, entered, prepared.value.live, runId, isBusy ? 'queued' : 'running')
    storeFirstLease(thread, runId, granted.value)
    insertRunSecrets(holder.ctx.storage.sql, runId, sealed.value)
    if (isBusy) return interruptFor(thread, input, runId)
    beginRun(thread, runId, prepared.value, composed)
    void thread.alarm.setNoLaterThan(thread.ports.now() + WATCHDOG_INTERVAL_MS)
    // Called in this block, so that the writes before its first wait belong to the block and roll back with it.
    executeRun(thread, runId, 'fresh')
  })
  slot.confirm(isBusy)
  const current = isBusy && input.onBusy === 'interrupt' ? thread.runs.current() : null
  if (current) holder.ctx.waitUntil(cancelRun(thread, current.id, 'interrupted'))
  const answer = ok({ thread_id: thread.row.data.id, run_id: runId, created: true, events })
  await checkpoint('accepted', holder.ctx)
  thread.log.syncInBackground()
  return answer
}

/** Accepts a message that joins the current run. The response is the same as that of the run. */
async function steer(thread: ThreadParts, caller: Caller, input: StartInput): Promise<Result<StartedRun>> {
  const refused = whyNotNow(thread, caller, input)
  if (refused) return refused
  const target = storeSteered(thread, caller, input)
  const answer = ok({
    thread_id: thread.row.data.id,
    run_id: target.id,
    created: true,
    events: input.follow
      ? follow(thread, caller, { runId: target.id, after: target.firstSeq - 1 }, 'continue', false)
      : null,
  })
  await checkpoint('steered', thread.ctx)
  thread.log.syncInBackground()
  return answer
}

/**
 * Returns a response that needs no preparation: the run of an earlier request, or a refusal. Null if neither
 * applies. `create` is true if a missing thread may be created.
 */
function immediateResponse(
  holder: ThreadHolder,
  caller: Caller,
  input: StartInput,
  create: boolean,
): Result<StartedRun> | null {
  const repeated = repeatedResponse(holder, caller, input)
  if (repeated) return repeated
  const { thread } = holder
  if (thread ? thread.closing : holder.hasDeletedRows || !create) return noThread(input)
  return thread
    ? whyRefused(thread, caller, input)
    : modelRefusal(caller, input.model ?? keyDefaultModel(holder.ports.models, caller))
}

/**
 * Returns the response to a repeated request, or null if the request is new. Reads only rows, so that a retry
 * succeeds even while the catalog is unavailable.
 */
function repeatedResponse(
  holder: ThreadHolder,
  caller: Caller,
  input: StartInput,
): Result<StartedRun> | null {
  const { sql, thread } = holder
  if (!sql || (thread && !mayUse(caller, thread.row.data))) return null
  const threadExists = thread !== null && !thread.closing
  const earlierRun = findEarlierRun(sql, caller, input, threadExists, holder.ports.now())
  if (!earlierRun.ok) return earlierRun
  const runId = earlierRun.value
  if (runId === null || !thread) return null
  wakeInBackground(thread)
  const readerRefusal = input.follow ? thread.readers.refusal(caller) : null
  if (readerRefusal) return readerRefusal
  const run = thread.runs.get(runId)
  const events =
    input.follow && run
      ? follow(thread, caller, { runId, after: run.firstSeq - 1 }, run.options.onDisconnect, false)
      : null
  return ok({ thread_id: thread.row.data.id, run_id: runId, created: false, events })
}

/** Why an existing thread currently accepts no more messages or readers. */
function whyNotNow(thread: ThreadParts, caller: Caller, input: StartInput): FailedResult | null {
  const { runs, readers } = thread
  // An open run may have no execution, for example because its alarm was lost. This request wakes it.
  if (runs.isBusy) wakeInBackground(thread)
  if (runs.isBusy && input.onBusy === 'reject') {
    rememberRefusal(thread, caller, input)
    const [waiting] = thread.approvals.pending(runs.current()?.id ?? '')
    if (waiting)
      return fail(
        'thread_busy',
        `This thread waits until ${waiting.byAdmin ? 'an admin of the workspace' : 'its owner or an admin'} decides on a call to ${cutText(waiting.name, 64)} (${cutText(waiting.toolUseId, 64)}). Answer it with POST /v1/threads/${thread.row.data.id}/runs/${waiting.runId}/approvals/${encodeURIComponent(cutText(waiting.toolUseId, 64))} {"decision": "approve", "digest": "${waiting.digest}"} once you have looked at it in GET /v1/approvals, or {"decision": "deny"}, cancel that run, or send on_busy: "enqueue".`,
      )
    const wait = runs.current()?.status === 'waiting' ? pendingWait(thread, runs.current()?.id ?? '') : null
    if (wait)
      return fail(
        'thread_busy',
        `The run of another message is not finished. ${wait.details.detail} Wait until it has ended, cancel it, or send on_busy: "enqueue".`,
        { retryAfterS: SERVER_WAIT_RETRY_S },
      )
    return fail(
      'thread_busy',
      'This thread is still answering another message. Wait until that run has ended, or send on_busy: "enqueue".',
      { retryAfterS: 1 },
    )
  }
  const full = whyQueueFull(thread, caller, input) ?? whyNotSteer(thread, caller, input)
  if (full) return full
  return input.follow ? readers.refusal(caller) : null
}

function whyQueueFull(thread: ThreadParts, caller: Caller, input: StartInput): FailedResult | null {
  if (input.onBusy === 'steer' || thread.runs.countQueued() < QUEUED_RUNS_MAX) return null
  rememberRefusal(thread, caller, input)
  const detail = `This thread already has ${QUEUED_RUNS_MAX} messages in its queue. Try again later.`
  return fail('thread_busy', detail, { retryAfterS: 10 })
}

interface ComposedStart {
  /** The thread's row with its prefix; null if the thread already has a prefix. */
  readonly newRow: ThreadData | null
  readonly composed: ComposedMessage
}

/**
 * Composes the message as it will be stored. Fails if its budget does not cover a first response. Stores
 * nothing.
 */
function composeStart(
  { thread, ports }: ThreadHolder,
  caller: Caller,
  input: StartInput,
  prepared: Prepared,
): Result<ComposedStart> {
  const existing = thread && !thread.row.hasNoPrefix ? thread : null
  const data = existing ? existing.row.data : threadWithPrefix(ports, caller, input, prepared)
  const rebases = existing !== null && input.rebase === true
  const { allow } = data
  // The prompt of a new window contains the live catalog.
  const seenIndex = rebases ? prepared.live.index : data.seenIndex
  const { loads, files } = thread ?? NEW_THREAD
  const composed = composeMessage({ seenIndex, allow, loads, files }, input, prepared)
  // The size of the first request is not known if the messages are shortened for another model.
  const budgetCheck =
    input.compact || rebases ? ok(null) : checkFirstCall(ports, existing, data, input.budget, composed)
  return budgetCheck.ok ? ok({ newRow: existing ? null : data, composed }) : budgetCheck
}

const NEW_THREAD: Pick<MessageTarget, 'loads' | 'files'> = {
  loads: { namesInContext: () => new Set(), isCurrentVersion: () => false },
  files: { newUploads: () => [] },
}

/**
 * Returns the thread that receives the message. Creates it if it is missing, and sets its prefix if it has
 * none.
 */
function targetThread(holder: ThreadHolder, newRow: ThreadData | null): ThreadParts {
  const { thread } = holder
  if (thread && newRow === null) return thread
  if (newRow === null) throw new Error('There is no thread, and no data to create one.')
  if (thread) thread.row.freeze(newRow)
  const target = thread ?? holder.create(newRow)
  // A thread is listed after its first message, but this must not delay the first response. If this task is
  // lost, the alarm reports the thread.
  holder.ctx.waitUntil(reportLater(target, LIST_DELAY_MS))
  return target
}

/** A stream of the run's events. `isNew` is true if the run has no events yet. */
function follow(
  thread: ThreadParts,
  caller: Caller,
  { runId, after }: { readonly runId: string; readonly after: number },
  onDisconnect: StartInput['onDisconnect'],
  isNew: boolean,
): ReadableStream<Uint8Array> {
  const onLeave = (): void => {
    if (onDisconnect === 'cancel' && !thread.readers.hasReaders(runId))
      thread.ctx.waitUntil(cancelRun(thread, runId))
  }
  return thread.readers.open(replayOf(thread), { caller, runId, after }, onLeave, isNew)
}
