// Decides what a run may spend of the caps that apply to it. Pure.

import { DAY_MS, rfc3339 } from '../lib/clock.ts'
import { counted } from '../lib/counted.ts'
import { microUsd } from '../lib/money.ts'
import { fail } from '../lib/result.ts'
import type { LeaseWish, Spend } from './cap-api.ts'
import type { ScopedCap } from './cap-limits.ts'
import { CAP_WARNING_SHARE, LEASE_SHARE_DIVISOR, LEASED_OUT_RETRY_S } from './limits.ts'

/** What runs spent in a window, or may spend. */
export interface Counted extends Spend {
  readonly runs: number
}

/** A cap with what is already spent of it, and what other runs may still spend. */
export interface CapUse extends ScopedCap {
  readonly spent: Counted
  readonly leased: Counted
}

export interface Grant {
  /** Null for what no cap limits. */
  readonly micro: number | null
  readonly tokens: number | null
  readonly reached: string | null
  /** 1 if the run counts from this lease on. */
  readonly runs: number
}

const FIELDS = ['micro', 'tokens', 'runs'] as const
type Field = (typeof FIELDS)[number]

/** The start of the window after that of a UTC day, in epoch milliseconds. */
export function windowEnd(window: ScopedCap['window'], day: string): number {
  const start = Date.parse(day)
  const date = new Date(start)
  return window === 'day' ? start + DAY_MS : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/** Null if the cap does not limit this. */
function amountOf({ usd, tokens, runs }: ScopedCap['cap'], field: Field): number | null {
  if (field === 'micro') return usd === undefined ? null : microUsd(usd)
  return (field === 'tokens' ? tokens : runs) ?? null
}

function describe({ scope, window, cap }: ScopedCap, field: Field): string {
  const { usd, tokens = 0, runs = 0 } = cap
  const amount = { micro: `$${usd}`, tokens: counted(tokens, 'token'), runs: counted(runs, 'run') }[field]
  const [kind, ...id] = scope.split(':')
  return `the cap of ${amount} per UTC ${window} for ${id.length > 0 ? `${kind} ${id.join(':')}` : 'the workspace'}`
}

/** The cap that leaves least, and how much that is; null if none limits this. */
function tightest(
  uses: readonly CapUse[],
  field: Field,
): { readonly use: CapUse; readonly left: number } | null {
  const lefts = uses.flatMap((use) => {
    const amount = amountOf(use.cap, field)
    return amount === null ? [] : [{ use, left: amount - use.spent[field] - use.leased[field] }]
  })
  return lefts.reduce<(typeof lefts)[number] | null>(
    (least, other) => (least && least.left <= other.left ? least : other),
    null,
  )
}

/** Why a run cannot begin; null if it can. `counts` is 1 if it is not counted yet. */
export function refusalOf(
  uses: readonly CapUse[],
  { day, need }: Pick<LeaseWish, 'day' | 'need'>,
  counts: number,
  now: number,
): ReturnType<typeof fail> | null {
  const needed = { ...need, runs: counts }
  for (const field of FIELDS) {
    const { use, left } = tightest(uses, field) ?? {}
    if (!use || left === undefined || left >= needed[field]) continue
    const name = describe(use, field)
    // Runs that have begun do not come back, but what they may spend does.
    if (field !== 'runs' && left + use.leased[field] >= needed[field])
      return fail(
        'quota_exceeded',
        `What is left of ${name} is reserved for runs in progress. Try again in ${LEASED_OUT_RETRY_S} seconds.`,
        { retryAfterS: LEASED_OUT_RETRY_S },
      )
    const end = windowEnd(use.window, day)
    return fail(
      'quota_exceeded',
      `${sentence(name)} is reached. Wait until ${rfc3339(end)}, or ask an admin to raise it with ${routeOf(use)}.`,
      { retryAfterS: Math.max(1, Math.ceil((end - now) / 1000)) },
    )
  }
  return null
}

/** How an admin raises the cap. A key's may be its own. */
function routeOf({ scope }: ScopedCap): string {
  return scope.startsWith('key:') ? 'PATCH /admin/limits or PATCH /admin/keys/:key' : 'PATCH /admin/limits'
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/**
 * A share of what is left, so that runs of one key can work at the same time; at least what the next call needs, at most what the
 * budget allows, and never less than `before`.
 */
export function grantOf(
  uses: readonly CapUse[],
  { need, most }: Pick<LeaseWish, 'need' | 'most'>,
  counts: number,
  before: Omit<Grant, 'reached' | 'runs'> | null,
): Grant {
  let reached: string | null = null
  const runs = tightest(uses, 'runs')
  const isOver = runs !== null && runs.left < counts
  const grantedOf = (field: 'micro' | 'tokens'): number | null => {
    const cap = tightest(uses, field)
    const given = before?.[field] ?? 0
    const left = isOver ? 0 : Math.max(0, cap?.left ?? 0)
    const blocking = isOver ? runs.use : cap?.use
    if (blocking && (cap || isOver) && left < need[field])
      reached = `${sentence(describe(blocking, isOver ? 'runs' : field))} is reached. It resets with the next UTC ${blocking.window}; an admin can raise it with ${routeOf(blocking)}.`
    if (!cap) return isOver ? given : null
    return Math.max(
      given,
      Math.min(left, most[field], Math.max(need[field], Math.floor(left / LEASE_SHARE_DIVISOR))),
    )
  }
  return { micro: grantedOf('micro'), tokens: grantedOf('tokens'), reached, runs: isOver ? 0 : counts }
}

/** A text if a run that got `grant` brings the cap near its end; null otherwise. */
export function warningOf(
  use: CapUse,
  grant: Pick<Grant, 'micro' | 'tokens'>,
  counts: number,
): string | null {
  const own = { micro: grant.micro ?? 0, tokens: grant.tokens ?? 0, runs: counts }
  const field = FIELDS.find((name) => {
    const amount = amountOf(use.cap, name)
    return amount !== null && use.spent[name] + use.leased[name] + own[name] >= amount * CAP_WARNING_SHARE
  })
  return field === undefined
    ? null
    : `${CAP_WARNING_SHARE * 100} % of ${describe(use, field)} is spent or reserved.`
}
