// Handles a request that belongs in the audit. The record is written before the handler runs, and completed before the
// response is sent: if it cannot be written, nothing happens. Imported when it is needed.

import { objects } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { redact } from '../../lib/redact.ts'
import { fail, ok } from '../../lib/result.ts'
import { cutText } from '../../lib/text.ts'
import type { ActionOutcome } from '../../workspace/audit-api.ts'
import { recordedNetwork } from '../admission/address.ts'
import { queueWorkspace } from '../admission/queues.ts'
import { param, respond, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'
import { actionOf } from './action.ts'
import { changedFields } from './changed-fields.ts'
import { AUDIT_TARGET_MAX_CHARS } from './limits.ts'
import { stateBeforePublishing, stateOf, type AuditedState } from './states.ts'

const NOT_RECORDED = fail(
  'overloaded',
  'Nothing was changed, because the request could not be written to the audit first. Try again later.',
  { retryAfterS: 2 },
)

/** Failures: those of the handler, and `overloaded` or `rate_limited` if the record cannot be written. */
export async function handleAudited(c: HttpContext, route: KeyedRoute, caller: Caller): Promise<Reply> {
  const { workspace, keyId, user, role } = caller
  const inPath = namesInPath(c, route)
  // The names of files are data of users, who may delete them; the audit stays.
  const path = route.path.startsWith('/v1/threads/:t') ? inPath.slice(0, 1) : inPath
  // The path of an export contains no user.
  const ofUser = c.req.query('user')
  const named = path.length > 0 || ofUser === undefined ? path : [ofUser]
  const action = {
    request_id: c.var.requestId,
    key: keyId,
    user,
    role,
    network: recordedNetwork(c),
    action: actionOf(route),
    target: named.length > 0 ? targetOf(named) : null,
  }
  const [before, began] = await Promise.all([
    stateOf(c, route, caller, path),
    queueWorkspace(c, caller, async () =>
      ok(await objects(c.env).workspace(workspace).beginAction(action)),
    ).catch((error: unknown) => reportUnrecorded(c, error)),
  ])
  if (!began.ok) return began
  let response: Response | null = null
  try {
    response = respond(c, await route.handle(c, caller))
    return response
  } finally {
    try {
      const outcome = await outcomeOf(c, route, caller, { path, before, response })
      await objects(c.env).workspace(workspace).endAction(workspace, began.value, outcome)
    } catch (error) {
      // The record stays, without an outcome. The action has happened, so its response is still sent.
      reportUnrecorded(c, error)
    }
  }
}

function reportUnrecorded(c: HttpContext, error: unknown): typeof NOT_RECORDED {
  console.error(JSON.stringify({ at: 'audit', request_id: c.var.requestId, error: redact(String(error)) }))
  return NOT_RECORDED
}

/** The parameters of the path, in its order. */
function namesInPath(c: HttpContext, { path }: KeyedRoute): readonly string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => param(c, name))
}

function targetOf(names: readonly string[]): string {
  return redact(cutText(names.join('/'), AUDIT_TARGET_MAX_CHARS))
}

interface Handled {
  readonly path: readonly string[]
  readonly before: AuditedState
  /** Null if the handler threw an exception. */
  readonly response: Response | null
}

async function outcomeOf(
  c: HttpContext,
  route: KeyedRoute,
  caller: Caller,
  { path, before, response }: Handled,
): Promise<ActionOutcome & { readonly target: string | null }> {
  const status = response?.status ?? 500
  const nothing = { status, target: null, before: null, after: null }
  // A refused request changes nothing. After an error of the server, something may have changed.
  if (status >= 400 && status < 500) return nothing
  if (/^(?:1|true)$/.test(c.req.query('dry_run') ?? '')) return { ...nothing, after: { dry_run: true } }
  const made = route.method === 'POST' && path.length === 0 && response ? await madeBy(response) : null
  if (made === null)
    return { ...nothing, ...(await changedFields(before, await stateOf(c, route, caller, path))) }
  const { name, publishedIn } = made
  const after = await stateOf(c, route, caller, [name])
  const was = publishedIn === null ? null : await stateBeforePublishing(c, caller, name, publishedIn, after)
  return { ...nothing, target: targetOf([name]), ...(await changedFields(was, after)) }
}

/**
 * Returns what the response says was created: its ID, or the name of a skill. Reads no other field, because some are
 * secrets.
 */
async function madeBy(
  response: Response,
): Promise<{ readonly name: string; readonly publishedIn: number | null } | null> {
  if (!response.headers.get('Content-Type')?.startsWith('application/json')) return null
  // The cast is safe: each field is checked below.
  const { id, skill, catalog_version } = (await response.clone().json()) as Readonly<Record<string, unknown>>
  if (typeof id === 'string') return { name: id, publishedIn: null }
  if (typeof skill !== 'object' || skill === null || typeof catalog_version !== 'number') return null
  const name = 'name' in skill ? skill.name : null
  return typeof name === 'string' ? { name, publishedIn: catalog_version } : null
}
