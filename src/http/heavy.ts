// What a request must pass before it may cost much: the lid on requests a minute of its key, and a line.

import type { Caller } from '../lib/caller.ts'
import { systemClock } from '../lib/clock.ts'
import { ok } from '../lib/result.ts'
import { startPace, type Pace } from '../lib/steps.ts'
import { BLOB_LINE, CHANGE_LINE, DIFF_LINE, MATCH_LINE, RATE_BLOCK_MS } from '../limits.ts'
import { overLimit } from './rate.ts'
import { refuse, type HttpContext, type KeyedRoute } from './route.ts'
import { Line, type Turn } from './line.ts'

/** `pace` is for long work: it rests now and then, and the line hears that the work goes on. */
type Handle = (c: HttpContext, caller: Caller, pace: Pace) => Promise<Response>

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const changes = new Line(CHANGE_LINE, systemClock)
const blobs = new Line(BLOB_LINE, systemClock)
const comparisons = new Line(DIFF_LINE, systemClock)
const matches = new Line(MATCH_LINE, systemClock)

/** A change of skills, or its trial: each may read, judge and write tens of megabytes. */
export function change(handle: Handle): KeyedRoute['handle'] {
  return (c, caller) => {
    const trial = /^(?:1|true)$/.test(c.req.query('dry_run') ?? '')
    const [limiter, what] = trial ? [c.env.TRIAL_RATE, 'trial'] : [c.env.CHANGE_RATE, 'change']
    return within(limiter, `${what} ${keyOf(caller)}`, changes, handle)(c, caller)
  }
}

/** A file on its way to a commit: some megabytes, and no judging. */
export function blob(handle: Handle): KeyedRoute['handle'] {
  return (c, caller) => inTurn(blobs, handle)(c, caller)
}

/** Two versions of a skill side by side: counted as often as a trial, and apart from trials. */
export function comparison(handle: Handle): KeyedRoute['handle'] {
  return (c, caller) => within(c.env.TRIAL_RATE, `diff ${keyOf(caller)}`, comparisons, handle)(c, caller)
}

export function search(handle: Handle): KeyedRoute['handle'] {
  return (c, caller) => within(c.env.MATCH_RATE, `match ${keyOf(caller)}`, matches, handle)(c, caller)
}

/** The words in front keep one lid's blocks from another's. */
function within(limiter: RateLimit, key: string, line: Line, handle: Handle): Handled {
  return (c, caller) => {
    const counted = (work: Promise<void>): void => c.executionCtx.waitUntil(work)
    if (!overLimit(limiter, key, systemClock, counted)) return inTurn(line, handle)(c, caller)
    return refuse(c, {
      code: 'rate_limited',
      detail: 'Too many requests of this kind with this key in a minute.',
      retryAfterS: Math.ceil(RATE_BLOCK_MS / 1000),
    })
  }
}

type Handled = (c: HttpContext, caller: Caller) => Promise<Response> | Response

function inTurn(line: Line, handle: Handle): (c: HttpContext, caller: Caller) => Promise<Response> {
  return async (c, caller) => {
    const done = await line.inTurn(keyOf(caller), async (turn) => {
      return ok(await handle(c, caller, paceOf(turn)))
    })
    return done.ok ? done.value : refuse(c, done.error)
  }
}

/** Rests by letting the event loop run, and tells the line that the work goes on. */
export function paceOf(turn: Turn): Pace {
  return startPace(() => {
    turn.alive()
    return sleep(0)
  })
}

function keyOf(caller: Caller): string {
  return `${caller.workspace}/${caller.keyId}`
}
