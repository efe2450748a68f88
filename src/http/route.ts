// A route as data: method, path, who may call it. The table of them is all that there is; a test reads it, too.

import type { Context } from 'hono'
import type { Env } from '../env.ts'
import type { Caller, KeyRole } from '../lib/caller.ts'
import type { Failure, Result } from '../lib/result.ts'
import { problemResponse } from './problem.ts'

export interface Vars {
  requestId: string
}

export type HttpContext = Context<{ Bindings: Env; Variables: Vars }>

interface Common {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Hono's pattern. */
  readonly path: string
  /** Names that may stand in its query; absent: none. Routes without a key take any, as senders of webhooks add some. */
  readonly query?: readonly string[]
}

export interface OpenRoute extends Common {
  readonly role: null
  readonly handle: (c: HttpContext) => Promise<Response> | Response
}

export interface KeyedRoute extends Common {
  readonly role: KeyRole
  readonly handle: (c: HttpContext, caller: Caller) => Promise<Response> | Response
}

export type Route = OpenRoute | KeyedRoute

/** JSON, never stored by caches. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      ...headers,
    },
  })
}

/** Done, and nothing to say. */
export function empty(headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 204, headers })
}

export function refuse(c: HttpContext, failure: Failure): Response {
  return problemResponse(failure, c.var.requestId)
}

/** A result as a response: its value as JSON, its failure as a problem. */
export function answer<T>(c: HttpContext, result: Result<T>, status = 200): Response {
  return result.ok ? json(result.value, status) : refuse(c, result.error)
}

/** A path parameter. Hono decodes it after routing, so it is data like any other input. */
export function param(c: HttpContext, key: string): string {
  return c.req.param(key) ?? ''
}
