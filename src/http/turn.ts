// Heavy work stands in line: so many run at once in an isolate, whose memory is everybody's, so many wait, in order, and
// so many of one caller. Whoever is gone leaves the line.

import type { Clock } from '../lib/clock.ts'
import { fail, type Result } from '../lib/result.ts'
import { TURN_GONE_MS, TURN_HELD_MS, TURN_LOOK_MS } from '../limits.ts'

export interface LineRules {
  /** How many run at once. */
  readonly width: number
  /** How many wait behind them. */
  readonly room: number
  /** How many of one caller run or wait. */
  readonly each: number
  /** How long one waits before it is told to come back (ms). */
  readonly patienceMs: number
}

/** `alive` says that the work still goes on: a turn without a word for TURN_HELD_MS belongs to a request that was cut off. */
export interface Turn {
  alive(): void
}

export type InTurn = <T>(who: string, work: (turn: Turn) => Promise<Result<T>>) => Promise<Result<T>>

interface Ticket {
  readonly who: string
  /** When it last looked, or its work said a word. */
  seen: number
  runs: boolean
}

/**
 * Runs work in order. It waits by looking: what another request promises is never settled where that one was cut off, and
 * who looks no more is gone. Failures: `rate_limited` past `each`; `overloaded` past `room` or `patienceMs`.
 */
export function turns(rules: LineRules, now: Clock, sleep: (ms: number) => Promise<void>): InTurn {
  let tickets: readonly Ticket[] = []
  const dropGone = (): void => {
    const at = now()
    tickets = tickets.filter(({ seen, runs }) => at - seen < (runs ? TURN_HELD_MS : TURN_GONE_MS))
  }
  const leave = (gone: Ticket): void => {
    tickets = tickets.filter((ticket) => ticket !== gone)
  }
  const look = (mine: Ticket): void => {
    mine.seen = now()
    dropGone()
    // One that was dropped because the isolate stood still comes in again, last.
    if (!tickets.includes(mine)) tickets = [...tickets, mine]
    const isNext = tickets.find(({ runs }) => !runs) === mine
    mine.runs = isNext && tickets.filter(({ runs }) => runs).length < rules.width
  }
  return async (who, work) => {
    dropGone()
    if (tickets.filter((ticket) => ticket.who === who).length >= rules.each) return tooMany(rules.each)
    const isFree = tickets.length < rules.width
    if (!isFree && tickets.filter(({ runs }) => !runs).length >= rules.room) return BUSY
    const mine: Ticket = { who, seen: now(), runs: false }
    const patience = now() + rules.patienceMs
    for (look(mine); !mine.runs; look(mine)) {
      if (now() >= patience) {
        leave(mine)
        return BUSY
      }
      await sleep(TURN_LOOK_MS)
    }
    try {
      return await work({
        alive: () => {
          mine.seen = now()
        },
      })
    } finally {
      leave(mine)
    }
  }
}

const BUSY = fail('overloaded', 'Others are being served first. Try again.', { retryAfterS: 2 })

function tooMany(each: number): Result<never> {
  const detail = `${each} requests of this kind are under way for you. Wait for the answer to one of them.`
  return fail('rate_limited', detail, { retryAfterS: 2 })
}
