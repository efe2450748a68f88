// Endpoints at /admin/endpoints: the addresses to which the workspace sends its events. An endpoint's secret is shown once.

import * as z from 'zod'
import { EVENT_TYPES, type EndpointApi, type LogEntry } from '../../callbacks/api.ts'
import { objects } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { rfc3339, systemClock } from '../../lib/clock.ts'
import { cutPage } from '../../lib/cursor.ts'
import { newId } from '../../lib/ids.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { URL_MAX_CHARS } from '../../limits/net.ts'
import { newSecret } from '../../webhooks/schemes/secret.ts'
import { readJson } from '../bodies/json-body.ts'
import { checkAddress } from '../callbacks/callback-for.ts'
import { shortText } from '../fields/fields.ts'
import { numberedPageQuery } from '../fields/page.ts'
import { Rotation } from '../fields/hook.ts'
import { invalidField } from '../problems/field-errors.ts'
import { PAGE_QUERY } from '../route/query.ts'
import { empty, json, param, route, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'

const Url = shortText(URL_MAX_CHARS).min(1)
const Events = z.array(z.enum(EVENT_TYPES)).max(EVENT_TYPES.length)

const NewEndpoint = z.strictObject({
  url: Url,
  events: Events.default([]),
  answer: z.boolean().default(false),
  /** A secret chosen by the receiver. If absent, a secret is created and shown once. */
  secret: z.string().optional(),
})

const EndpointPatch = z
  .strictObject({
    url: Url.optional(),
    events: Events.optional(),
    answer: z.boolean().optional(),
    disabled: z.boolean().optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, 'must change url, events, answer or disabled')

const STATES: readonly LogEntry['state'][] = ['waiting', 'sent', 'failed', 'skipped']

function endpointInPath(c: HttpContext, caller: Caller): EndpointApi {
  return objects(c.env).endpoint(caller.workspace, param(c, 'endpoint'))
}

async function create(c: HttpContext, caller: Caller): Promise<Reply> {
  const body = await readJson(c.req.raw, NewEndpoint)
  if (!body.ok) return body
  const { secret = newSecret(), ...fields } = body.value.data
  const { workspace } = caller
  const checked = await checkAddress(c.env, workspace, 'url', fields.url)
  if (!checked.ok) return checked
  const info = { ...fields, id: newId('ep'), created_at: rfc3339(systemClock()) }
  const listed = await objects(c.env).workspace(workspace).putEndpoint(info)
  if (!listed.ok) return listed
  const configured = await objects(c.env)
    .endpoint(workspace, info.id)
    .configure({ ...info, workspace, secret })
  if (!configured.ok) {
    await objects(c.env).workspace(workspace).removeEndpoint(info.id)
    return configured
  }
  // This is the only response that contains the secret.
  return json({ ...configured.value, secret }, 201)
}

async function list(c: HttpContext, caller: Caller): Promise<Reply> {
  const endpoints = await objects(c.env).workspace(caller.workspace).listEndpoints()
  return endpoints.ok ? ok({ data: endpoints.value }) : endpoints
}

const show: KeyedRoute['handle'] = (c, caller) => endpointInPath(c, caller).view(caller.workspace)

async function patch(c: HttpContext, caller: Caller): Promise<Reply> {
  const body = await readJson(c.req.raw, EndpointPatch)
  if (!body.ok) return body
  const { url } = body.value.data
  const checked = url === undefined ? ok(null) : await checkAddress(c.env, caller.workspace, 'url', url)
  if (!checked.ok) return checked
  const changed = await endpointInPath(c, caller).change(caller.workspace, body.value.data)
  if (!changed.ok) return changed
  const { id, events, answer, created_at } = changed.value
  const info = { id, url: changed.value.url, events, answer, created_at }
  const listed = await objects(c.env).workspace(caller.workspace).putEndpoint(info)
  return listed.ok ? changed : listed
}

async function remove(c: HttpContext, caller: Caller): Promise<Reply> {
  await objects(c.env).workspace(caller.workspace).removeEndpoint(param(c, 'endpoint'))
  const removed = await endpointInPath(c, caller).remove(caller.workspace)
  return removed.ok ? empty() : removed
}

async function rotate(c: HttpContext, caller: Caller): Promise<Reply> {
  const body = await readJson(c.req.raw, Rotation)
  if (!body.ok) return body
  const { secret, overlap_s } = body.value.data
  return endpointInPath(c, caller).rotate(caller.workspace, secret, overlap_s)
}

async function listLog(c: HttpContext, caller: Caller): Promise<Reply> {
  const page = numberedPageQuery(c)
  if (!page.ok) return page
  const text = c.req.query('state') ?? null
  const state = STATES.find((one) => one === text) ?? null
  if (text !== state) return invalidField('state', `must be one of ${STATES.join(', ')}`)
  const { before, limit } = page.value
  const entries = await endpointInPath(c, caller).log(caller.workspace, { state, before, limit: limit + 1 })
  return entries.ok ? ok(cutPage(entries.value, limit, (entry) => entry.id)) : entries
}

async function replay(c: HttpContext, caller: Caller): Promise<Reply> {
  const entry = entryInPath(c)
  return entry.ok ? endpointInPath(c, caller).replay(caller.workspace, entry.value) : entry
}

function entryInPath(c: HttpContext): Result<number> {
  const text = param(c, 'entry')
  return /^[1-9]\d{0,14}$/.test(text)
    ? ok(Number(text))
    : fail('not_found', 'There is no such event in the log of this endpoint.')
}

/** Sends an event without content, in the same way as all others. Its result is in the log. */
async function test(c: HttpContext, caller: Caller): Promise<Reply> {
  const id = newId('evt')
  const event = { type: 'endpoint.test', timestamp: rfc3339(systemClock()), data: {} }
  const body = JSON.stringify(event)
  const added = await endpointInPath(c, caller).add(caller.workspace, {
    id,
    type: 'endpoint.test',
    url: null,
    body,
  })
  return added.ok ? json({ event_id: id }, 202) : added
}

export const endpointRoutes: readonly KeyedRoute[] = [
  route('admin', 'POST', '/admin/endpoints', create),
  route('admin', 'GET', '/admin/endpoints', list),
  route('admin', 'GET', '/admin/endpoints/:endpoint', show),
  route('admin', 'PATCH', '/admin/endpoints/:endpoint', patch),
  route('admin', 'DELETE', '/admin/endpoints/:endpoint', remove),
  route('admin', 'POST', '/admin/endpoints/:endpoint/rotate', rotate),
  route('admin', 'POST', '/admin/endpoints/:endpoint/test', test),
  route('admin', 'GET', '/admin/endpoints/:endpoint/log', listLog, [...PAGE_QUERY, 'state']),
  route('admin', 'POST', '/admin/endpoints/:endpoint/log/:entry/replay', replay),
]
