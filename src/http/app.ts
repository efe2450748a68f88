// The door: a request id, who asks, which route; failures and throws become problems here.

import { Hono } from 'hono'
import type { Env } from '../env.ts'
import { mayActAs } from '../lib/caller.ts'
import { systemClock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { redact } from '../lib/redact.ts'
import { authenticate } from './auth.ts'
import { problemResponse } from './problem.ts'
import { refuse, type HttpContext, type Route, type Vars } from './route.ts'
import { adminKeyRoutes } from './routes/admin-keys.ts'
import { adminSkillRoutes } from './routes/admin-skills.ts'
import { chatRoutes } from './routes/chat.ts'
import { healthRoutes } from './routes/health.ts'
import { hookRoutes } from './routes/hooks.ts'
import { skillRoutes } from './routes/skills.ts'
import { threadRoutes } from './routes/threads.ts'

/** Every route there is. */
export const ROUTES: readonly Route[] = [
  ...chatRoutes,
  ...threadRoutes,
  ...skillRoutes,
  ...adminSkillRoutes,
  ...adminKeyRoutes,
  ...hookRoutes,
  ...healthRoutes,
]

async function denied(c: HttpContext): Promise<boolean> {
  const { success } = await c.env.DENIED_RATE.limit({ key: c.req.header('CF-Connecting-IP') ?? 'unknown' })
  return !success
}

async function serve(c: HttpContext, route: Route): Promise<Response> {
  if (route.role === null) return route.handle(c)
  const caller = await authenticate(c.env, c.req.header('Authorization') ?? null, systemClock)
  if (!caller.ok) {
    if (await denied(c))
      return refuse(c, {
        code: 'rate_limited',
        detail: 'Too many requests without a valid key.',
        retryAfterS: 60,
      })
    return refuse(c, caller.error)
  }
  if (!mayActAs(caller.value, route.role))
    return refuse(c, {
      code: 'forbidden',
      detail: `This needs a key with the role ${route.role}; yours is ${caller.value.role}.`,
    })
  return route.handle(c, caller.value)
}

export function makeApp(): Hono<{ Bindings: Env; Variables: Vars }> {
  const app = new Hono<{ Bindings: Env; Variables: Vars }>()
  app.use(async function requestId(c, next) {
    c.set('requestId', newId('req'))
    await next()
  })
  for (const route of ROUTES) app.on(route.method, route.path, (c) => serve(c, route))
  const paths = new Map<string, string[]>()
  for (const { path, method } of ROUTES) paths.set(path, [...(paths.get(path) ?? []), method])
  for (const [path, methods] of paths)
    app.all(path, (c) => {
      const response = refuse(c, {
        code: 'method_not_allowed',
        detail: `${path} takes ${methods.join(', ')}.`,
      })
      response.headers.set('Allow', methods.join(', '))
      return response
    })
  app.notFound((c) => refuse(c, { code: 'not_found', detail: 'There is nothing here.' }))
  app.onError((error, c) => {
    const requestId = c.get('requestId')
    const overloaded = 'overloaded' in error && error.overloaded === true
    console.error(
      JSON.stringify({ at: 'http', request_id: requestId, path: c.req.path, error: redact(error.message) }),
    )
    return overloaded
      ? problemResponse(
          { code: 'overloaded', detail: 'Too much at once. Try again.', retryAfterS: 2 },
          requestId,
        )
      : problemResponse(
          { code: 'internal', detail: 'Something broke. Quote the request id when you report it.' },
          requestId,
        )
  })
  return app
}
