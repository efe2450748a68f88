// Accepts a message. Whatever the response promises (a run ID, a stream) is on disk before it is sent. Every
// request takes the same path: check, prepare, check again, and then one block that creates the thread if
// necessary, and enters, begins and executes the run.

import type { Caller } from '../../lib/caller.ts'
import { jsonBytes } from '../../lib/json-bytes.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { cutText } from '../../lib/text.ts'
import { METADATA_MAX_BYTES } from '../../limits/requests.ts'
import { WATCHDOG_INTERVAL_MS } from '../../limits/runs.ts'
import { LIST_DELAY_MS, QUEUE_MAX } from './limits.ts'
import type { StartInput, Started } from '../api.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import { replayOf } from '../events/replay.ts'
import type { Parts, ThreadParts } from '../parts.ts'
import { reportLater } from '../report/workspace-report.ts'
import { isEmpty } from '../rows/empty-thread.ts'
import { findEarlierRun } from '../rows/idempotency.ts'
import { insertRunSecrets } from '../rows/run-secrets.ts'
import { mayUse, type ThreadData } from '../rows/thread-row.ts'
import type { ThreadHolder } from '../holder.ts'
import { begin, compose, enter, type MessageTarget, type Composed } from './begin-run.ts'
import { checkFirstCall } from './first-call.ts'
import { threadWithPrefix } from './new-thread.ts'
import { RunSlot } from './run-slot.ts'
import { prepare, type Prepared } from './prepare.ts'
import { cancelRun, executeRun, wakeInBackground } from './scheduler.ts'
import { encryptSecrets } from './seal-secrets.ts'

type Failed = ReturnType<typeof fail>

export async function accept(
  holder: ThreadHolder,
  caller: Caller,
  input: StartInput,
): Promise<Result<Started>> {
  const runId = input.runId ?? holder.ports.newId('run')
  const beginsThread = holder.thread === null || isEmpty(holder.thread)
  const run = { thread: input.threadId, run: runId, key: caller.keyId, begins: beginsThread }
  const slot = new RunSlot(holder.ctx, holder.ports, caller.workspace, run, input.budget.wall_s)
  let started = false
  try {
    const answer = await acceptAs(holder, caller, input, runId, slot)
    started = answer.ok && answer.value.run_id === runId
    return answer
  } finally {
    if (!started) slot.giveBack()
  }
}

async function acceptAs(
  holder: ThreadHolder,
  caller: Caller,
  input: StartInput,
  runId: string,
  slot: RunSlot,
): Promise<Result<Started>> {
  const before = holder.thread
  const answered = immediateResponse(holder, caller, input, input.create)
  if (answered) return answered
  const busyBefore = before?.runs.busy === true
  // A message that will be refused because its thread is busy does not take one of its key's run slots.
  const needsSlot = !busyBefore || input.onBusy === 'enqueue'
  const [prepared, granted, sealed] = await Promise.all([
    prepare(
      holder.ports,
      caller.workspace,
      input.build,
      before?.row.hasNoPrefix === false ? before.row.data : null,
      { ...input, keyTools: caller.tools },
      input.calls,
    ),
    needsSlot ? slot.request(busyBefore) : ok(null),
    encryptSecrets(holder.ports, caller.workspace, input, runId),
  ])
  // State may have changed during that wait. Everything below uses the current state and does not wait again.
  const answeredMeanwhile = immediateResponse(holder, caller, input, before === null)
  if (answeredMeanwhile) return answeredMeanwhile
  // The preparation applies to the earlier thread, not to one that was created since.
  if (before && holder.thread !== before) return noThread(input)
  if (!prepared.ok) return prepared
  for (const { skill } of prepared.value.called) if (!skill.ok) return skill
  const refused = holder.thread && whyNotNow(holder.thread, caller, input)
  if (refused) return refused
  if (!granted.ok) return granted
  if (!sealed.ok) return sealed
  const beginsThread = composeFirst(holder, caller, input, prepared.value)
  if (!beginsThread.ok) return beginsThread
  const { newRow, composed } = beginsThread.value
  const thread = targetThread(holder, newRow)
  const { busy } = thread.runs
  // The stream is attached before the run's first event, so that no event has to be read back from rows.
  const events = input.follow
    ? follow(thread, caller, { runId, after: thread.log.last }, input.onDisconnect, true)
    : null
  thread.atomically(() => {
    enter(thread, caller, input, prepared.value.live, runId, busy ? 'queued' : 'running')
    insertRunSecrets(holder.ctx.storage.sql, runId, sealed.value)
    if (busy) return
    begin(thread, runId, prepared.value, composed)
    void thread.alarm.by(thread.ports.now() + WATCHDOG_INTERVAL_MS)
    // Called in this block, so that what it writes before its first wait shares these rows and rolls back
    // with them.
    executeRun(thread, runId, 'fresh')
  })
  slot.taken(busy)
  const answer = ok({ thread_id: thread.row.data.id, run_id: runId, created: true, events })
  await checkpoint('accepted', holder.ctx)
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
): Result<Started> | null {
  const again = repeatedResponse(holder, caller, input)
  if (again) return again
  const { thread } = holder
  if (thread ? thread.closing : holder.hasDeletedRows || !create) return noThread(input)
  return thread && whyRefused(thread, caller, input)
}

