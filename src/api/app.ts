// The HTTP entry: request id, authentication, routing. Turns failures and exceptions into problems.

import { HonoBase } from 'hono/hono-base'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { TrieRouter } from 'hono/router/trie-router'
import type { Env } from '../env/env.ts'
import { mayActAs } from '../lib/caller.ts'
import { systemClock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { redact } from '../lib/redact.ts'
import { err, fail, type Failure } from '../lib/result.ts'
import { PREFLIGHT_S } from './limits.ts'
import { callersNetwork } from './admission/address.ts'
import { authenticate } from './auth/auth.ts'
import { queryRefusal } from './route/query.ts'
import {
  empty,
  refuse,
  respond,
  type HttpContext,
  type Reply,
  type ApiRoute,
  type Vars,
} from './route/route.ts'
import { adminCatalogRoutes } from './routes/admin-catalog.ts'
import { adminKeyRoutes } from './routes/admin-keys.ts'
import { adminSecretRoutes } from './routes/admin-secrets.ts'
import { adminSettingsRoutes } from './routes/admin-settings.ts'
import { adminSkillFileRoutes } from './routes/admin-skill-files.ts'
import { adminSkillRoutes } from './routes/admin-skills.ts'
import { adminToolRoutes } from './routes/admin-tools.ts'
import { approvalRoutes } from './routes/approvals.ts'
import { chatRoutes } from './routes/chat.ts'
import { discoveryRoutes } from './routes/discovery.ts'
import { fileRoutes } from './routes/files.ts'
import { forkRoutes } from './routes/fork.ts'
import { sentBy } from './admission/sender.ts'
import { countUnfinished, earlyRefusal, refuseUnauthenticated } from './admission/unauthenticated.ts'
import { healthRoutes } from './routes/health.ts'
import { hookRoutes } from './routes/hooks.ts'
import { skillMatchRoutes } from './routes/skill-match.ts'
import { skillRoutes } from './routes/skills.ts'
import { threadRoutes } from './routes/threads.ts'
import { toolRoutes } from './routes/tools.ts'

/** All routes. */
export const ROUTES: readonly ApiRoute[] = [
  ...chatRoutes,
  ...threadRoutes,
  ...forkRoutes,
  ...approvalRoutes,
  ...fileRoutes,
  ...skillRoutes,
  ...skillMatchRoutes,
  ...toolRoutes,
  ...adminSkillRoutes,
  ...adminCatalogRoutes,
  ...adminToolRoutes,
  ...adminSkillFileRoutes,
  ...adminKeyRoutes,
  ...adminSettingsRoutes,
  ...adminSecretRoutes,
  ...hookRoutes,
  ...discoveryRoutes,
  ...healthRoutes,
]

async function serve(c: HttpContext, route: ApiRoute): Promise<Reply> {
  try {
    return await answer(c, route)
  } finally {
    countUnfinished(c)
  }
}

async function answer(c: HttpContext, route: ApiRoute): Promise<Reply> {
  if (route.role === null) return route.handle(c)
  const caller = await authenticate(c.env, c.req.header('Authorization') ?? null, systemClock)
  if (!caller.ok)
    return caller.error.code === 'unauthenticated' ? refuseUnauthenticated(c, caller.error) : caller
  if (!mayActAs(caller.value, route.role))
    return fail(
      'forbidden',
      `This needs a key with the role ${route.role}; yours is ${caller.value.role}. Ask an admin of the workspace for one.`,
    )
  const strange = queryRefusal(c.req.url, route.query ?? [])
  if (strange) return err(strange)
  if (c.req.raw.body === null) return route.handle(c, caller.value)
  const { workspace, keyId } = caller.value
  const credential = `${workspace}/${keyId}`
  const early = earlyRefusal(c, credential)
  if (early) return early
  sentBy(c.req.raw, ['key', workspace, credential, callersNetwork(c)])
  return route.handle(c, caller.value)
}

const BUSY: Failure = { code: 'overloaded', detail: 'The service is overloaded. Try again.', retryAfterS: 2 }
const BROKEN: Failure = {
  code: 'internal',
  detail: 'An internal error occurred. Try again; if it persists, report the request id.',
}

/** The platform's errors for an overloaded or restarted object are worth a retry. */
function thrown(error: Error): Failure {
  const busy = 'overloaded' in error && error.overloaded === true
  const restarted = 'retryable' in error && error.retryable === true
  return busy || restarted ? BUSY : BROKEN
}

/** A path that has handlers, but none for this method. */
function otherwise(c: HttpContext, methods: readonly string[]): Response {
  const allow = [...methods, 'OPTIONS'].join(', ')
  const response =
    c.req.method === 'OPTIONS'
      ? empty()
      : refuse(c, { code: 'method_not_allowed', detail: `This path accepts ${allow}, not ${c.req.method}.` })
  response.headers.set('Allow', allow)
  return response
}

/** CORS: any page may read public routes and their failures. No cookie and no key changes their responses. */
function openToPages(headers: Headers, method: string): void {
  headers.set('Access-Control-Allow-Origin', '*')
  headers.set('Access-Control-Expose-Headers', 'ETag, Retry-After, X-Request-Id')
  if (method !== 'OPTIONS') return
  headers.set('Access-Control-Allow-Methods', 'GET, HEAD')
  headers.set('Access-Control-Allow-Headers', 'If-None-Match')
  headers.set('Access-Control-Max-Age', String(PREFLIGHT_S))
}

/** Hono's single router that also serves the method middleware: its default set has three and is larger. */
export function makeApp(): HonoBase<{ Bindings: Env; Variables: Vars }> {
  const app = new HonoBase<{ Bindings: Env; Variables: Vars }>({ router: new TrieRouter() })
  app.use(async function onEveryResponse(c, next) {
    c.set('requestId', newId('req'))
    await next()
    c.res.headers.set('X-Request-Id', c.var.requestId)
    // Responses contain text from others: no browser may sniff it as a page.
    c.res.headers.set('X-Content-Type-Options', 'nosniff')
    // Browsers resolve the hosts of links before a click, which would leak the names to their name servers.
    c.res.headers.set('X-DNS-Prefetch-Control', 'off')
    if (c.req.path.startsWith('/.well-known/')) openToPages(c.res.headers, c.req.method)
  })
  app.use(methodNotAllowed({ app, onMethodNotAllowed: otherwise }))
  for (const route of ROUTES) app.on(route.method, route.path, async (c) => respond(c, await serve(c, route)))
  // On platforms that send every request to the Worker first, the page's files come after the routes.
  app.notFound(async (c) => {
    const file =
      c.req.method === 'GET' || c.req.method === 'HEAD' ? await c.env.ASSETS?.fetch(c.req.raw) : null
    if (file && file.status !== 404) return new Response(file.body, file)
    return refuse(c, {
      code: 'not_found',
      detail: 'There is nothing at this path. docs/api/routes.md lists the routes.',
    })
  })
  app.onError((error, c) => {
    const requestId = c.get('requestId')
    const line = { at: 'http', request_id: requestId, path: c.req.path, error: redact(error.message) }
    console.error(JSON.stringify(line))
    return refuse(c, thrown(error))
  })
  return app
}
