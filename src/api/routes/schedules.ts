// Schedules, which start runs at planned times. Only admins manage them.

import { objects } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { isSha256, sha256Hex } from '../../lib/bytes.ts'
import { DAY_MS, rfc3339, systemClock } from '../../lib/clock.ts'
import { cutPage } from '../../lib/cursor.ts'
import { newId } from '../../lib/ids.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import type { ScheduleApi, ScheduleFields } from '../../schedules/api.ts'
import { currentBuild } from '../../skills/current-build.ts'
import { noBuild } from '../../skills/not-ready.ts'
import { checkFields, invalidRequest, readEmpty, readJson } from '../bodies/json-body.ts'
import { callbackFor } from '../callbacks/callback-for.ts'
import { idempotencyKey } from '../fields/idempotency-key.ts'
import { numberedPageQuery, pageFrom, pageQuery } from '../fields/page.ts'
import { checkRunOptions } from '../fields/run-options.ts'
import { ScheduleBody, SchedulePatch } from '../fields/schedule.ts'
import { PAGE_QUERY } from '../route/query.ts'
import { empty, json, param, route, type ApiRoute, type HttpContext, type Reply } from '../route/route.ts'

const NO_SCHEDULE = fail('not_found', 'There is no such schedule.')

/** Returns the schedule in the path, in the caller's workspace. Only its object knows whether it exists. */
function scheduleInPath(c: HttpContext, caller: Caller): Result<ScheduleApi> {
  const id = param(c, 'schedule')
  return /^sc_[a-z0-9]{24}$/.test(id) ? ok(objects(c.env).schedule(caller.workspace, id)) : NO_SCHEDULE
}

/** The fields with `at` in UTC, or `invalid_request` with all errors. `earliest`: see checkSchedule. */
async function checked(
  c: HttpContext,
  { workspace }: Caller,
  fields: typeof ScheduleBody._output,
  earliest: number,
): Promise<Result<ScheduleFields>> {
  const options = checkRunOptions(c.env, fields)
  if (!options.ok) return options
  const callback = await callbackFor(c.env, workspace, fields.callback)
  if (!callback.ok) return callback
  // Loaded on demand, because the library for cron expressions would slow down every start of the Worker.
  const { checkSchedule } = await import('../../schedules/config.ts')
  const schedule = checkSchedule(fields, earliest)
  return schedule.ok ? schedule : invalidRequest(schedule.error)
}

async function create(c: HttpContext, caller: Caller): Promise<Reply> {
  const body = await readJson(c.req.raw, ScheduleBody)
  if (!body.ok) return body
  const fields = await checked(c, caller, body.value.data, systemClock())
  if (!fields.ok) return fields
  const { workspace } = caller
  const [id, created_at] = [newId('sc'), rfc3339(systemClock())]
  // Listed first: a schedule that runs is always in the list, so that somebody can delete it.
  const listed = await objects(c.env).workspace(workspace).addSchedule({ id, created_at })
  if (!listed.ok) return listed
  const created = await objects(c.env)
    .schedule(workspace, id)
    .configure({ ...fields.value, id, workspace, created_at })
  return created.ok ? json(created.value, 201) : created
}

async function change(c: HttpContext, caller: Caller): Promise<Reply> {
  const patch = await readJson(c.req.raw, SchedulePatch)
  if (!patch.ok) return patch
  const schedule = scheduleInPath(c, caller)
  if (!schedule.ok) return schedule
  const current = await schedule.value.view(caller.workspace)
  if (!current.ok) return current
  const old = Object.entries(current.value).filter(([name]) => name in ScheduleBody.shape)
  const merged = checkFields({ ...Object.fromEntries(old), ...patch.value.data }, ScheduleBody)
  if (!merged.ok) return merged
  // A single time that has passed may stay as it is.
  const fields = await checked(
    c,
    caller,
    merged.value,
    merged.value.at === current.value.at ? 0 : systemClock(),
  )
  return fields.ok ? schedule.value.change(caller.workspace, fields.value) : fields
}

