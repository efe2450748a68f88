// The side of the thread that is made out of another. From its first row on it is marked as deleted, and its last block takes
// the mark off: a fork that its object died of was never there, and goes as any deleted thread does, with its objects.

import { NO_USAGE } from '../../agent/message.ts'
import { Objects, type Used } from '../../files/objects.ts'
import type { Caller } from '../../lib/caller.ts'
import { redact } from '../../lib/redact.ts'
import { err, fail, ok, type Result } from '../../lib/result.ts'
import { IDEMPOTENCY_RETENTION_MS } from '../../limits/requests.ts'
import { FORK_ALARM_MS, FORK_MESSAGES_SEARCHED } from './limits.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import { giveBackBehind, takeRoom } from '../executor/file-room.ts'
import { inputTokens } from '../executor/input-tokens.ts'
import { keyUsed, rememberKey } from '../rows/idempotency.ts'
import { mayUse, ownerOf, type ThreadData } from '../rows/thread-row.ts'
import type { ThreadHolder } from '../holder.ts'
import { settle } from '../start/scheduler.ts'
import { threadRoom } from '../start/thread-room.ts'
import type { ForkHead, ForkInput } from './api.ts'
import { copyAll } from './copy.ts'
import { inTime } from './in-time.ts'

type Forked = Result<{ readonly thread_id: string }>

const TAKEN = fail('name_taken', 'A thread of this id exists, or is being deleted.')
const OTHER_REQUEST = fail(
  'idempotency_mismatch',
  'This Idempotency-Key was used with another request. Send a new key for a new request.',
)
const GONE = fail(
  'gone',
  'The thread that this Idempotency-Key made was deleted. Send a new key to make another.',
)
const BROKEN_OFF = fail('overloaded', 'The thread could not be copied as a whole. Try again.', {
  retryAfterS: 1,
})

/** `purge`: goes on with what is marked as deleted in this object. */
export async function forkThread(
  holder: ThreadHolder,
  caller: Caller,
  input: ForkInput,
  purge: () => Promise<void>,
): Promise<Forked> {
  const before = answerNow(holder, caller, input)
  if (before) return before
  if (holder.isMarked) {
    // What is left of an attempt that broke off, or of a thread that was deleted a moment ago. Also what only looks after late
    // bytes has to be over: what is about to be written bears the same mark.
    await purge()
    const meanwhile = answerNow(holder, caller, input)
    if (meanwhile) return meanwhile
    if (holder.going) return BROKEN_OFF
  }
  const done = made(holder, caller, input)
  holder.forking = { input, owner: ownerOf(caller), done }
  const answer = await done
  holder.forking = null
  if (!answer.ok && holder.going) holder.ctx.waitUntil(purge())
  return answer
}

/** The answer to a request that was made before, or what stands in its way; null: neither. */
function answerNow(holder: ThreadHolder, caller: Caller, input: ForkInput): Forked | Promise<Forked> | null {
  const { thread, forking, sql } = holder
  const isAsked = (from: string, messageId: string): boolean =>
    from === input.from && messageId === input.messageId
  const other = input.key === null ? TAKEN : OTHER_REQUEST
  if (forking) {
    if (forking.owner !== ownerOf(caller)) return TAKEN
    return isAsked(forking.input.from, forking.input.messageId) ? forking.done : other
  }
  if (thread && !thread.closing) {
    const { forkedFrom } = thread.row.data
    if (!forkedFrom || !mayUse(caller, thread.row.data)) return TAKEN
    if (!isAsked(forkedFrom.thread_id, forkedFrom.message_id)) return other
    return ok({ thread_id: input.threadId })
  }
  if (input.key === null || !sql) return null
  const used = keyUsed(sql, caller, forkKey(input.key))
  return used !== null && holder.out.now() - used <= IDEMPOTENCY_RETENTION_MS ? GONE : null
}

function forkKey(key: string): string {
  return `fork ${key}`
}

/** Never rejects. */
async function made(holder: ThreadHolder, caller: Caller, input: ForkInput): Promise<Forked> {
  try {
    return await make(holder, caller, input)
  } catch (error) {
    console.warn(JSON.stringify({ at: 'thread.fork', from: input.from, error: redact(String(error)) }))
    return BROKEN_OFF
  }
}

async function make(holder: ThreadHolder, caller: Caller, input: ForkInput): Promise<Forked> {
  const { ctx, out } = holder
  const { threadId, from, messageId } = input
  const head = await inTime(out.thread(caller.workspace, from).forkHead(caller, messageId))
  if (!head.ok) return err(head.error)
  const room = await threadRoom(out, caller.workspace, threadId, caller.keyId)
  if (!room.ok) return err(room.error)
  const at = out.now()
  const data = created(caller, input, head.value, at)
  holder.createDraft(data, at)
  // Before anything is copied, and on disk here: should this object die now, what was granted is given back.
  const used = (): Used => {
    // Those on their way here are files' once the thread is there.
    const { stored } = new Objects(ctx.storage.sql).used()
    return { kept: stored, stored }
  }
  const owner = { ctx, data, out, used }
  await ctx.storage.setAlarm(at + FORK_ALARM_MS)
  const taken = await takeRoom(owner, head.value.bytes, head.value.bytes)
  if (!taken.ok) return err(taken.error)
  const copied = await copyAll(ctx, out, caller, input, head.value.cut, () => takeRoom(owner, 0, 0))
  if (!copied.ok) return err(copied.error)
  // Before it is there: a branch that never came to be is taken off again, one that nobody knows of would never be listed.
  const heard = await inTime(out.thread(caller.workspace, from).branched(caller, { threadId, messageId, at }))
  if (!heard.ok) return err(heard.error)
  await checkpoint('fork.copied', ctx)
  const thread = holder.commitDraft((parts) => {
    const { sql } = ctx.storage
    sql.exec('UPDATE objects SET loose_at = NULL WHERE id > 0')
    parts.row.used(inputTokens(parts), NO_USAGE)
    if (input.key !== null) rememberKey(sql, caller, forkKey(input.key), { digest: '', runId: '', at })
  })
  await thread.log.sync()
  await checkpoint('fork.done', ctx)
  giveBackBehind(thread)
  ctx.waitUntil(settle(thread))
  return ok({ thread_id: threadId })
}

function created(
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
    approvalsHeard: 0,
    textsHeard: Math.max(0, head.cut.message - 1 - FORK_MESSAGES_SEARCHED),
    forkedFrom: { thread_id: from, message_id: messageId },
  }
}
