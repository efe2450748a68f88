// What a run may spend of the caps of its workspace, as its row stores it. Pure.

import { rfc3339 } from '../../lib/clock.ts'
import { fromMicroUsd, microUsd } from '../../lib/money.ts'
import { LEASE_MS } from '../../limits/caps.ts'
import type { DaySpend, Lease, LeaseWish, Spend, ThreadCap } from '../../workspace/cap-api.ts'
import type { RunBudget } from '../api.ts'

/** The lease of one day, with what the run had spent before it. */
export interface RunLease extends Pick<Lease, 'day' | 'number' | 'micro' | 'tokens' | 'reached'> {
  readonly from: Spend
  /** After this time nothing of it may be reserved (epoch milliseconds). */
  readonly until: number
  /** What it spent on earlier days. */
  readonly earlier: readonly DaySpend[]
  /** What its thread may spend until the run ends, in addition to what earlier runs spent. */
  readonly thread: ThreadCap
}

/** What a run spent and has reserved, with its lease. */
interface Spending {
  readonly lease: RunLease | null
  readonly usedTokens: number
  readonly usedUsd: number
  readonly openTokens: number
  readonly openUsd: number
  readonly openSearchUsd: number
}

const NOTHING: Spend = { micro: 0, tokens: 0 }

function utcDay(now: number): string {
  return rfc3339(now).slice(0, 10)
}

/** What the run spent, and has reserved. */
function totalOf({ usedTokens, usedUsd, openTokens, openUsd, openSearchUsd }: Spending): Spend {
  return { micro: microUsd(usedUsd + openUsd + openSearchUsd), tokens: usedTokens + openTokens }
}

function minus(a: Spend, b: Spend): Spend {
  return { micro: Math.max(0, a.micro - b.micro), tokens: Math.max(0, a.tokens - b.tokens) }
}

/** What the run spent of each of its leases. */
export function daySpends(run: Spending): readonly DaySpend[] {
  const { lease } = run
  if (!lease) return []
  return [...lease.earlier, { day: lease.day, number: lease.number, ...minus(totalOf(run), lease.from) }]
}

/** The lease of a day, or what is stored for a day without one. */
function leaseOn(run: Spending, day: string): Pick<RunLease, 'from' | 'earlier' | 'thread'> {
  const { lease } = run
  if (!lease) return { from: totalOf(run), earlier: [], thread: {} }
  return lease.day === day ? lease : { from: totalOf(run), earlier: daySpends(run), thread: lease.thread }
}

/** What a run asks for that is going to reserve `next`. */
export function wishOf(
  run: Spending,
  budget: RunBudget,
  next: { readonly usd: number; readonly tokens: number },
  user: string | null,
  now: number,
): LeaseWish {
  // A day never begins again after the clock was set back.
  const day = run.lease && run.lease.day > utcDay(now) ? run.lease.day : utcDay(now)
  const { from, earlier } = leaseOn(run, day)
  const { micro, tokens } = minus(totalOf(run), from)
  const most = minus({ micro: microUsd(budget.usd), tokens: budget.tokens }, from)
  return {
    user,
    day,
    number: (run.lease?.number ?? 0) + 1,
    need: {
      micro: Math.min(micro + Math.ceil(next.usd * 1_000_000), most.micro),
      tokens: Math.min(tokens + next.tokens, most.tokens),
    },
    most,
    spent: earlier,
  }
}

/** Of a run that is not created yet. */
export const NO_CHARGES: Spending = {
  lease: null,
  usedTokens: 0,
  usedUsd: 0,
  openTokens: 0,
  openUsd: 0,
  openSearchUsd: 0,
}

/** What the run stores of a lease that it got; null if no caps apply. */
export function storedLease(
  run: Spending,
  lease: Lease | null,
  thread: ThreadCap,
  now: number,
): RunLease | null {
  if (!lease) return null
  const { day, number, micro, tokens, reached } = lease
  const until = now + LEASE_MS
  const { from, earlier } = leaseOn(run, day)
  return { day, number, micro, tokens, until, reached, from, earlier, thread }
}

/** A lease of a new run, with which it has to ask before it spends anything. */
export function emptyLease(now: number): RunLease {
  const none = { number: 0, micro: 0, tokens: 0, until: 0, reached: null }
  return { day: utcDay(now), ...none, from: NOTHING, earlier: [], thread: {} }
}

/** The lease without what the run does not need while it waits. */
export function shrunkLease(run: Spending): RunLease | null {
  const { lease } = run
  if (!lease) return null
  const { micro, tokens } = minus(totalOf(run), lease.from)
  return {
    ...lease,
    micro: lease.micro === null ? null : Math.min(lease.micro, micro),
    tokens: lease.tokens === null ? null : Math.min(lease.tokens, tokens),
  }
}

/** The run's budget, lowered to what its lease and its thread allow now. */
export function leasedBudget(run: Spending, budget: RunBudget, now: number): RunBudget {
  const { lease } = run
  if (!lease) return budget
  const { from, thread } = lease
  const isOver = lease.day < utcDay(now) || lease.until <= now
  const upTo = (granted: number | null, before: number): number =>
    granted === null ? Infinity : isOver ? 0 : before + granted
  return {
    ...budget,
    usd: Math.min(budget.usd, fromMicroUsd(upTo(lease.micro, from.micro)), thread.usd ?? Infinity),
    tokens: Math.min(budget.tokens, upTo(lease.tokens, from.tokens), thread.tokens ?? Infinity),
  }
}
