// Webhooks: made over /admin/hooks, received at /hooks/:hook_id. The secret is shown once.

import { z } from 'zod'
import { objects } from '../../env.ts'
import type { Caller } from '../../lib/caller.ts'
import { rfc3339, systemClock } from '../../lib/clock.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { WEBHOOK_BODY_MAX_BYTES } from '../../limits.ts'
import type { HookApi } from '../../webhooks/api.ts'
import { newHookId, workspaceOf } from '../../webhooks/hook-id.ts'
import { newSecret } from '../../webhooks/secret.ts'
import { readBytes, readJson } from '../body.ts'
import { currentBuild } from '../build.ts'
import { pageOf } from '../page.ts'
import { answer, json, param, refuse, type HttpContext, type OpenRoute, type KeyedRoute } from '../route.ts'

const NewHook = z.strictObject({
  name: z.string(),
  scheme: z.literal('standard').default('standard'),
  /** A sender that makes its own secret brings it; else one is made and shown once. */
  secret: z.string().optional(),
  template: z.string().default('{{payload}}'),
  thread: z.enum(['each', 'one']).default('each'),
  user: z.string().trim().min(1).max(200).optional(),
})

function mine(c: HttpContext, caller: Caller): Result<HookApi> {
  const id = param(c, 'hook')
  if (workspaceOf(id) !== caller.workspace) return fail('not_found', 'There is no such hook.')
  return ok(objects(c.env).hook(id))
}

async function create(c: HttpContext, caller: Caller): Promise<Response> {
  const body = await readJson(c.req.raw, NewHook)
  if (!body.ok) return refuse(c, body.error)
  const { user, secret = newSecret(), ...rest } = body.value.value
  const id = newHookId(caller.workspace)
  const created_at = rfc3339(systemClock())
  const hook = { ...rest, id, secret, workspace: caller.workspace, user: user ?? null, created_at }
  const made = await objects(c.env).hook(id).configure(hook)
  if (!made.ok) return refuse(c, made.error)
  const listed = await objects(c.env).workspace(caller.workspace).addHook({ id, name: rest.name, created_at })
  if (!listed.ok) return refuse(c, listed.error)
  // The only time the secret is seen.
  return json(c, { ...made.value, secret, url: `/hooks/${id}` }, 201)
}

async function remove(c: HttpContext, caller: Caller): Promise<Response> {
  const hook = mine(c, caller)
  if (!hook.ok) return refuse(c, hook.error)
  const removed = await hook.value.remove(caller.workspace)
  if (!removed.ok) return refuse(c, removed.error)
  await objects(c.env).workspace(caller.workspace).removeHook(param(c, 'hook'))
  return new Response(null, { status: 204, headers: { 'X-Request-Id': c.var.requestId } })
}

async function deliveries(c: HttpContext, caller: Caller): Promise<Response> {
  const page = pageOf(c)
  if (!page.ok) return refuse(c, page.error)
  const hook = mine(c, caller)
  if (!hook.ok) return refuse(c, hook.error)
  const found = await hook.value.deliveries(caller.workspace, page.value.limit)
  return found.ok ? json(c, { data: found.value, next_cursor: null }) : refuse(c, found.error)
}

/** Raw bytes in, 202 once it is recorded. A malformed id looks like an unknown one. */
async function deliver(c: HttpContext): Promise<Response> {
  const id = param(c, 'hook')
  if (workspaceOf(id) === null) return refuse(c, { code: 'not_found', detail: 'There is no such hook.' })
  const body = await readBytes(c.req.raw, WEBHOOK_BODY_MAX_BYTES)
  if (!body.ok) return refuse(c, body.error)
  const headers = Object.fromEntries(c.req.raw.headers)
  const taken = await objects(c.env).hook(id).deliver(headers, body.value, currentBuild())
  if (!taken.ok) return refuse(c, taken.error)
  const { delivery_id, thread_id, run_id } = taken.value
  return json(c, { delivery_id, thread_id, run_id }, 202)
}

export const hookRoutes: readonly (KeyedRoute | OpenRoute)[] = [
  { method: 'POST', path: '/admin/hooks', role: 'admin', handle: create },
  {
    method: 'GET',
    path: '/admin/hooks',
    role: 'admin',
    handle: async (c, caller) => {
      const hooks = await objects(c.env).workspace(caller.workspace).listHooks()
      return hooks.ok ? json(c, { data: hooks.value, next_cursor: null }) : refuse(c, hooks.error)
    },
  },
  {
    method: 'GET',
    path: '/admin/hooks/:hook',
    role: 'admin',
    handle: async (c, caller) => {
      const hook = mine(c, caller)
      return hook.ok ? answer(c, await hook.value.view(caller.workspace)) : refuse(c, hook.error)
    },
  },
  { method: 'DELETE', path: '/admin/hooks/:hook', role: 'admin', handle: remove },
  { method: 'GET', path: '/admin/hooks/:hook/deliveries', role: 'admin', handle: deliveries },
  { method: 'POST', path: '/hooks/:hook', role: null, handle: deliver },
]
