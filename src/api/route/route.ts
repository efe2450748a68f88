// A route as data: method, path, who may call it. The table of them is all that there is; a test reads it, too.

import type { Context } from 'hono'
import type { Env } from '../../env/env.ts'
import type { Caller, KeyRole } from '../../lib/caller.ts'
import type { Failure, Result } from '../../lib/result.ts'
import { problemResponse } from '../problems/problem.ts'

export interface Vars {
  requestId: string
}

export type HttpContext = Context<{ Bindings: Env; Variables: Vars }>

/** What a handler gives: a response, or a value to be sent as JSON, or a failure to be sent as a problem. */
export type Reply = Response | Result<unknown>

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Common {
  readonly method: Method
  /** Hono's pattern. */
  readonly path: string
  /** Names that may stand in its query; absent: none. Routes without a key take any, as senders of webhooks add some. */
  readonly query?: readonly string[]
}

export interface OpenRoute extends Common {
  readonly role: null
  readonly handle: (c: HttpContext) => Promise<Reply> | Reply
}

export interface KeyedRoute extends Common {
  readonly role: KeyRole
  readonly handle: (c: HttpContext, caller: Caller) => Promise<Reply> | Reply
}

export type ApiRoute = OpenRoute | KeyedRoute

/** A route for keys of this role and those above it. */
export function route(
  role: KeyRole,
  method: Method,
  path: string,
  handle: KeyedRoute['handle'],
  query: readonly string[] = [],
): KeyedRoute {
  return { role, method, path, handle, query }
}

/** JSON, never stored by caches. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store', ...headers } })
}

/** Done, and nothing to say. */
export function empty(headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 204, headers })
}

export function refuse(c: HttpContext, failure: Failure): Response {
  return problemResponse(failure, c.var.requestId)
}

export function respond(c: HttpContext, reply: Reply): Response {
  if (reply instanceof Response) return reply
  return reply.ok ? json(reply.value) : refuse(c, reply.error)
}

/** A path parameter. Hono decodes it after routing, so it is data like any other input. */
export function param(c: HttpContext, key: string): string {
  return c.req.param(key) ?? ''
}
