// Accepts a message: whatever it promises (a run id, a stream) is on disk before the promise is given.

import type { Caller } from '../../lib/caller.ts'
import { err, fail, ok, type Result } from '../../lib/result.ts'
import { QUEUE_MAX, WATCHDOG_MS } from '../../limits.ts'
import type { StartInput, Started } from '../api.ts'
import { refusedCall } from './call-skills.ts'
import { atomically } from '../atomically.ts'
import { begin, prepare, type Prepared } from './begin.ts'
import { checkpoint } from '../checkpoint.ts'
import type { Core, Outside } from '../core.ts'
import { earlierRun, rememberRequest } from '../rows/idempotency.ts'
import { newborn } from './newborn.ts'
import { Place } from './place.ts'
import { replayOf } from '../events/replay.ts'
import { mayUse, type ThreadData } from '../rows/thread-row.ts'

const TOO_MANY_READERS = fail(
  'overloaded',
  'This thread has too many readers. Send the message without a stream, or later.',
  { retryAfterS: 5 },
)

/** The object around a thread that may not exist yet. */
export interface Home {
  readonly ctx: DurableObjectState
  readonly out: Outside
  core(): Core | null
  /** The object's tables, where it has any: those of a deleted thread, too. */
  sql(): SqlStorage | null
  /** Rows of a deleted thread are still there: nothing can be begun in their place. */
  going(): boolean
  /** Makes the tables and the thread's row; inside the accepting block. */
  birth(thread: ThreadData): Core
  /** Drives the run; the first part of it in this very block. */
  drive(core: Core, runId: string): void
  /** A duplicate of an unfinished run that nothing drives wakes it. */
  kick(core: Core): void
  cancelled(core: Core, runId: string): void
}

/** A thread keeps its model: begun with the demo model, say, it does not go on under another. */
function frozenModel(core: Core): Result<null> {
  const { model } = core.row.data
  if (core.out.models.resolve(model) !== null) return ok(null)
  return fail(
    'prefix_frozen',
    `This thread was begun with the model ${model} and keeps it. ${core.out.models.whyNot(model)} Start a new thread: leave thread_id out.`,
  )
}

function sameList(a: readonly string[] | null, b: readonly string[] | null): boolean {
  return JSON.stringify(a ? [...a].sort() : null) === JSON.stringify(b ? [...b].sort() : null)
}

/** What speaks against this message in this thread, as it is now. */
function refusal(core: Core, caller: Caller, input: StartInput): Result<null> {
  const thread = core.row.data
  if (!mayUse(caller, thread)) return fail('not_found', `There is no thread ${input.threadId}.`)
  if (input.model !== null && input.model !== thread.model)
    return fail(
      'prefix_frozen',
      `This thread was begun with the model ${thread.model} and keeps it. Start a new thread to use ${input.model}.`,
    )
  if (input.allowSkills !== null && !sameList(input.allowSkills, thread.allow))
    return fail(
      'prefix_frozen',
      'The skills that a thread may see are fixed when it begins. Start a new thread for another list.',
    )
  return frozenModel(core)
}

/** The run joins the thread: its row, its first event, its key. */
export function enter(
  core: Core,
  caller: Caller,
  input: StartInput,
  catalog: { readonly version: number; readonly index: string },
  runId: string,
  status: 'queued' | 'running',
): void {
  const at = core.out.now()
  core.row.touch(at)
  const firstSeq = core.log.append(runId, { type: 'run.accepted', status })
  core.runs.insert({
    id: runId,
    requestId: input.requestId,
    status,
    ask: { message: input.message, context: input.context, calls: input.calls, fenced: input.fenced },
    options: {
      key: caller.keyId,
      budget: input.budget,
      effort: input.effort,
      onDisconnect: input.onDisconnect,
      metadata: input.metadata,
    },
    build: input.build,
    catalogVersion: catalog.version,
    catalogIndex: catalog.index,
    model: core.row.data.model,
    at,
    firstSeq,
  })
  rememberRequest(core.ctx.storage.sql, caller, input, runId, at)
}

/** The rows of an accepted message: run, events, key, transcript. Nothing here waits. */
function write(
  core: Core,
  caller: Caller,
  input: StartInput,
  prepared: Prepared,
  runId: string,
  busy: boolean,
): void {
  enter(core, caller, input, prepared.live, runId, busy ? 'queued' : 'running')
  if (!busy) begin(core, runId, prepared)
}

function follow(
  home: Home,
  core: Core,
  runId: string,
  after: number,
  onDisconnect: StartInput['onDisconnect'],
  fresh: boolean,
): ReadableStream<Uint8Array> {
  const leave = (): void => {
    if (onDisconnect === 'cancel' && !core.readers.reading(runId)) home.cancelled(core, runId)
  }
  return core.readers.open(replayOf(core), runId, after, leave, fresh)
}

