// What the runs of a thread were charged: only settled amounts, without reservations for calls in progress.

import type { Charged } from '../../agent/events.ts'
import type { RunRecord } from '../../workspace/run-api.ts'
import { daySpends } from './run-lease.ts'
import { endWait, isOpen, type Run } from './run.ts'

export function chargedOf(run: Run): Charged {
  return { tokens: run.usedTokens, usd: run.usedUsd, estimated: run.estimated }
}

/** What the workspace stores about a run that has ended, or that ends at `now` because its thread was deleted. */
export function recordOf(run: Run, user: string | null, skills: RunRecord['skills'], now: number): RunRecord {
  const ended = isOpen(run)
    ? ({ status: 'cancelled', stopReason: 'cancelled' } as const)
    : { status: run.status, stopReason: run.stopReason }
  return {
    id: run.id,
    key: run.options.key,
    user,
    model: run.model,
    skills,
    ...ended,
    acceptedAt: run.acceptedAt,
    startedAt: run.startedAt,
    firstTextAt: run.firstTextAt,
    endedAt: run.endedAt ?? now,
    waitedMs: endWait(run, now).waitedMs,
    steps: run.steps,
    toolCalls: run.toolCalls,
    recoveries: run.recoveries,
    interruptedWaits: run.interruptedWaits,
    usage: run.usage,
    charged: chargedOf(run),
    ...(run.lease ? { spent: daySpends(run) } : {}),
    rating: run.rating?.value ?? null,
  }
}

/** The sum over all runs of the thread. */
export function chargedTotal(sql: SqlStorage): Charged {
  const { tokens, usd, estimated } = sql
    .exec<{ tokens: number; usd: number; estimated: number }>(
      `SELECT coalesce(sum(used_tokens), 0) AS tokens, coalesce(sum(used_usd), 0) AS usd,
         coalesce(max(estimated), 0) AS estimated FROM runs`,
    )
    .one()
  return { tokens, usd, estimated: estimated === 1 }
}
