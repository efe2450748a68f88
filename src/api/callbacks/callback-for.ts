// Finds the endpoint that signs a callback, and checks the addresses to which events are sent.

import type { Callback } from '../../callbacks/api.ts'
import { endpointOver } from '../../callbacks/is-under.ts'
import { objects, type Env } from '../../env/env.ts'
import { systemClock } from '../../lib/clock.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { whyUnreachable } from '../../net/workspace-fetch.ts'
import type { CallbackRequest } from '../fields/callback.ts'

/** Checks the callback of a run, hook or schedule; null if none is requested. Fails with `invalid_request`. */
export async function callbackFor(
  env: Env,
  workspace: string,
  requested: CallbackRequest | null | undefined,
): Promise<Result<Callback | null>> {
  if (!requested) return ok(null)
  const checked = await checkAddress(env, workspace, 'callback.url', requested.url)
  if (!checked.ok) return checked
  const endpoints = await objects(env).workspace(workspace).listEndpoints()
  if (!endpoints.ok) return endpoints
  if (endpointOver(requested.url, endpoints.value)) return ok(requested)
  return invalid(
    'callback.url',
    'is under no endpoint of this workspace. An admin registers one with POST /admin/endpoints',
  )
}

/** Fails if events may not be sent to this address. The guard checks again for each attempt. */
export async function checkAddress(
  env: Env,
  workspace: string,
  field: string,
  url: string,
): Promise<Result<null>> {
  const parsed = URL.parse(url)
  if (!parsed) return invalid(field, 'is not an absolute web address')
  if (parsed.hash !== '') return invalid(field, 'must not have a fragment')
  const problem = await whyUnreachable(env, workspace, systemClock, url)
  return problem === null ? ok(null) : invalid(field, problem)
}

function invalid(path: string, message: string): ReturnType<typeof fail> {
  return fail('invalid_request', `The address in ${path} ${message}.`, { errors: [{ path, message }] })
}
