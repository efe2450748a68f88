// Routes for liveness, readiness and the available models, and routes of a local server for swapping the build and waking threads.

import * as z from 'zod'
import { objects, config } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { inParallel } from '../../lib/parallel.ts'
import { logText } from '../../lib/redact.ts'
import { fail } from '../../lib/result.ts'
import { withDisposedResults } from '../../lib/dispose-results.ts'
import { WAKE_CONCURRENCY, WAKE_OBJECTS_MAX } from './limits.ts'
import { DEMO_MODEL } from '../../demo/demo.ts'
import { acceptedEfforts, modelName } from '../../model/presentation.ts'
import { keyDefaultModel } from '../../model/key-default.ts'
import { modelRegistry } from '../../model/registry.ts'
import { callersNetwork } from '../admission/address.ts'
import { refuseOverRate } from '../admission/rate.ts'
import { DEFAULT_WORKSPACE } from '../auth/auth.ts'
import { readJson } from '../bodies/json-body.ts'
import { currentBuild, servePushedBuild } from '../../skills/current-build.ts'
import { Sha256 } from '../fields/fields.ts'
import { json, route, type HttpContext, type KeyedRoute, type OpenRoute, type Reply } from '../route/route.ts'
import { liveIndex } from './skills.ts'

const PushedBuild = z.strictObject({ digest: Sha256 })
/** `objects` are the ids of thread objects that may have a run that the workspace has not recorded yet. */
const WakeRequest = z.strictObject({ objects: z.array(Sha256).max(WAKE_OBJECTS_MAX).default([]) })

async function reportReadiness(c: HttpContext): Promise<Reply> {
  const live = await liveIndex(c, DEFAULT_WORKSPACE)
  return live.ok
    ? json({ status: 'ready', build: currentBuild(), catalog_version: live.value.version })
    : live
}

/** Readiness with a separate rate limit, as high as that of shared skills, because each check reads the catalog. */
async function reportReadinessWithLimit(c: HttpContext): Promise<Reply> {
  const refusal = refuseOverRate(c, c.env.DISCOVERY_RATE, `ready ${callersNetwork(c)}`, TOO_MANY)
  return refusal ?? reportReadiness(c)
}

const TOO_MANY = 'Too many requests were sent from your network. Wait, then try again.'

/** Whether the caller belongs to the operator's workspace on a local server. */
function isOperator(c: HttpContext, caller: Caller): boolean {
  return config(c.env).devBuild && caller.workspace === DEFAULT_WORKSPACE
}

async function swapBuild(c: HttpContext, caller: Caller): Promise<Reply> {
  // Only the operator may swap the build, because all workspaces share it.
  if (!isOperator(c, caller)) return fail('not_found', 'Builds can be swapped only on a local server.')
  const body = await readJson(c.req.raw, PushedBuild)
  if (!body.ok) return body
  // Checks the build before any request uses it.
  const live = await liveIndex(c, DEFAULT_WORKSPACE, body.value.data.digest)
  if (!live.ok) return live
  servePushedBuild(body.value.data.digest)
  return reportReadiness(c)
}

/** Calls each thread with open runs, which makes it resume them. If the call fails, the thread resumes at its next alarm. */
async function wake(c: HttpContext, caller: Caller): Promise<Reply> {
  if (!isOperator(c, caller)) return fail('not_found', 'Runs can be woken only on a local server.')
  const body = await readJson(c.req.raw, WakeRequest)
  if (!body.ok) return body
  const openThreadIds = await objects(c.env).workspace(caller.workspace).openThreads()
  if (!openThreadIds.ok) return openThreadIds
  const objectsPort = objects(c.env)
  const targets = [
    ...openThreadIds.value.map((id) => ({ id, find: () => objectsPort.thread(caller.workspace, id) })),
    ...body.value.data.objects.map((id) => ({ id, find: () => objectsPort.threadById(id) })),
  ]
  await inParallel(targets, WAKE_CONCURRENCY, async ({ id, find: threadStub }) => {
    try {
      const found = threadStub()
      if (found) await withDisposedResults(found).info(caller)
    } catch (error) {
      console.warn(JSON.stringify({ at: 'http.wake', thread: id, error: logText(error) }))
    }
  })
  return json({ threads: targets.length })
}

/** Lists the models that the key may use. */
function models(c: HttpContext, caller: Caller): Response {
  const registry = modelRegistry(config(c.env))
  const usable = registry.list.filter(({ id }) => caller.models?.includes(id) !== false)
  const ownDefault = keyDefaultModel(registry, caller)
  const data = usable.map(({ id, window, price, priced, capabilities }) => ({
    id,
    name: modelName(id),
    default: id === ownDefault,
    demo: id === DEMO_MODEL,
    window,
    images: capabilities.images,
    efforts: acceptedEfforts(id),
    price: priced
      ? {
          input: price.input,
          output: price.output,
          cache_write: price.cacheWrite,
          cache_read: price.cacheRead,
        }
      : null,
  }))
  return json({ data, next_cursor: null })
}

export const healthRoutes: readonly (OpenRoute | KeyedRoute)[] = [
  { method: 'GET', path: '/healthz', role: null, handle: () => json({ status: 'ok' }) },
  { method: 'GET', path: '/readyz', role: null, handle: reportReadinessWithLimit },
  route('chat', 'GET', '/v1/models', models),
  route('admin', 'PUT', '/admin/catalog/build', swapBuild),
  route('admin', 'POST', '/admin/runs/wake', wake),
]
