// The log of a hook for admins: its deliveries, replays, and tests that the server signs.

import * as z from 'zod'
import { objects } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { isSha256 } from '../../lib/bytes.ts'
import { encodeCursor } from '../../lib/cursor.ts'
import { codePoints } from '../../lib/text.ts'
import { fail, ok } from '../../lib/result.ts'
import { noBuild } from '../../skills/not-ready.ts'
import { readJson } from '../bodies/json-body.ts'
import { textRecord } from '../fields/fields.ts'
import { numberedPageQuery } from '../fields/page.ts'
import { invalidField } from '../problems/field-errors.ts'
import { PAGE_QUERY } from '../route/query.ts'
import { currentBuild } from '../../skills/current-build.ts'
import { json, param, route, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'
import { hookInPath } from './hooks.ts'
import { LOG_SEARCH_MAX_CHARS, TEST_HEADER_MAX_CHARS } from './limits.ts'

const STATES: readonly string[] = [
  'recorded',
  'started',
  'dead',
  'filtered',
  'superseded',
  'mismatch',
  'paused',
]
const REPLIES: readonly string[] = ['sent', 'failed', 'unknown']

/** A payload that is not text is sent as JSON. */
const HookTest = z.strictObject({
  payload: z.json(),
  headers: textRecord(TEST_HEADER_MAX_CHARS)
    .refine(
      (headers) =>
        Object.entries(headers).every(
          ([name, value]) => /^[\w-]+$/.test(name) && /^[\x20-\x7E]*$/.test(value),
        ),
      'must be names and values of headers, in visible ASCII characters',
    )
    .default({}),
  dry_run: z.boolean().default(false),
})

async function list(c: HttpContext, caller: Caller): Promise<Reply> {
  const page = numberedPageQuery(c)
  if (!page.ok) return page
  const state = c.req.query('state') ?? null
  if (state !== null && !STATES.includes(state))
    return invalidField('state', `must be one of ${STATES.join(', ')}`)
  const reply = c.req.query('reply') ?? null
  if (reply !== null && !REPLIES.includes(reply))
    return invalidField('reply', `must be one of ${REPLIES.join(', ')}`)
  const [id = null, text = null] = [c.req.query('id'), c.req.query('q')]
  for (const [name, value] of [
    ['id', id],
    ['q', text],
  ] as const)
    if (value !== null && (value === '' || codePoints(value) > LOG_SEARCH_MAX_CHARS))
      return invalidField(name, `must have 1 to ${LOG_SEARCH_MAX_CHARS} characters`)
  const hook = hookInPath(c, caller)
  if (!hook.ok) return hook
  const found = await hook.value.deliveries(caller.workspace, { ...page.value, state, reply, id, text })
  if (!found.ok) return found
  const { data, next } = found.value
  return ok({ data, next_cursor: next === null ? null : encodeCursor([next]) })
}

const show: KeyedRoute['handle'] = (c, caller) => {
  const hook = hookInPath(c, caller)
  return hook.ok ? hook.value.delivery(caller.workspace, param(c, 'delivery')) : hook
}

async function replay(c: HttpContext, caller: Caller): Promise<Reply> {
  const build = currentBuild()
  if (!isSha256(build)) return noBuild()
  const hook = hookInPath(c, caller)
  if (!hook.ok) return hook
  const replayed = await hook.value.replay(caller.workspace, param(c, 'delivery'), build)
  return replayed.ok ? json(replayed.value, 202) : replayed
}

/** Sends the failed or unknown reply to a delivery again. */
async function sendReply(c: HttpContext, caller: Caller): Promise<Reply> {
  const hook = hookInPath(c, caller)
  if (!hook.ok) return hook
  const delivery = await hook.value.delivery(caller.workspace, param(c, 'delivery'))
  if (!delivery.ok) return delivery
  const { thread_id, run_id } = delivery.value
  if (thread_id === null || run_id === null) return fail('not_found', 'This delivery has no run.')
  return objects(c.env).thread(caller.workspace, thread_id).repeatReply(caller, run_id)
}

/** The delivery takes the same path as one of the sender, from the signature on. */
async function test(c: HttpContext, caller: Caller): Promise<Reply> {
  const request = await readJson(c.req.raw, HookTest)
  if (!request.ok) return request
  const build = currentBuild()
  if (!isSha256(build)) return noBuild()
  const hook = hookInPath(c, caller)
  if (!hook.ok) return hook
  const { payload, headers, dry_run } = request.value.data
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
  if (dry_run) return hook.value.dryRun(caller.workspace, body, headers)
  const delivered = await hook.value.deliverTest(caller.workspace, body, headers, build)
  if (!delivered.ok) return delivered
  if ('handshake' in delivered.value) return ok({ handshake: delivered.value.handshake.body })
  return json(delivered.value, 202)
}

export const hookLogRoutes: readonly KeyedRoute[] = [
  route('admin', 'GET', '/admin/hooks/:hook/deliveries', list, [...PAGE_QUERY, 'state', 'reply', 'id', 'q']),
  route('admin', 'GET', '/admin/hooks/:hook/deliveries/:delivery', show),
  route('admin', 'POST', '/admin/hooks/:hook/deliveries/:delivery/replay', replay),
  route('admin', 'POST', '/admin/hooks/:hook/deliveries/:delivery/reply', sendReply),
  route('admin', 'POST', '/admin/hooks/:hook/test', test),
]
