// Routes for liveness, readiness and the available models, and those of a local server for swapping the build and waking threads.

import * as z from 'zod'
import { objects, config } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { inParallel } from '../../lib/parallel.ts'
import { redact } from '../../lib/redact.ts'
import { fail } from '../../lib/result.ts'
import { disposingResults } from '../../lib/dispose-results.ts'
import { WAKE_CONCURRENCY, WAKE_OBJECTS_MAX } from './limits.ts'
import { DEMO_MODEL } from '../../demo/demo.ts'
import { modelRegistry } from '../../model/registry.ts'
import { callersNetwork } from '../admission/address.ts'
import { refuseOverRate } from '../admission/rate.ts'
import { DEFAULT_WORKSPACE } from '../auth/auth.ts'
import { readJson } from '../bodies/json-body.ts'
import { currentBuild, servePushedBuild } from '../skills/build.ts'
import { Sha256 } from '../fields/fields.ts'
import { json, route, type HttpContext, type KeyedRoute, type OpenRoute, type Reply } from '../route/route.ts'
import { liveIndex } from './skills.ts'

const PushedBuild = z.strictObject({ digest: Sha256 })
/** `objects` are the ids of thread objects that may have a run that the workspace has not recorded yet. */
const WakeRequest = z.strictObject({ objects: z.array(Sha256).max(WAKE_OBJECTS_MAX).default([]) })

async function ready(c: HttpContext): Promise<Reply> {
  const live = await liveIndex(c, DEFAULT_WORKSPACE)
  return live.ok
    ? json({ status: 'ready', build: currentBuild(), catalog_version: live.value.version })
    : live
}

/** Readiness with a separate rate limit, as high as that of shared skills, because each check reads the catalog. */
async function readyInRate(c: HttpContext): Promise<Reply> {
  const limited = refuseOverRate(c, c.env.DISCOVERY_RATE, `ready ${callersNetwork(c)}`, TOO_MANY)
  return limited ?? ready(c)
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
  const live = await liveIndex(c, DEFAULT_WORKSPACE, body.value.value.digest)
  if (!live.ok) return live
  servePushedBuild(body.value.value.digest)
  return ready(c)
}

/** Calls each thread with open runs, which makes it resume them. If the call fails, the thread resumes at its next alarm. */
async function wake(c: HttpContext, caller: Caller): Promise<Reply> {
  if (!isOperator(c, caller)) return fail('not_found', 'Runs can be woken only on a local server.')
  const body = await readJson(c.req.raw, WakeRequest)
  if (!body.ok) return body
  const open = await objects(c.env).workspace(caller.workspace).openThreads()
  if (!open.ok) return open
  const all = objects(c.env)
  const targets = [
    ...open.value.map((id) => ({ id, find: () => all.thread(caller.workspace, id) })),
    ...body.value.value.objects.map((id) => ({ id, find: () => all.threadById(id) })),
  ]
  await inParallel(targets, WAKE_CONCURRENCY, async ({ id, find }) => {
    try {
      const found = find()
      if (found) await disposingResults(found).info(caller)
    } catch (error) {
      console.warn(JSON.stringify({ at: 'http.wake', thread: id, error: redact(String(error)) }))
    }
  })
  return json({ threads: targets.length })
}

function models(c: HttpContext): Response {
  const { defaultModel, list } = modelRegistry(config(c.env))
  const data = list.map(({ id, window, price, priced, capabilities }) => ({
    id,
    default: id === defaultModel,
    demo: id === DEMO_MODEL,
    window,
    images: capabilities.images,
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
  { method: 'GET', path: '/readyz', role: null, handle: readyInRate },
  route('chat', 'GET', '/v1/models', models),
  route('admin', 'PUT', '/admin/catalog/build', swapBuild),
  route('admin', 'POST', '/admin/runs/wake', wake),
]
