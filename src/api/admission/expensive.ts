// What a request must pass before it may cost much: the limit on requests a minute of its key, and a line.

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
  HISTORY_QUEUE,
  MATCH_QUEUE,
  WORKSPACE_QUEUE,
} from './limits.ts'
import { blockedByRate, countRate, overRate } from './rate.ts'
import type { HttpContext, KeyedRoute, Reply } from '../route/route.ts'
import { RequestQueue, type QueueRules } from './request-queue.ts'
import type { QueueTurn } from '../../lib/weighted-semaphore.ts'
import { whileSent } from './while-sent.ts'

/** `pace` is for long work: it rests now and then, and the line hears that the work goes on. */
type Handle = (c: HttpContext, caller: Caller, pace: Pace) => Promise<Reply>

const TOO_MANY = 'Too many requests of this kind with this key in a minute.'

const archives = new RequestQueue(ARCHIVE_QUEUE, systemClock)
const matches = new RequestQueue(MATCH_QUEUE, systemClock)
const deliveries = new RequestQueue(DELIVERY_QUEUE, systemClock)
const fileWrites = new RequestQueue(FILE_WRITE_QUEUE, systemClock)
const workspaces = new RequestQueue(WORKSPACE_QUEUE, systemClock)

/** A limit on requests a minute; null: it is not reached. */
type Limit = (c: HttpContext, key: string) => Result<never> | null

/** Work in a queue of its own, behind its limit. */
function queued(rules: QueueRules, limit: Limit = () => null): (handle: Handle) => KeyedRoute['handle'] {
  const queue = new RequestQueue(rules, systemClock)
  return (handle) => (c, caller) => limit(c, keyOf(caller)) ?? inTurn(queue, handle)(c, caller)
}

/** A change of skills, or its trial: each may read, judge and write tens of megabytes. */
export const change = queued(CHANGE_QUEUE, (c, key) => {
  const trial = /^(?:1|true)$/.test(c.req.query('dry_run') ?? '')
  const [limiter, what] = trial ? [c.env.TRIAL_RATE, 'trial'] : [c.env.CHANGE_RATE, 'change']
  return overRate(c, limiter, `${what} ${key}`, TOO_MANY)
})

/** A file on its way to a commit: some megabytes, and no judging. */
export const blob = queued(BLOB_QUEUE)

/** Two versions of a skill side by side: counted as often as a trial, and apart from trials. */
export const comparison = queued(DIFF_QUEUE, (c, key) =>
  overRate(c, c.env.TRIAL_RATE, `diff ${key}`, TOO_MANY),
)

/** A version packed while it is sent: counted as often as a comparison, and apart from those. */
export function archived(handle: Handle): KeyedRoute['handle'] {
  return (c, caller) =>
    overRate(c, c.env.TRIAL_RATE, `archive ${keyOf(caller)}`, TOO_MANY) ??
    whileSent(archives, keyOf(caller), systemClock, (turn) => handle(c, caller, paceOf(turn)))
}

/** What asks the catalog, as each message of a new thread does, too: counted as often as messages, and apart from them. */
export function catalogRead(handle: KeyedRoute['handle']): KeyedRoute['handle'] {
  return (c, caller) =>
    overRate(c, c.env.CHAT_RATE, `catalog ${keyOf(caller)}`, TOO_MANY) ?? handle(c, caller)
}

/** A thread is copied, with all that it keeps: counted apart from messages. */
export const copy = queued(FORK_QUEUE, (c, key) => overRate(c, c.env.FORK_RATE, `fork ${key}`, TOO_MANY))

/** A search for threads: counted as often as a question for skills, and apart from those. */
export const finding = queued(FIND_QUEUE, (c, key) => overRate(c, c.env.MATCH_RATE, `find ${key}`, TOO_MANY))

/**
 * What the workspace's object is asked or told beside messages: counted as often as messages, and apart from them. Not for
 * the reading of a body: one that does not come would keep the place.
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

/** A page of what a thread keeps: megabytes, and several times as much until it is an answer. */
export const history = queued(HISTORY_QUEUE)

/** The refusal of a hook over its limit, before a body is read. */
export function overHookRate(hook: string): Result<never> | null {
  return blockedByRate(
    hookRate(hook),
    'Too many deliveries of this hook in ten seconds. Deliver it again later.',
  )
}

/**
 * A delivery of this hook, whose body is there. Only what holds its secret signed counts towards its limit: strangers who know
 * its address must not close it.
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

/** A change of a thread's files, whose bytes are there: counted as often as messages, and apart from them. */
export async function fileWrite<T>(
  c: HttpContext,
  caller: Caller,
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const key = keyOf(caller)
  return overRate(c, c.env.CHAT_RATE, `files ${key}`, TOO_MANY) ?? fileWrites.inTurn(key, work)
}

/** A question for skills is read before it stands in line: a body that does not come keeps no place. */
export function search<T>(
  read: (c: HttpContext) => Promise<Result<T>>,
  handle: (c: HttpContext, caller: Caller, asked: T) => Promise<Reply>,
): KeyedRoute['handle'] {
  return async (c, caller) => {
    const limited = overRate(c, c.env.MATCH_RATE, `match ${keyOf(caller)}`, TOO_MANY)
    if (limited) return limited
    const asked = await read(c)
    if (!asked.ok) return asked
    return inTurn(matches, async () => handle(c, caller, asked.value))(c, caller)
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

/** Rests by letting the event loop run, and tells the line that the work goes on. */
export function paceOf(turn: QueueTurn): Pace {
  return startPace(async () => {
    turn.alive()
    await new Promise((resolve) => setTimeout(resolve, 0))
  }, turn.alive)
}

function keyOf(caller: Caller): string {
  return `${caller.workspace}/${caller.keyId}`
}
