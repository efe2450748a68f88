// Rate limits and queues for expensive requests. A request first counts against its key's rate limit and then waits in a queue.

import type { Caller } from '../../lib/caller.ts'
import { systemClock } from '../../lib/clock.ts'
import { pause } from '../../lib/pause.ts'
import { ok, type Result } from '../../lib/result.ts'
import { startPace, type Pace } from '../../lib/steps.ts'
import {
  ARCHIVE_QUEUE,
  BLOB_QUEUE,
  CHANGE_QUEUE,
  DELIVERY_BATCH,
  DELIVERY_QUEUE,
  DIFF_QUEUE,
  FILE_WRITE_QUEUE,
  FIND_QUEUE,
  FORK_QUEUE,
  FORK_COOLDOWN,
  HISTORY_QUEUE,
  MATCH_QUEUE,
  WORKSPACE_QUEUE,
} from './limits.ts'
import type { DeliveryAnswer, ReceivedDelivery } from '../../webhooks/api.ts'
import { Batches } from './batches.ts'
import { blockRate, refuseBlocked, refuseOverRate } from './rate.ts'
import { TOO_MANY_DELIVERIES } from '../../webhooks/rate.ts'
import { withCooldown } from './cooldown.ts'
import type { HttpContext, KeyedRoute, Reply } from '../route/route.ts'
import { RequestQueue, type QueueRules } from './request-queue.ts'
import type { Slot } from '../../lib/semaphore-slot.ts'
import { holdWhileSent } from './hold-while-sent.ts'

/** A handler that runs in a queue. During long work, `pace` yields regularly and tells the queue that the work continues. */
type Handle = (c: HttpContext, caller: Caller, pace: Pace) => Promise<Reply>

const TOO_MANY = 'Too many requests of this kind were sent with this key. Wait, then try again.'

const archives = new RequestQueue(ARCHIVE_QUEUE, systemClock)
const matches = new RequestQueue(MATCH_QUEUE, systemClock)
const deliveries = new Batches<ReceivedDelivery, DeliveryAnswer>(
  new RequestQueue(DELIVERY_QUEUE, systemClock),
  { ...DELIVERY_BATCH, sizeOf: ({ body }) => body.byteLength },
  systemClock,
)
const fileWrites = new RequestQueue(FILE_WRITE_QUEUE, systemClock)
const workspaces = new RequestQueue(WORKSPACE_QUEUE, systemClock)

/** Checks a limit on requests per minute; returns null if it has not been reached. */
type Limit = (c: HttpContext, key: string) => Result<never> | null

/** Creates a queue for handlers, with a rate limit that is checked first. */
function queued(rules: QueueRules, limit: Limit = () => null): (handle: Handle) => KeyedRoute['handle'] {
  const queue = new RequestQueue(rules, systemClock)
  return (handle) => (c, caller) => limit(c, keyOf(caller)) ?? run(queue, handle)(c, caller)
}

/** The queue for changes and trials of skills, each of which may read, scan and write tens of megabytes. */
export const queueChange = queued(CHANGE_QUEUE, (c, key) => {
  const isTrial = /^(?:1|true)$/.test(c.req.query('dry_run') ?? '')
  const [limiter, kind] = isTrial ? [c.env.TRIAL_RATE, 'trial'] : [c.env.CHANGE_RATE, 'change']
  return refuseOverRate(c, limiter, `${kind} ${key}`, TOO_MANY)
})

/** The queue for uploads of files for a later commit: a few megabytes each, without a scan. */
export const queueBlob = queued(BLOB_QUEUE)

/** The queue for comparisons of two versions. Has a separate rate limit that is as high as that of trials. */
export const queueComparison = queued(DIFF_QUEUE, (c, key) =>
  refuseOverRate(c, c.env.TRIAL_RATE, `diff ${key}`, TOO_MANY),
)

/** Queues downloads of versions that are packed while they are sent. Has a separate rate limit, as high as that of trials. */
export function queueArchive(handle: Handle): KeyedRoute['handle'] {
  return (c, caller) =>
    refuseOverRate(c, c.env.TRIAL_RATE, `archive ${keyOf(caller)}`, TOO_MANY) ??
    holdWhileSent(archives, keyOf(caller), systemClock, (slot) => handle(c, caller, paceOf(slot)))
}

