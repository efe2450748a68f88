// Creates a fork in its own object. It is marked as deleted until its last transaction commits it. A fork
// whose object died is therefore never visible: it is purged like a deleted thread, including its objects in
// the store.

import { NO_USAGE } from '../../agent/message.ts'
import { Objects, type StorageUsage } from '../../files/objects.ts'
import type { Caller } from '../../lib/caller.ts'
import { redact } from '../../lib/redact.ts'
import { err, fail, ok, type Result } from '../../lib/result.ts'
import { IDEMPOTENCY_RETENTION_MS } from '../../limits/requests.ts'
import { FORK_ALARM_MS, FORK_MESSAGES_SEARCHED } from './limits.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import { releaseSpaceInBackground, reserveSpace } from '../executor/file-space.ts'
import { inputTokens } from '../executor/input-tokens.ts'
import { keyUsedAt, rememberKey } from '../rows/idempotency.ts'
import { mayUse, ownerOf, type ThreadData } from '../rows/thread-row.ts'
import type { ThreadHolder } from '../holder.ts'
import { reportAndSetAlarm } from '../start/scheduler.ts'
import { admitThread } from '../start/admit-thread.ts'
import type { ForkHead, ForkInput } from './api.ts'
import { copyAll } from './copy.ts'
import { withForkTimeout } from './fork-timeout.ts'

type Forked = Result<{ readonly thread_id: string }>

const TAKEN = fail(
  'name_taken',
  'A thread with this ID already exists or is being deleted. Choose another ID.',
)
const OTHER_REQUEST = fail(
  'idempotency_mismatch',
  'This Idempotency-Key was already used with a different request. Send a new key for a new request.',
)
const GONE = fail(
  'gone',
  'The thread that this Idempotency-Key created was deleted. Send a new key to create another thread.',
)
const INCOMPLETE = fail('overloaded', 'The copy of the thread could not be completed. Try again.', {
  retryAfterS: 1,
})

/** `purge` continues the marked deletion in this object. */
export async function forkThread(
  holder: ThreadHolder,
  caller: Caller,
  input: ForkInput,
  purge: () => Promise<void>,
): Promise<Forked> {
  const before = immediateAnswer(holder, caller, input)
  if (before) return before
  if (holder.isMarked) {
    // These rows belong to a failed attempt, or to a thread deleted a moment ago. Even the cleanup of late
    // bytes must end before new rows are written, because they will have the same mark.
    await purge()
    const meanwhile = immediateAnswer(holder, caller, input)
    if (meanwhile) return meanwhile
    if (holder.hasDeletedRows) return INCOMPLETE
  }
  const done = createForkSafely(holder, caller, input)
  holder.forking = { input, owner: ownerOf(caller), done }
  const answer = await done
  holder.forking = null
  if (!answer.ok && holder.hasDeletedRows) holder.ctx.waitUntil(purge())
  return answer
}

/** The response to a repeated request, or a refusal; null if the fork must be created. */
function immediateAnswer(
  holder: ThreadHolder,
  caller: Caller,
  input: ForkInput,
): Forked | Promise<Forked> | null {
  const { thread, forking, sql } = holder
  const isSame = (from: string, messageId: string): boolean =>
    from === input.from && messageId === input.messageId
  const other = input.key === null ? TAKEN : OTHER_REQUEST
  if (forking) {
    if (forking.owner !== ownerOf(caller)) return TAKEN
    return isSame(forking.input.from, forking.input.messageId) ? forking.done : other
  }
  if (thread && !thread.closing) {
    const { forkedFrom } = thread.row.data
    if (!forkedFrom || !mayUse(caller, thread.row.data)) return TAKEN
    if (!isSame(forkedFrom.thread_id, forkedFrom.message_id)) return other
    return ok({ thread_id: input.threadId })
  }
  if (input.key === null || !sql) return null
  const used = keyUsedAt(sql, caller, forkKey(input.key))
  return used !== null && holder.ports.now() - used <= IDEMPOTENCY_RETENTION_MS ? GONE : null
}

function forkKey(key: string): string {
  return `fork ${key}`
}

/** Calls `createFork`, but never rejects. */
async function createForkSafely(holder: ThreadHolder, caller: Caller, input: ForkInput): Promise<Forked> {
  try {
    return await createFork(holder, caller, input)
  } catch (error) {
    console.warn(JSON.stringify({ at: 'thread.fork', from: input.from, error: redact(String(error)) }))
    return INCOMPLETE
  }
}

async function createFork(holder: ThreadHolder, caller: Caller, input: ForkInput): Promise<Forked> {
  const { ctx, ports } = holder
  const { threadId, from, messageId } = input
  const head = await withForkTimeout(ports.thread(caller.workspace, from).forkHead(caller, messageId))
  if (!head.ok) return err(head.error)
  const room = await admitThread(ports, caller.workspace, threadId, caller.keyId)
  if (!room.ok) return err(room.error)
  const at = ports.now()
  const data = newThreadData(caller, input, head.value, at)
  holder.createDraft(data, at)
  // The draft is on disk before anything is copied, so that the granted space is released if this object
  // dies.
  const used = (): StorageUsage => {
    // Objects being copied become objects of files once the thread is committed.
    const { stored } = new Objects(ctx.storage.sql).usage()
    return { kept: stored, stored }
  }
  const owner = { ctx, data, ports, used }
  await ctx.storage.setAlarm(at + FORK_ALARM_MS)
  const taken = await reserveSpace(owner, head.value.bytes, head.value.bytes)
  if (!taken.ok) return err(taken.error)
  const copied = await copyAll(ctx, ports, caller, input, head.value.cut, () => reserveSpace(owner, 0, 0))
  if (!copied.ok) return err(copied.error)
  // Called before the commit: the entry of a fork that fails is removed again, but a fork without an entry
  // would never be listed.
  const answer = await withForkTimeout(
    ports.thread(caller.workspace, from).registerBranch(caller, { threadId, messageId, at }),
  )
  if (!answer.ok) return err(answer.error)
  await checkpoint('fork.copied', ctx)
  const thread = holder.commitDraft((parts) => {
    const { sql } = ctx.storage
    sql.exec('UPDATE objects SET loose_at = NULL WHERE id > 0')
    parts.row.setUsage(inputTokens(parts), NO_USAGE)
    if (input.key !== null) rememberKey(sql, caller, forkKey(input.key), { digest: '', runId: '', at })
  })
  await thread.log.sync()
  await checkpoint('fork.done', ctx)
  releaseSpaceInBackground(thread)
  ctx.waitUntil(reportAndSetAlarm(thread))
  return ok({ thread_id: threadId })
}

function newThreadData(
  caller: Caller,
  { threadId, from, messageId }: ForkInput,
  head: ForkHead,
  at: number,
): ThreadData {
  return {
    ...head.data,
    id: threadId,
    workspace: caller.workspace,
    owner: ownerOf(caller),
    user: caller.user,
    madeBy: caller.keyId,
    createdAt: at,
    updatedAt: at,
    contextTokens: 0,
    cachedPrompt: null,
    usage: NO_USAGE,
    approvalsChange: 0,
    approvalsReported: 0,
    textsReported: Math.max(0, head.cut.message - 1 - FORK_MESSAGES_SEARCHED),
    forkedFrom: { thread_id: from, message_id: messageId },
  }
}
