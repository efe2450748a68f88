// Webhooks, which are managed at /admin/hooks and received at /hooks/:hook_id. A hook's secret is shown once.

import { objects } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { isSha256 } from '../../lib/bytes.ts'
import { rfc3339, systemClock } from '../../lib/clock.ts'
import { ExpiringCache } from '../../lib/expiring-cache.ts'
import { err, fail, ok, type Failure, type Result } from '../../lib/result.ts'
import { RATE_BLOCKED_KEYS_MAX, WEBHOOK_BODY_MAX_BYTES } from '../../limits/requests.ts'
import { REMOVED_HOOK_CACHE_MS } from './limits.ts'
import { noBuild } from '../../skills/not-ready.ts'
import type { HookApi } from '../../webhooks/api.ts'
import { isGenuineHookId, newHookId, workspaceOf } from '../../webhooks/hook-id.ts'
import { newSecret } from '../../webhooks/schemes/secret.ts'
import { callersNetwork } from '../admission/address.ts'
import { queueDelivery, refuseOverHookRate } from '../admission/queues.ts'
import { readBytes } from '../bodies/body.ts'
import { currentBuild } from '../../skills/current-build.ts'
import { callbackFor } from '../callbacks/callback-for.ts'
import { HookFields, HookPatch, NewHook, Rotation } from '../fields/hook.ts'
import { checkRunOptions } from '../fields/run-options.ts'
import { idSecretsOf } from '../auth/id-secrets.ts'
import { checkFields, readJson } from '../bodies/json-body.ts'
import { pageFrom, pageQuery } from '../fields/page.ts'
import { PAGE_QUERY } from '../route/query.ts'
import { setSender } from '../admission/sender.ts'
import { refuseEarly, refuseCostly, refuseUnauthenticated } from '../admission/unauthenticated.ts'
import {
  empty,
  json,
  param,
  route,
  type HttpContext,
  type KeyedRoute,
  type Reply,
  type ApiRoute,
} from '../route/route.ts'

const NO_HOOK = fail('not_found', 'There is no such hook.')

/**
 * The hook of the path, if it belongs to the caller's workspace. Does not verify the signature of the id, so that an admin can remove
 * a hook after ID_SECRET has changed.
 */
export function hookInPath(c: HttpContext, caller: Caller): Result<HookApi> {
  const id = param(c, 'hook')
  return workspaceOf(id) === caller.workspace ? ok(objects(c.env).hook(id)) : NO_HOOK
}

async function create(c: HttpContext, caller: Caller): Promise<Reply> {
  const body = await readJson(c.req.raw, NewHook)
  if (!body.ok) return body
  const secrets = idSecretsOf(c.env)
  if (!secrets.ok) return secrets
  const options = checkRunOptions(c.env, body.value.data)
  if (!options.ok) return options
  const callback = await callbackFor(c.env, caller.workspace, body.value.data.callback)
  if (!callback.ok) return callback
  const { secret = newSecret(body.value.data.scheme), ...fields } = body.value.data
  const id = await newHookId(caller.workspace, secrets.value[0])
  const created_at = rfc3339(systemClock())
  const hook = { ...fields, id, secret, workspace: caller.workspace, created_at }
  const configured = await objects(c.env).hook(id).configure(hook)
  if (!configured.ok) return configured
  const listed = await objects(c.env)
    .workspace(caller.workspace)
    .addHook({ id, name: fields.name, created_at })
  if (!listed.ok) return listed
  // This is the only response that contains the secret.
  return json({ ...configured.value, secret, url: `/hooks/${id}` }, 201)
}

/** Changes the fields of the body, and keeps the others, the URL and the secret. */
async function change(c: HttpContext, caller: Caller): Promise<Reply> {
  const patch = await readJson(c.req.raw, HookPatch)
  if (!patch.ok) return patch
  const hook = hookInPath(c, caller)
  if (!hook.ok) return hook
  const current = await hook.value.view(caller.workspace)
  if (!current.ok) return current
  const {
    id,
    workspace,
    scheme,
    created_at,
    previous_secret_until: _,
    secret_readable: __,
    ...fields
  } = current.value
  const changed = checkFields({ ...fields, ...patch.value.data }, HookFields)
  if (!changed.ok) return changed
  const options = checkRunOptions(c.env, changed.value)
  if (!options.ok) return options
  const callback = await callbackFor(c.env, workspace, changed.value.callback)
  if (!callback.ok) return callback
  const stored = await hook.value.change({ ...changed.value, id, workspace, scheme, created_at })
  if (!stored.ok) return stored
  const { name } = stored.value
  const listed = await objects(c.env).workspace(workspace).addHook({ id, name, created_at })
  return listed.ok ? stored : listed
}

