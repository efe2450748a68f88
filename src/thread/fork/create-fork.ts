// Creates a fork in its own object. It is marked as deleted until its last transaction commits it. A fork
// whose creation was interrupted is therefore never visible: it is purged like a deleted thread, including its files in
// the store.

import { NO_USAGE } from '../../agent/message.ts'
import { Objects, type StorageUsage } from '../../files/objects.ts'
import type { Caller } from '../../lib/caller.ts'
import { logText } from '../../lib/redact.ts'
import { err, fail, ok, type Result } from '../../lib/result.ts'
import { IDEMPOTENCY_RETENTION_MS } from '../../limits/requests.ts'
import { FORK_CLEANUP_AFTER_MS, FORK_SEARCH_MESSAGES_MAX } from './limits.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import { releaseSpaceInBackground, reserveSpace } from '../executor/file-space.ts'
import { estimateInputTokens } from '../windows/input-tokens.ts'
import { keyUsedAt, storeKey } from '../rows/idempotency.ts'
import { WITHOUT_PREFIX, mayUse, ownerOf, type ThreadData } from '../rows/thread-row.ts'
import type { ThreadHolder } from '../holder.ts'
import { reportAndSetAlarm } from '../start/scheduler.ts'
import { admitThread } from '../start/admit-thread.ts'
import type { ForkHead, ForkInput } from './api.ts'
import { copyAll } from './copy.ts'
import { withForkTimeout } from './fork-timeout.ts'

type ForkResult = Result<{ readonly thread_id: string }>

const ID_TAKEN = fail(
  'name_taken',
  'A thread with this ID already exists or is being deleted. Choose another ID.',
)
const OTHER_REQUEST = fail(
  'idempotency_mismatch',
  'This Idempotency-Key was already used with a different request. Send a new key for a new request.',
)
const THREAD_DELETED = fail(
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
): Promise<ForkResult> {
  const answerBefore = immediateAnswer(holder, caller, input)
  if (answerBefore) return answerBefore
  if (holder.isMarkedDeleted) {
    // These rows belong to a failed attempt, or to a thread deleted a moment ago. New rows
    // will have the same mark, so even the cleanup of late bytes must end before they are written.
    await purge()
    const answerAfterPurge = immediateAnswer(holder, caller, input)
    if (answerAfterPurge) return answerAfterPurge
    if (holder.hasDeletedRows) return INCOMPLETE
  }
  const result = createForkSafely(holder, caller, input)
  holder.forkInProgress = { input, owner: ownerOf(caller), done: result }
  const answer = await result
  holder.forkInProgress = null
  if (!answer.ok && holder.hasDeletedRows) holder.ctx.waitUntil(purge())
  return answer
}

/** The response to a repeated request, or a refusal; null if the fork must be created. */
function immediateAnswer(
  holder: ThreadHolder,
  caller: Caller,
  input: ForkInput,
): ForkResult | Promise<ForkResult> | null {
  const { thread, forkInProgress, sql } = holder
  const isSameRequest = (from: string, messageId: string): boolean =>
    from === input.from && messageId === input.messageId
  const conflict = input.key === null ? ID_TAKEN : OTHER_REQUEST
  if (forkInProgress) {
    if (forkInProgress.owner !== ownerOf(caller)) return ID_TAKEN
    return isSameRequest(forkInProgress.input.from, forkInProgress.input.messageId)
      ? forkInProgress.done
      : conflict
  }
  if (thread && !thread.closing) {
    const { forkedFrom } = thread.row.data
    if (!forkedFrom || !mayUse(caller, thread.row.data)) return ID_TAKEN
    if (!isSameRequest(forkedFrom.thread_id, forkedFrom.message_id)) return conflict
    return ok({ thread_id: input.threadId })
  }
  if (input.key === null || !sql) return null
  const usedAt = keyUsedAt(sql, caller, forkKey(input.key))
  return usedAt !== null && holder.ports.now() - usedAt <= IDEMPOTENCY_RETENTION_MS ? THREAD_DELETED : null
}

function forkKey(key: string): string {
  return `fork ${key}`
}

/** Calls `createFork`, but never rejects. */
async function createForkSafely(holder: ThreadHolder, caller: Caller, input: ForkInput): Promise<ForkResult> {
  try {
    return await createFork(holder, caller, input)
  } catch (error) {
    console.warn(JSON.stringify({ at: 'thread.fork', from: input.from, error: logText(error) }))
    return INCOMPLETE
  }
}

async function createFork(holder: ThreadHolder, caller: Caller, input: ForkInput): Promise<ForkResult> {
  const { ctx, ports } = holder
  const { threadId, from, messageId } = input
  const head = await withForkTimeout(ports.thread(caller.workspace, from).forkHead(caller, messageId))
  if (!head.ok) return err(head.error)
  const admitted = await admitThread(ports, caller.workspace, threadId, caller.keyId)
  if (!admitted.ok) return err(admitted.error)
  const now = ports.now()
  const data = newThreadData(caller, input, head.value, now)
  holder.createDraft(data, now)
  // The draft is on disk before anything is copied, so that the granted space is released if this object
  // dies.
  const used = (): StorageUsage => {
    // Objects being copied become objects of files once the thread is committed.
    const { stored } = new Objects(ctx.storage.sql).usage()
    return { kept: stored, stored }
  }
  const owner = { ctx, data, ports, used }
  await ctx.storage.setAlarm(now + FORK_CLEANUP_AFTER_MS)
  const reserved = await reserveSpace(owner, head.value.bytes, head.value.bytes)
  if (!reserved.ok) return err(reserved.error)
  const copied = await copyAll(ctx, ports, caller, input, head.value.cut, () => reserveSpace(owner, 0, 0))
  if (!copied.ok) return err(copied.error)
  // The branch is registered before the commit: if the fork then fails, its entry is removed again, but a committed
  // fork without an entry would never be listed.
  const answer = await withForkTimeout(
    ports.thread(caller.workspace, from).registerBranch(caller, { threadId, messageId, at: now }),
  )
  if (!answer.ok) return err(answer.error)
  await checkpoint('fork.copied', ctx)
  const thread = holder.commitDraft((parts) => {
    const { sql } = ctx.storage
    sql.exec('UPDATE objects SET loose_at = NULL WHERE id > 0')
    parts.row.setUsage(estimateInputTokens(parts), NO_USAGE)
    if (input.key !== null) storeKey(sql, caller, forkKey(input.key), { digest: '', runId: '', usedAt: now })
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
  now: number,
): ThreadData {
  return {
    // The windows are copied.
    ...WITHOUT_PREFIX,
    ...head.data,
    id: threadId,
    workspace: caller.workspace,
    owner: ownerOf(caller),
    user: caller.user,
    madeBy: caller.keyId,
    createdAt: now,
    updatedAt: now,
    contextTokens: 0,
    cachedPrompt: null,
    usage: NO_USAGE,
    approvalsChange: 0,
    approvalsReported: 0,
    textsReported: Math.max(0, head.cut.message - 1 - FORK_SEARCH_MESSAGES_MAX),
    root: head.root ?? threadId,
    forkedFrom: { thread_id: from, message_id: messageId, messages: head.messages },
  }
}