/**
 * Returns the response to a repeated request, or null if the request is new. Reads only rows, so that a retry
 * succeeds even while the catalog is unavailable.
 */
function repeatedResponse(holder: ThreadHolder, caller: Caller, input: StartInput): Result<Started> | null {
  const { sql, thread } = holder
  if (!sql || (thread && !mayUse(caller, thread.row.data))) return null
  const lives = thread !== null && !thread.closing
  const known = findEarlierRun(sql, caller, input, lives, holder.ports.now())
  if (!known.ok) return known
  const runId = known.value
  if (runId === null || !thread) return null
  wakeInBackground(thread)
  const full = input.follow ? thread.readers.refusal(caller) : null
  if (full) return full
  const run = thread.runs.get(runId)
  const events =
    input.follow && run
      ? follow(thread, caller, { runId, after: run.firstSeq - 1 }, run.options.onDisconnect, false)
      : null
  return ok({ thread_id: thread.row.data.id, run_id: runId, created: false, events })
}

function isSameList(a: readonly string[] | null, b: readonly string[] | null): boolean {
  return JSON.stringify(a ? [...a].sort() : null) === JSON.stringify(b ? [...b].sort() : null)
}

/** Why this thread refuses the message, no matter whether it is busy. */
function whyRefused(
  { row, ports }: Parts<'row', 'models'>,
  caller: Caller,
  input: StartInput,
): Failed | null {
  const { data } = row
  if (!mayUse(caller, data)) return noThread(input)
  // Nothing is frozen yet: this message decides.
  if (row.hasNoPrefix) return metadataRefusal(data.metadata, input.metadata)
  if (input.model !== null && input.model !== data.model)
    return fail(
      'prefix_frozen',
      `This thread was started with the model ${data.model} and cannot change it. Start a new thread to use ${input.model}.`,
    )
  if (input.allowSkills !== null && !isSameList(input.allowSkills, data.allow))
    return fail(
      'prefix_frozen',
      'The skills that a thread may see are fixed when it begins. Start a new thread to use a different list.',
    )
  if (input.tools !== null && !isSameList(input.tools, data.chosenTools))
    return fail(
      'prefix_frozen',
      'The tools of a thread are fixed when it begins. Start a new thread to use different tools.',
    )
  // A thread keeps its model: one that was started with the demo model never switches to another.
  if (ports.models.resolve(data.model) !== null) return null
  return fail(
    'prefix_frozen',
    `This thread was started with the model ${data.model} and cannot change it. ${ports.models.whyNot(data.model)} Start a new thread by leaving out thread_id.`,
  )
}

