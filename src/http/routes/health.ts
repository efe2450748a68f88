// Liveness, readiness, the model that answers, and the local server's way to swap the build.

import { z } from 'zod'
import { settings } from '../../env.ts'
import { DEMO_MODEL } from '../../model/demo.ts'
import { DEFAULT_WORKSPACE } from '../auth.ts'
import { readJson } from '../body.ts'
import { currentBuild, servePushedBuild } from '../build.ts'
import { json, refuse, type HttpContext, type KeyedRoute, type OpenRoute } from '../route.ts'
import { liveIndex } from './skills.ts'

const Pushed = z.strictObject({ digest: z.string().regex(/^[0-9a-f]{64}$/) })

async function ready(c: HttpContext): Promise<Response> {
  const live = await liveIndex(c, DEFAULT_WORKSPACE)
  return live.ok
    ? json(c, { status: 'ready', build: currentBuild(), catalog_version: live.value.version })
    : refuse(c, live.error)
}

async function swapBuild(c: HttpContext): Promise<Response> {
  if (!settings(c.env).devBuild) return refuse(c, { code: 'not_found', detail: 'There is nothing here.' })
  const body = await readJson(c.req.raw, Pushed)
  if (!body.ok) return refuse(c, body.error)
  servePushedBuild(body.value.value.digest)
  return ready(c)
}

function models(c: HttpContext): Response {
  const { apiKey, model } = settings(c.env)
  const id = apiKey === null ? DEMO_MODEL : model
  return json(c, { data: [{ id, default: true, demo: apiKey === null }], next_cursor: null })
}

export const healthRoutes: readonly (OpenRoute | KeyedRoute)[] = [
  { method: 'GET', path: '/healthz', role: null, handle: (c) => json(c, { status: 'ok' }) },
  { method: 'GET', path: '/readyz', role: null, handle: ready },
  { method: 'GET', path: '/v1/models', role: 'chat', handle: models },
  { method: 'PUT', path: '/admin/catalog/build', role: 'admin', handle: swapBuild },
]
