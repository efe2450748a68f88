// The HTTP entry point: assigns request ids, authenticates, routes, and turns failures and exceptions into problem responses.

import { HonoBase } from 'hono/hono-base'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { TrieRouter } from 'hono/router/trie-router'
import { NOT_COMPLETE, RESTORING } from '../backup/restoring.ts'
import type { Env } from '../env/env.ts'
import { mayActAs, type Caller } from '../lib/caller.ts'
import { systemClock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { logText } from '../lib/redact.ts'
import { err, fail, type Failure } from '../lib/result.ts'
import { PREFLIGHT_CACHE_S } from './limits.ts'
import { callersNetwork, recordedNetwork } from './admission/address.ts'
import { isAuditedFor } from './audit/is-audited.ts'
import { authenticate } from './auth/auth.ts'
import { reportErrors } from './problems/count-errors.ts'
import { refuseUnknownQuery } from './route/query.ts'
import {
  empty,
  refuse,
  respond,
  type HttpContext,
  type KeyedRoute,
  type Reply,
  type ApiRoute,
  type RequestVariables,
} from './route/route.ts'
import { adminAuditRoutes } from './routes/admin-audit.ts'
import { adminCatalogRoutes } from './routes/admin-catalog.ts'
import { adminKeyRoutes } from './routes/admin-keys.ts'
import { adminLimitRoutes } from './routes/admin-limits.ts'
import { adminMcpRoutes } from './routes/admin-mcp.ts'
import { adminRunRoutes } from './routes/admin-runs.ts'
import { adminSecretRoutes } from './routes/admin-secrets.ts'
import { adminSettingsRoutes } from './routes/admin-settings.ts'
import { adminSkillFileRoutes } from './routes/admin-skill-files.ts'
import { adminSkillRoutes } from './routes/admin-skills.ts'
import { adminToolRoutes } from './routes/admin-tools.ts'
import { adminUserRoutes } from './routes/admin-users.ts'
import { approvalRoutes } from './routes/approvals.ts'
import { backupRoutes } from './routes/backup.ts'
import { chatRoutes } from './routes/chat.ts'
import { discoveryRoutes } from './routes/discovery.ts'
import { endpointRoutes } from './routes/endpoints.ts'
import { fileRoutes } from './routes/files.ts'
import { compactRoutes } from './routes/compact.ts'
import { forkRoutes } from './routes/fork.ts'
import { setSender } from './admission/sender.ts'
import { countUnfinished, refuseEarly, refuseUnauthenticated } from './admission/unauthenticated.ts'
import { healthRoutes } from './routes/health.ts'
import { hookLogRoutes } from './routes/hook-log.ts'
import { hookRoutes } from './routes/hooks.ts'
import { scheduleRoutes } from './routes/schedules.ts'
import { meRoutes } from './routes/me.ts'
import { skillMatchRoutes } from './routes/skill-match.ts'
import { skillRoutes } from './routes/skills.ts'
import { threadRoutes } from './routes/threads.ts'
import { toolRoutes } from './routes/tools.ts'

export const ROUTES: readonly ApiRoute[] = [
  ...chatRoutes,
  ...threadRoutes,
  ...compactRoutes,
  ...forkRoutes,
  ...approvalRoutes,
  ...fileRoutes,
  ...skillRoutes,
  ...skillMatchRoutes,
  ...toolRoutes,
  ...adminSkillRoutes,
  ...adminCatalogRoutes,
  ...adminToolRoutes,
  ...adminMcpRoutes,
  ...adminSkillFileRoutes,
  ...adminKeyRoutes,
  ...adminRunRoutes,
  ...adminAuditRoutes,
  ...adminUserRoutes,
  ...backupRoutes,
  ...adminSettingsRoutes,
  ...adminLimitRoutes,
  ...adminSecretRoutes,
  ...hookLogRoutes,
  ...hookRoutes,
  ...endpointRoutes,
  ...scheduleRoutes,
  ...meRoutes,
  ...discoveryRoutes,
  ...healthRoutes,
]

async function serve(c: HttpContext, route: ApiRoute): Promise<Reply> {
  try {
    return await authorizeAndHandle(c, route)
  } finally {
    countUnfinished(c)
  }
}

async function authorizeAndHandle(c: HttpContext, route: ApiRoute): Promise<Reply> {
  if (route.role === null) return route.handle(c)
  const caller = await authenticate(c.env, c.req.header('Authorization') ?? null, systemClock, () =>
    recordedNetwork(c),
  )
  if (!caller.ok)
    return caller.error.code === 'unauthenticated' ? refuseUnauthenticated(c, caller.error) : caller
  c.set('workspace', caller.value.workspace)
  if (!mayActAs(caller.value, route.role))
    return fail(
      'forbidden',
      `This request requires a key with the role ${route.role}, but yours has the role ${caller.value.role}. Ask an admin of the workspace for a suitable key.`,
    )
  const refusal = refuseUnknownQuery(c.req.url, route.query ?? [])
  if (refusal) return err(refusal)
  if (c.req.raw.body === null) return handle(c, route, caller.value)
  const { workspace, keyId } = caller.value
  const credential = `${workspace}/${keyId}`
  const earlyRefusal = refuseEarly(c, credential)
  if (earlyRefusal) return earlyRefusal
  setSender(c.req.raw, ['key', workspace, credential, callersNetwork(c)])
  return handle(c, route, caller.value)
}

/** Handles the request, and records it in the audit if it belongs there. */
async function handle(c: HttpContext, route: KeyedRoute, caller: Caller): Promise<Reply> {
  if (!isAuditedFor(caller.role, route)) return route.handle(c, caller)
  const { handleAudited } = await import('./audit/handle-audited.ts')
  return handleAudited(c, route, caller)
}

const OVERLOADED: Failure = {
  code: 'overloaded',
  detail: 'The service is overloaded. Try again later.',
  retryAfterS: 2,
}
const INTERNAL_ERROR: Failure = {
  code: 'internal',
  detail: 'An internal error occurred. Try again. If the error persists, report the request_id.',
}

/** The failure for an exception. The caller may retry if the platform reports an overloaded or restarted object. */
function failureOf(error: Error): Failure {
  if (error.message.includes(RESTORING)) return NOT_COMPLETE.error
  const isOverloaded = 'overloaded' in error && error.overloaded === true
  const isRestarted = 'retryable' in error && error.retryable === true
  return isOverloaded || isRestarted ? OVERLOADED : INTERNAL_ERROR
}

/** The response for a path that has handlers, but none for this method. */
function refuseMethod(c: HttpContext, methods: readonly string[]): Response {
  const allowedMethods = [...methods, 'OPTIONS'].join(', ')
  const response =
    c.req.method === 'OPTIONS'
      ? empty()
      : refuse(c, {
          code: 'method_not_allowed',
          detail: `This path does not accept ${c.req.method}. Use one of: ${allowedMethods}.`,
        })
  response.headers.set('Allow', allowedMethods)
  return response
}

/** Sets CORS headers that let any web page read public routes. Responses of these routes depend on neither cookies nor keys. */
function setCorsHeaders(headers: Headers, method: string): void {
  headers.set('Access-Control-Allow-Origin', '*')
  headers.set('Access-Control-Expose-Headers', 'ETag, Retry-After, X-Request-Id')
  if (method !== 'OPTIONS') return
  headers.set('Access-Control-Allow-Methods', 'GET, HEAD')
  headers.set('Access-Control-Allow-Headers', 'If-None-Match')
  headers.set('Access-Control-Max-Age', String(PREFLIGHT_CACHE_S))
}

/** Creates the app with a single router that supports the method middleware. Hono's default combines three and is larger. */
export function makeApp(): HonoBase<{ Bindings: Env; Variables: RequestVariables }> {
  const app = new HonoBase<{ Bindings: Env; Variables: RequestVariables }>({ router: new TrieRouter() })
  app.use(async function onEveryResponse(c, next) {
    c.set('requestId', newId('req'))
    await next()
    c.res.headers.set('X-Request-Id', c.var.requestId)
    // Responses contain text from third parties, which browsers must not interpret as HTML.
    c.res.headers.set('X-Content-Type-Options', 'nosniff')
    // Browsers resolve the hosts of links before a click, which would leak these names to DNS servers.
    c.res.headers.set('X-DNS-Prefetch-Control', 'off')
    if (c.req.path.startsWith('/.well-known/')) setCorsHeaders(c.res.headers, c.req.method)
    const report = reportErrors(c.env, systemClock())
    if (report) c.executionCtx.waitUntil(report)
  })
  app.use(methodNotAllowed({ app, onMethodNotAllowed: refuseMethod }))
  for (const route of ROUTES) app.on(route.method, route.path, async (c) => respond(c, await serve(c, route)))
  // Some platforms send every request to the Worker first. It then serves the web page's files if no route matches.
  app.notFound(async (c) => {
    const file =
      c.req.method === 'GET' || c.req.method === 'HEAD' ? await c.env.ASSETS?.fetch(c.req.raw) : null
    if (file && file.status !== 404) return new Response(file.body, file)
    return refuse(c, {
      code: 'not_found',
      detail: 'No route matches this path. See docs/api/routes.md for a list of routes.',
    })
  })
  app.onError((error, c) => {
    const requestId = c.get('requestId')
    // A file's name may be anybody's text.
    const path = c.req.path.replace(/\/files\/.+/s, '/files/…')
    const line = { at: 'http', request_id: requestId, path, error: logText(error.message) }
    console.error(JSON.stringify(line))
    return refuse(c, failureOf(error))
  })
  return app
}
