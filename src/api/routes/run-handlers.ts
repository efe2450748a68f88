// Handles requests for runs that have ended, for totals of what they used, and for metrics. Imported when it is needed.

import * as z from 'zod'

import { objects } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { systemClock } from '../../lib/clock.ts'
import { ok, type Result } from '../../lib/result.ts'
import type { RunFilter, UsageDimension } from '../../workspace/run-api.ts'
import { queueWorkspace } from '../admission/queues.ts'
import { pageQuery } from '../fields/page.ts'
import { reportErrors } from '../problems/count-errors.ts'
import { invalidField } from '../problems/field-errors.ts'
import type { HttpContext, Reply } from '../route/route.ts'
import { RUN_CHOICES, RUN_TEXT_FILTERS } from './admin-runs.ts'

const USAGE_DIMENSIONS = [
  'key',
  'user',
  'model',
  'skill',
  'hook',
] as const satisfies readonly UsageDimension[]

/** The UTC days `from` and `to`, inclusive; absent ones are left out. */
export function daysOf(c: HttpContext): Result<{ readonly from?: string; readonly to?: string }> {
  const days: { from?: string; to?: string } = {}
  for (const name of ['from', 'to'] as const) {
    const day = c.req.query(name)
    if (day === undefined) continue
    if (!z.iso.date().safeParse(day).success)
      return invalidField(name, 'must be a day such as 2026-12-31 (UTC)')
    days[name] = day
  }
  const { from, to } = days
  if (from !== undefined && to !== undefined && from > to)
    return invalidField('to', 'must not be before “from”')
  return ok(days)
}

function filterOf(c: HttpContext): Result<RunFilter> {
  const days = daysOf(c)
  if (!days.ok) return days
  const filter: Record<string, string> = { ...days.value }
  for (const name of RUN_TEXT_FILTERS) {
    const text = c.req.query(name)
    if (text !== undefined) filter[name] = text
  }
  for (const [name, choices] of Object.entries(RUN_CHOICES)) {
    const choice = c.req.query(name)
    if (choice === undefined) continue
    if (!(choices as readonly string[]).includes(choice))
      return invalidField(name, `must be one of ${choices.join(', ')}`)
    filter[name] = choice
  }
  return ok(filter)
}

export async function replyWithRuns(c: HttpContext, caller: Caller): Promise<Reply> {
  const page = pageQuery(c)
  if (!page.ok) return page
  const filter = filterOf(c)
  if (!filter.ok) return filter
  const { cursor, limit } = page.value
  return queueWorkspace(c, caller, async () =>
    objects(c.env).workspace(caller.workspace).listRuns(filter.value, cursor, limit),
  )
}

/** `by` is `day`, a dimension, or `day` and a dimension with a comma between them. */
function divisionOf(
  c: HttpContext,
): Result<{ readonly daily: boolean; readonly dimension: UsageDimension | null }> {
  const by = c.req.query('by')
  if (by === undefined) return ok({ daily: false, dimension: null })
  const names = by.split(',')
  const dimensions = USAGE_DIMENSIONS.filter((dimension) => names.includes(dimension))
  const daily = names.includes('day')
  if (dimensions.length > 1 || new Set(names).size !== dimensions.length + (daily ? 1 : 0))
    return invalidField('by', `must be day, or one of ${USAGE_DIMENSIONS.join(', ')}, or day,key and so on`)
  return ok({ daily, dimension: dimensions[0] ?? null })
}

export async function replyWithUsage(c: HttpContext, caller: Caller): Promise<Reply> {
  const days = daysOf(c)
  if (!days.ok) return days
  const division = divisionOf(c)
  if (!division.ok) return division
  const { from = null, to = null } = days.value
  return queueWorkspace(c, caller, async () =>
    objects(c.env)
      .workspace(caller.workspace)
      .usage({ from, to, ...division.value }),
  )
}

const OPENMETRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

export async function replyWithMetrics(c: HttpContext, caller: Caller): Promise<Reply> {
  const text = await queueWorkspace(c, caller, async () => {
    await reportErrors(c.env, systemClock(), true)
    return objects(c.env).workspace(caller.workspace).metrics()
  })
  if (!text.ok) return text
  return new Response(text.value, { headers: { 'Content-Type': OPENMETRICS, 'Cache-Control': 'no-store' } })
}