/** The run that an earlier request made, for the same request again. */
function found(home: Home, core: Core, input: StartInput, runId: string): Result<Started> {
  const run = core.runs.get(runId)
  if (input.follow && core.readers.full) return TOO_MANY_READERS
  const events =
    input.follow && run ? follow(home, core, runId, run.firstSeq - 1, run.options.onDisconnect, false) : null
  return ok({ thread_id: core.row.data.id, run_id: runId, created: false, events })
}

function busyWith(core: Core): boolean {
  return core.runs.running() !== null || core.runs.queued() > 0
}

/**
 * The answer to a request that was made before; null: it is a new one. Needs nothing but rows, so that a retry is
 * answered while the catalog is away.
 */
function repeated(home: Home, caller: Caller, input: StartInput): Result<Started> | null {
  const sql = home.sql()
  const core = home.core()
  if (!sql || (core && !mayUse(caller, core.row.data))) return null
  const lives = core !== null && !core.closing
  const known = earlierRun(sql, caller, input, lives, (core?.out ?? home.out).now())
  if (!known.ok) return known
  if (known.value === null || !core) return null
  home.kick(core)
  return found(home, core, input, known.value)
}

export async function accept(home: Home, caller: Caller, input: StartInput): Promise<Result<Started>> {
  const runId = input.runId ?? home.out.newId('run')
  const place = new Place(home.ctx, home.out, caller, input, runId)
  let mine = false
  try {
    const answer = await acceptAs(home, caller, input, runId, place)
    mine = answer.ok && answer.value.run_id === runId
    return answer
  } finally {
    if (!mine) place.giveBack()
  }
}

async function acceptAs(
  home: Home,
  caller: Caller,
  input: StartInput,
  runId: string,
  place: Place,
): Promise<Result<Started>> {
  const before = home.core()
  const again = repeated(home, caller, input)
  if (again) return again
  if (before ? before.closing : home.going() || !input.create)
    return fail('not_found', `There is no thread ${input.threadId}.`)
  if (before) {
    const refused = refusal(before, caller, input)
    if (!refused.ok) return refused
  }
  const busyBefore = before !== null && busyWith(before)
  // What is going to be refused because its thread is busy takes no place among its key's runs.
  const needsPlace = !busyBefore || input.onBusy === 'enqueue'
  const [prepared, granted] = await Promise.all([
    prepare(home.out, caller.workspace, input.build, before?.row.isBare === false ? before.row.data : null, {
      allow: input.allowSkills,
      calls: input.calls,
    }),
    needsPlace ? place.ask(busyBefore) : ok(null),
  ])
  // That was a wait: everything below is decided on what is true now, without another.
  const now = home.core()
  const meanwhile = repeated(home, caller, input)
  if (meanwhile) return meanwhile
  if (now ? now.closing : before || home.going())
    return fail('not_found', `There is no thread ${input.threadId}.`)
  if (now && !before) {
    const refused = refusal(now, caller, input)
    if (!refused.ok) return refused
  }
  if (!prepared.ok) return prepared
  const uncallable = refusedCall(prepared.value.called)
  if (uncallable) return err(uncallable)
  const busy = now !== null && busyWith(now)
  // Busy with what nothing drives, should its alarm have been lost: then this request is what wakes it.
  if (busy) home.kick(now)
  if (busy && input.onBusy === 'reject')
    return fail(
      'thread_busy',
      'This thread is answering another message. Wait for its end, or send on_busy: "enqueue".',
      { retryAfterS: 1 },
    )
  if (busy && now.runs.queued() >= QUEUE_MAX)
    return fail('thread_busy', `${QUEUE_MAX} messages wait in this thread already.`, { retryAfterS: 10 })
  if (input.follow && now?.readers.full) return TOO_MANY_READERS
  if (!granted.ok) return granted
  const core = now ?? home.birth(newborn(home.out, caller, input, prepared.value))
  if (core.row.isBare) core.row.freeze(newborn(home.out, caller, input, prepared.value))
  // Attached before the run's first event is written, so that nothing has to be read back for it.
  const events = input.follow ? follow(home, core, runId, core.log.last, input.onDisconnect, true) : null
  atomically(core, () => {
    write(core, caller, input, prepared.value, runId, busy)
    if (busy) return
    void core.alarm.by(core.out.now() + WATCHDOG_MS)
    // In this block, so that what it writes before it first waits shares these rows. Taken back with it, it holds nothing.
    home.drive(core, runId)
  })
  place.taken(busy)
  const answer = ok({ thread_id: core.row.data.id, run_id: runId, created: true, events })
  await checkpoint('accepted', home.ctx)
  core.log.soon()
  return answer
}
