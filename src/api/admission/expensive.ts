// Limits and queues for expensive requests: requests per minute of a key, then a turn in a queue.

import type { Caller } from '../../lib/caller.ts'
import { systemClock } from '../../lib/clock.ts'
import { ok, type Result } from '../../lib/result.ts'
import { startPace, type Pace } from '../../lib/steps.ts'
import {
  ARCHIVE_QUEUE,
  BLOB_QUEUE,
  CHANGE_QUEUE,
  DELIVERY_QUEUE,
  DIFF_QUEUE,
  FILE_WRITE_QUEUE,
  FIND_QUEUE,
  FORK_QUEUE,
  FORK_REST,
  HISTORY_QUEUE,
  MATCH_QUEUE,
  WORKSPACE_QUEUE,
} from './limits.ts'
import { blockedByRate, countRate, overRate } from './rate.ts'
import { withRest } from './rest.ts'
import type { HttpContext, KeyedRoute, Reply } from '../route/route.ts'
import { RequestQueue, type QueueRules } from './request-queue.ts'
import type { QueueTurn } from '../../lib/weighted-semaphore.ts'
import { whileSent } from './while-sent.ts'

/** `pace`: for long work. It yields now and then, and tells the queue that the work continues. */
type Handle = (c: HttpContext, caller: Caller, pace: Pace) => Promise<Reply>

const TOO_MANY = 'Too many requests of this kind with this key in a minute.'

const archives = new RequestQueue(ARCHIVE_QUEUE, systemClock)
const matches = new RequestQueue(MATCH_QUEUE, systemClock)
const deliveries = new RequestQueue(DELIVERY_QUEUE, systemClock)
const fileWrites = new RequestQueue(FILE_WRITE_QUEUE, systemClock)
const workspaces = new RequestQueue(WORKSPACE_QUEUE, systemClock)

/** A limit on requests per minute; null if it is not reached. */
type Limit = (c: HttpContext, key: string) => Result<never> | null

/** Work in its own queue, after its rate limit. */
function queued(rules: QueueRules, limit: Limit = () => null): (handle: Handle) => KeyedRoute['handle'] {
  const queue = new RequestQueue(rules, systemClock)
  return (handle) => (c, caller) => limit(c, keyOf(caller)) ?? inTurn(queue, handle)(c, caller)
}

/** Changes and trials of skills: each may read, scan and write tens of megabytes. */
export const change = queued(CHANGE_QUEUE, (c, key) => {
  const trial = /^(?:1|true)$/.test(c.req.query('dry_run') ?? '')
  const [limiter, what] = trial ? [c.env.TRIAL_RATE, 'trial'] : [c.env.CHANGE_RATE, 'change']
  return overRate(c, limiter, `${what} ${key}`, TOO_MANY)
})

/** A file for a later commit: a few megabytes, without a scan. */
export const blob = queued(BLOB_QUEUE)

/** A comparison of two versions. Has its own rate limit, as high as that of trials. */
export const comparison = queued(DIFF_QUEUE, (c, key) =>
  overRate(c, c.env.TRIAL_RATE, `diff ${key}`, TOO_MANY),
)

/** A version packed while it is sent. Has its own rate limit, as high as that of comparisons. */
export function archived(handle: Handle): KeyedRoute['handle'] {
  return (c, caller) =>
    overRate(c, c.env.TRIAL_RATE, `archive ${keyOf(caller)}`, TOO_MANY) ??
    whileSent(archives, keyOf(caller), systemClock, (turn) => handle(c, caller, paceOf(turn)))
}

/**
 * Requests that read the catalog, as the first message of each thread does. Has its own rate limit, as high as that of messages.
 */
export function catalogRead(handle: KeyedRoute['handle']): KeyedRoute['handle'] {
  return (c, caller) =>
    overRate(c, c.env.CHAT_RATE, `catalog ${keyOf(caller)}`, TOO_MANY) ?? handle(c, caller)
}

const copies = queued(FORK_QUEUE, (c, key) => overRate(c, c.env.FORK_RATE, `fork ${key}`, TOO_MANY))

/**
 * A fork copies a thread with its files. Has its own rate limit. It keeps its turn longer than the copy takes, so that a key that
 * forks in a loop leaves most of the time to others.
 */
export function copy(handle: Handle): KeyedRoute['handle'] {
  return copies((...wanted) => withRest(FORK_REST, () => handle(...wanted), systemClock, pause))
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
}

/** A search for threads. Has its own rate limit, as high as that of skill search. */
export const finding = queued(FIND_QUEUE, (c, key) => overRate(c, c.env.MATCH_RATE, `find ${key}`, TOO_MANY))

/**
 * Requests to the workspace's object other than messages. Has its own rate limit, as high as that of messages. Do not read a
 * body inside: a body that never arrives would hold the slot.
 */
export async function inWorkspace<T>(
  c: HttpContext,
  caller: Caller,
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const key = keyOf(caller)
  const limited = overRate(c, c.env.CHAT_RATE, `workspace ${key}`, TOO_MANY)
  return limited ?? workspaces.inTurn(key, work)
}

/** A page of a thread's history: megabytes, and several times as much while it becomes a response. */
export const history = queued(HISTORY_QUEUE)

/** Refuses a hook over its limit, before its body is read. */
export function overHookRate(hook: string): Result<never> | null {
  return blockedByRate(
    hookRate(hook),
    'Too many deliveries of this hook in ten seconds. Deliver it again later.',
  )
}

/**
 * A delivery of this hook, with its body. Only signed deliveries count towards its limit, so that unauthenticated senders cannot
 * block the hook.
 */
export async function delivered<T>(
  c: HttpContext,
  hook: string,
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  return deliveries.inTurn(hook, async () => {
    const done = await work()
    if (done.ok || !NOT_GENUINE.has(done.error.code)) countRate(c, c.env.HOOK_RATE, hookRate(hook))
    return done
  })
}

const NOT_GENUINE: ReadonlySet<string> = new Set(['unauthenticated', 'not_found'])

function hookRate(hook: string): string {
  return `hook ${hook}`
}

/** A change of a thread's files, with their bytes. Has its own rate limit, as high as that of messages. */
export async function fileWrite<T>(
  c: HttpContext,
  caller: Caller,
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const key = keyOf(caller)
  return overRate(c, c.env.CHAT_RATE, `files ${key}`, TOO_MANY) ?? fileWrites.inTurn(key, work)
}

/** The body is read before the request enters the queue: a body that never arrives holds no slot. */
export function search<T>(
  read: (c: HttpContext) => Promise<Result<T>>,
  handle: (c: HttpContext, caller: Caller, question: T) => Promise<Reply>,
): KeyedRoute['handle'] {
  return async (c, caller) => {
    const limited = overRate(c, c.env.MATCH_RATE, `match ${keyOf(caller)}`, TOO_MANY)
    if (limited) return limited
    const question = await read(c)
    if (!question.ok) return question
    return inTurn(matches, async () => handle(c, caller, question.value))(c, caller)
  }
}

function inTurn(queue: RequestQueue, handle: Handle): (c: HttpContext, caller: Caller) => Promise<Reply> {
  return async (c, caller) => {
    const done = await queue.inTurn(keyOf(caller), async (turn) => {
      return ok(await handle(c, caller, paceOf(turn)))
    })
    return done.ok ? done.value : done
  }
}

/** Yields to the event loop and tells the queue that the work continues. */
export function paceOf(turn: QueueTurn): Pace {
  return startPace(async () => {
    turn.alive()
    await pause(0)
  }, turn.alive)
}

function keyOf(caller: Caller): string {
  return `${caller.workspace}/${caller.keyId}`
}