/** A message that begins a thread may add to the thread's metadata. Returns why it may not, or null. */
function metadataRefusal(before: StartInput['metadata'], added: StartInput['metadata']): Failed | null {
  const bytes = jsonBytes({ ...before, ...added })
  if (bytes <= METADATA_MAX_BYTES) return null
  return fail(
    'invalid_request',
    `The metadata of a thread may have at most ${METADATA_MAX_BYTES} bytes as JSON. Together with the existing entries it would have ${bytes}. Send less metadata.`,
    { errors: [{ path: 'metadata', message: "is too long together with the thread's existing metadata" }] },
  )
}

/** Why an existing thread currently accepts no further message, or no further reader. */
function whyNotNow(thread: ThreadParts, caller: Caller, input: StartInput): Failed | null {
  const { runs, readers } = thread
  // A run may be open that nothing executes, for example because its alarm was lost: this request wakes it.
  if (runs.busy) wakeInBackground(thread)
  if (runs.busy && input.onBusy === 'reject') {
    const [waiting] = thread.approvals.pending(runs.current()?.id ?? '')
    if (waiting)
      return fail(
        'thread_busy',
        `This thread waits for a person's approval of a call of ${cutText(waiting.name, 64)} (${cutText(waiting.toolUseId, 64)}). Answer it with POST /v1/threads/${thread.row.data.id}/runs/${waiting.runId}/approvals/${encodeURIComponent(cutText(waiting.toolUseId, 64))} {"decision": "approve", "digest": "${waiting.digest}"} once you have looked at it in GET /v1/approvals, or {"decision": "deny"}, cancel that run, or send on_busy: "enqueue".`,
      )
    return fail(
      'thread_busy',
      'This thread is still answering another message. Wait until that run has ended, or send on_busy: "enqueue".',
      { retryAfterS: 1 },
    )
  }
  if (runs.queued() >= QUEUE_MAX)
    return fail(
      'thread_busy',
      `This thread already has ${QUEUE_MAX} messages in its queue. Try again later.`,
      {
        retryAfterS: 10,
      },
    )
  return input.follow ? readers.refusal(caller) : null
}

function noThread({ threadId }: StartInput): Failed {
  return fail('not_found', `There is no thread ${threadId}.`)
}

interface ComposedMessage {
  /** The thread's row with its prefix; null if the thread already has a prefix. */
  readonly newRow: ThreadData | null
  readonly composed: Composed
}

/**
 * Composes the message as it will be stored. Fails if its budget does not cover a first response. Stores
 * nothing.
 */
function composeFirst(
  { thread, ports }: ThreadHolder,
  caller: Caller,
  input: StartInput,
  prepared: Prepared,
): Result<ComposedMessage> {
  const existing = thread && !thread.row.hasNoPrefix ? thread : null
  const data = existing ? existing.row.data : threadWithPrefix(ports, caller, input, prepared)
  const { seenIndex, allow } = data
  const { loads, files } = thread ?? NEW_THREAD
  const composed = compose({ seenIndex, allow, loads, files }, input, prepared)
  const paid = checkFirstCall(ports, existing, data, input.budget, composed)
  return paid.ok ? ok({ newRow: existing ? null : data, composed }) : paid
}

const NEW_THREAD: Pick<MessageTarget, 'loads' | 'files'> = {
  loads: { held: () => new Set(), isCurrentVersion: () => false },
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
  const existing = thread ?? holder.create(newRow)
  // A thread is listed after its first message, but this must not delay the first response. If this task is
  // lost, the alarm reports the thread.
  holder.ctx.waitUntil(reportLater(existing, LIST_DELAY_MS))
  return existing
}

/** A stream of the run's events. `isNew` is true if the run has no events yet. */
function follow(
  thread: ThreadParts,
  caller: Caller,
  { runId, after }: { readonly runId: string; readonly after: number },
  onDisconnect: StartInput['onDisconnect'],
  isNew: boolean,
): ReadableStream<Uint8Array> {
  const leave = (): void => {
    if (onDisconnect === 'cancel' && !thread.readers.reading(runId))
      thread.ctx.waitUntil(cancelRun(thread, runId))
  }
  return thread.readers.open(replayOf(thread), { caller, runId, after }, leave, isNew)
}
