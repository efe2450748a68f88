// Describes routes as data: method, path, role and handler. Also contains helpers for their responses.

import type { Context } from 'hono'
import type { Env } from '../../env/env.ts'
import type { Caller, KeyRole } from '../../lib/caller.ts'
import type { Failure, Result } from '../../lib/result.ts'
import { countError } from '../problems/count-errors.ts'
import { problemResponse } from '../problems/problem.ts'

export interface RequestVariables {
  requestId: string
  /** The workspace of the caller or of the hook, once it is known. */
  workspace?: string
}

export type HttpContext = Context<{ Bindings: Env; Variables: RequestVariables }>

/** A handler's result: a response, a value to send as JSON, or a failure to send as a problem. */
export type Reply = Response | Result<unknown>

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface RouteBase {
  readonly method: Method
  /** A path pattern in Hono's syntax. */
  readonly path: string
  /** The allowed query parameters, by default none. Routes without a key allow any, because webhook senders add parameters. */
  readonly query?: readonly string[]
}

export interface OpenRoute extends RouteBase {
  readonly role: null
  readonly handle: (c: HttpContext) => Promise<Reply> | Reply
}

export interface KeyedRoute extends RouteBase {
  readonly role: KeyRole
  readonly handle: (c: HttpContext, caller: Caller) => Promise<Reply> | Reply
}

export type ApiRoute = OpenRoute | KeyedRoute

/** Creates a route for keys with this role or a higher one. */
export function route(
  role: KeyRole,
  method: Method,
  path: string,
  handle: KeyedRoute['handle'],
  query: readonly string[] = [],
): KeyedRoute {
  return { role, method, path, handle, query }
}

/** A JSON response that caches must not store. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store', ...headers } })
}

/** A successful response without a body. */
export function empty(headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 204, headers })
}

export function refuse(c: HttpContext, failure: Failure): Response {
  countError(c.var.workspace, failure.code)
  return problemResponse(failure, c.var.requestId)
}

export function respond(c: HttpContext, reply: Reply): Response {
  if (reply instanceof Response) return reply
  return reply.ok ? json(reply.value) : refuse(c, reply.error)
}

/** A path parameter. Hono decodes it after routing, so treat it as untrusted input. */
export function param(c: HttpContext, key: string): string {
  return c.req.param(key) ?? ''
}