async function list(c: HttpContext, caller: Caller): Promise<Reply> {
  const page = pageQuery(c)
  if (!page.ok) return page
  const { workspace } = caller
  const listed = await objects(c.env).workspace(workspace).listSchedules()
  if (!listed.ok) return listed
  const ids = pageFrom(page.value, listed.value, ({ id, created_at }) => `${created_at} ${id}`)
  if (!ids.ok) return ids
  const views = await Promise.all(
    ids.value.data.map(({ id }) => objects(c.env).schedule(workspace, id).view(workspace)),
  )
  const data = views.flatMap((view) => (view.ok ? [view.value] : []))
  // A schedule whose creation or deletion was interrupted is listed, but does not exist. A new one may be about to.
  const old = rfc3339(systemClock() - DAY_MS)
  for (const [index, { id, created_at }] of ids.value.data.entries())
    if (views[index]?.ok === false && created_at < old)
      await objects(c.env).workspace(workspace).removeSchedule(id)
  return ok({ data, next_cursor: ids.value.next_cursor })
}

async function show(c: HttpContext, caller: Caller): Promise<Reply> {
  const schedule = scheduleInPath(c, caller)
  return schedule.ok ? schedule.value.view(caller.workspace) : schedule
}

async function remove(c: HttpContext, caller: Caller): Promise<Reply> {
  const schedule = scheduleInPath(c, caller)
  if (!schedule.ok) return schedule
  const removed = await schedule.value.remove(caller.workspace)
  if (!removed.ok && removed.error.code !== 'not_found') return removed
  // Done even if the schedule no longer exists, because an interrupted removal must not leave it in the list.
  await objects(c.env).workspace(caller.workspace).removeSchedule(param(c, 'schedule'))
  return removed.ok ? empty() : removed
}

/** The handler of `pause` or `resume`, which may be repeated. */
function setPaused(paused: boolean): (c: HttpContext, caller: Caller) => Promise<Reply> {
  return async (c, caller) => {
    const body = await readEmpty(c.req.raw)
    if (!body.ok) return body
    const schedule = scheduleInPath(c, caller)
    return schedule.ok ? schedule.value.setPaused(caller.workspace, paused) : schedule
  }
}

/** Starts a run now. A request with the same Idempotency-Key returns the same run. */
async function run(c: HttpContext, caller: Caller): Promise<Reply> {
  const body = await readEmpty(c.req.raw)
  if (!body.ok) return body
  const key = idempotencyKey(c)
  if (!key.ok) return key
  const build = currentBuild()
  if (!isSha256(build)) return noBuild()
  const schedule = scheduleInPath(c, caller)
  if (!schedule.ok) return schedule
  const requested = key.value === null ? null : await sha256Hex(`${caller.keyId} ${key.value}`)
  const started = await schedule.value.run(caller.workspace, build, requested)
  return started.ok ? json(started.value, 202) : started
}

async function occurrences(c: HttpContext, caller: Caller): Promise<Reply> {
  const page = numberedPageQuery(c)
  if (!page.ok) return page
  const schedule = scheduleInPath(c, caller)
  if (!schedule.ok) return schedule
  const { before, limit } = page.value
  const result = await schedule.value.occurrences(caller.workspace, limit + 1, before)
  return result.ok ? ok(cutPage(result.value, limit, (occurrence) => occurrence.order)) : result
}

export const scheduleRoutes: readonly ApiRoute[] = [
  route('admin', 'POST', '/admin/schedules', create),
  route('admin', 'GET', '/admin/schedules', list, PAGE_QUERY),
  route('admin', 'GET', '/admin/schedules/:schedule', show),
  route('admin', 'PATCH', '/admin/schedules/:schedule', change),
  route('admin', 'DELETE', '/admin/schedules/:schedule', remove),
  route('admin', 'POST', '/admin/schedules/:schedule/pause', setPaused(true)),
  route('admin', 'POST', '/admin/schedules/:schedule/resume', setPaused(false)),
  route('admin', 'POST', '/admin/schedules/:schedule/run', run),
  route('admin', 'GET', '/admin/schedules/:schedule/occurrences', occurrences, PAGE_QUERY),
]