async function list(c: HttpContext, caller: Caller): Promise<Reply> {
  const page = pageQuery(c)
  if (!page.ok) return page
  const hooks = await objects(c.env).workspace(caller.workspace).listHooks()
  if (!hooks.ok) return hooks
  return pageFrom(page.value, hooks.value, (hook) => `${hook.created_at} ${hook.id}`)
}

async function remove(c: HttpContext, caller: Caller): Promise<Reply> {
  const hook = hookInPath(c, caller)
  if (!hook.ok) return hook
  const removed = await hook.value.remove(caller.workspace)
  if (!removed.ok && removed.error.code !== 'not_found') return removed
  // Done even if the hook no longer exists, because an interrupted removal must not leave it in the list.
  await objects(c.env).workspace(caller.workspace).removeHook(param(c, 'hook'))
  return removed.ok ? empty() : removed
}

/** Replaces the secret without a new URL. This is the only response that contains the new one. */
async function rotate(c: HttpContext, caller: Caller): Promise<Reply> {
  const body = await readJson(c.req.raw, Rotation)
  if (!body.ok) return body
  const hook = hookInPath(c, caller)
  if (!hook.ok) return hook
  const { secret, overlap_s } = body.value.data
  return hook.value.rotate(caller.workspace, secret, overlap_s)
}

/** Receives a delivery and returns 202 once it is recorded. The response to an invalid id is that of a removed hook. */
async function deliver(c: HttpContext): Promise<Reply> {
  const id = param(c, 'hook')
  const secrets = idSecretsOf(c.env)
  if (!secrets.ok) return secrets
  // Checked before the body is read or an object is called, because both are expensive and ids may be guessed.
  if (!(await isGenuineHookId(id, secrets.value))) return refuseUnauthenticated(c, NO_HOOK.error)
  c.set('workspace', workspaceOf(id) ?? undefined)
  const earlyRefusal = refuseEarly(c, id) ?? refuseOverHookRate(id)
  if (earlyRefusal) return earlyRefusal
  // A delivery records the build of its run, so without one it cannot be accepted.
  const build = currentBuild()
  if (!isSha256(build)) return noBuild()
  if (removed.get(id, systemClock())) return refuseUnauthenticated(c, NO_HOOK.error)
  setSender(c.req.raw, ['hook', workspaceOf(id) ?? '', id, callersNetwork(c)])
  const body = await readBytes(c.req.raw, WEBHOOK_BODY_MAX_BYTES)
  if (!body.ok) return body
  const headers = Object.fromEntries(c.req.raw.headers)
  const hook = objects(c.env).hook(id)
  const delivery = { headers, body: body.value, build }
  const recorded = await queueDelivery(c, id, delivery, (batch) => hook.deliverAll(batch))
  if (!recorded.ok) return refuseDelivery(c, id, recorded.error)
  if ('handshake' in recorded.value) {
    const { contentType, body: answer } = recorded.value.handshake
    return new Response(answer, { headers: { 'Content-Type': contentType } })
  }
  const { delivery_id, thread_id, run_id } = recorded.value
  return json({ delivery_id, thread_id, run_id }, 202)
}

/** Hooks that this isolate knows were removed. They never return, so their bodies are not read. */
const removed = new ExpiringCache<true>(RATE_BLOCKED_KEYS_MAX, REMOVED_HOOK_CACHE_MS)

function refuseDelivery(
  c: HttpContext,
  id: string,
  failure: Failure,
): Promise<Result<never>> | Result<never> {
  if (failure.code === 'unauthenticated') return refuseCostly(c, id, failure)
  if (failure.code !== 'not_found') return err(failure)
  removed.set(id, true, systemClock())
  return refuseUnauthenticated(c, failure)
}

const showHook: KeyedRoute['handle'] = (c, caller) => {
  const hook = hookInPath(c, caller)
  return hook.ok ? hook.value.view(caller.workspace) : hook
}

export const hookRoutes: readonly ApiRoute[] = [
  route('admin', 'POST', '/admin/hooks', create),
  route('admin', 'GET', '/admin/hooks', list, PAGE_QUERY),
  route('admin', 'GET', '/admin/hooks/:hook', showHook),
  route('admin', 'PATCH', '/admin/hooks/:hook', change),
  route('admin', 'DELETE', '/admin/hooks/:hook', remove),
  route('admin', 'POST', '/admin/hooks/:hook/rotate', rotate),
  { method: 'POST', path: '/hooks/:hook', role: null, handle: deliver },
]