/** Limits requests that read the catalog, as the first message of a thread does. The separate limit is as high as that of messages. */
export function limitCatalogRead(handle: KeyedRoute['handle']): KeyedRoute['handle'] {
  return (c, caller) =>
    refuseOverRate(c, c.env.CHAT_RATE, `catalog ${keyOf(caller)}`, TOO_MANY) ?? handle(c, caller)
}

const queueFork = queued(FORK_QUEUE, (c, key) => refuseOverRate(c, c.env.FORK_RATE, `fork ${key}`, TOO_MANY))

/**
 * Queues forks, which copy a thread with its files. Has a separate rate limit. A fork keeps its slot longer than the copy takes, so
 * that a key that forks in a loop leaves most of the time to others.
 */
export function queueForkWithCooldown(handle: Handle): KeyedRoute['handle'] {
  return queueFork((...request) => withCooldown(FORK_COOLDOWN, () => handle(...request), systemClock, pause))
}

/** The queue for thread searches. Has a separate rate limit that is as high as that of skill searches. */
export const queueThreadSearch = queued(FIND_QUEUE, (c, key) =>
  refuseOverRate(c, c.env.MATCH_RATE, `find ${key}`, TOO_MANY),
)

/**
 * Queues requests to the workspace's object other than messages. Has a separate rate limit that is as high as that of messages. Do
 * not read a body inside `work`, because a body that never arrives would hold the slot.
 */
export async function queueWorkspace<T>(
  c: HttpContext,
  caller: Caller,
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const key = keyOf(caller)
  const limited = refuseOverRate(c, c.env.CHAT_RATE, `workspace ${key}`, TOO_MANY)
  return limited ?? workspaces.run(key, work)
}

/** The queue for pages of a thread's history. Each takes megabytes, and several times as much while it is converted to a response. */
export const queueHistory = queued(HISTORY_QUEUE)

/** Refuses a hook that is over its limit, before its body is read. */
export function refuseOverHookRate(hook: string): Result<never> | null {
  return refuseBlocked(hookRate(hook), TOO_MANY_DELIVERIES)
}

/**
 * Queues a delivery of this hook, after its body was read. Deliveries that wait are recorded together. The hook's object counts those
 * that are genuine; once it refuses one, this isolate reads no more bodies for a while.
 */
export async function queueDelivery(
  c: HttpContext,
  hook: string,
  delivery: ReceivedDelivery,
  record: (batch: readonly ReceivedDelivery[]) => Promise<readonly DeliveryAnswer[]>,
): Promise<DeliveryAnswer> {
  const answer = await deliveries.run(hook, delivery, record, (work) => c.executionCtx.waitUntil(work))
  const result = answer.ok ? answer.value : answer
  if (!result.ok && result.error.code === 'rate_limited') blockRate(hookRate(hook))
  return result
}

function hookRate(hook: string): string {
  return `hook ${hook}`
}

/** Queues a change of a thread's files, including their bytes. Has a separate rate limit that is as high as that of messages. */
export async function queueFileWrite<T>(
  c: HttpContext,
  caller: Caller,
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const key = keyOf(caller)
  return refuseOverRate(c, c.env.CHAT_RATE, `files ${key}`, TOO_MANY) ?? fileWrites.run(key, work)
}

/** Queues skill searches. Reads the body before the request enters the queue, so that a body that never arrives holds no slot. */
export function queueSkillSearch<T>(
  read: (c: HttpContext) => Promise<Result<T>>,
  handle: (c: HttpContext, caller: Caller, question: T) => Promise<Reply>,
): KeyedRoute['handle'] {
  return async (c, caller) => {
    const limited = refuseOverRate(c, c.env.MATCH_RATE, `match ${keyOf(caller)}`, TOO_MANY)
    if (limited) return limited
    const question = await read(c)
    if (!question.ok) return question
    return run(matches, async () => handle(c, caller, question.value))(c, caller)
  }
}

function run(queue: RequestQueue, handle: Handle): (c: HttpContext, caller: Caller) => Promise<Reply> {
  return async (c, caller) => {
    const result = await queue.run(keyOf(caller), async (slot) => {
      return ok(await handle(c, caller, paceOf(slot)))
    })
    return result.ok ? result.value : result
  }
}

/** For work in steps: yields to the event loop and tells the queue that the work is still in progress. */
export function paceOf(slot: Slot): Pace {
  return startPace(async () => {
    slot.reportProgress()
    await pause(0)
  }, slot.reportProgress)
}

function keyOf(caller: Caller): string {
  return `${caller.workspace}/${caller.keyId}`
}
