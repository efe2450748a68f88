// Threads, their transcripts, runs and events.

import { objects } from '../../env.ts'
import { mayActAs, type Caller } from '../../lib/caller.ts'
import { fail, type Result } from '../../lib/result.ts'
import type { ThreadApi } from '../../thread/api.ts'
import { readJson } from '../json-body.ts'
import { ThreadId, ThreadPatch } from '../chat-request.ts'
import { pageOf } from '../page.ts'
import { PAGE_QUERY } from '../query.ts'
import { answer, empty, param, refuse, type HttpContext, type KeyedRoute } from '../route.ts'
import { cursorOf, eventStream } from '../stream.ts'

const RUN_ID = /^run_[a-z0-9]{24}$/

/** An id that cannot be one is unknown, without asking any object. */
async function withThread<T>(
  c: HttpContext,
  caller: Caller,
  use: (thread: ThreadApi) => Promise<Result<T>>,
): Promise<Result<T>> {
  const id = ThreadId.safeParse(param(c, 't'))
  if (!id.success) return fail('not_found', 'There is no such thread.')
  return use(objects(c.env).thread(caller.workspace, id.data))
}

async function withRun<T>(
  c: HttpContext,
  caller: Caller,
  use: (thread: ThreadApi, runId: string) => Promise<Result<T>>,
): Promise<Result<T>> {
  const run = param(c, 'r')
  if (!RUN_ID.test(run)) return fail('not_found', 'There is no such run in this thread.')
  return withThread(c, caller, (thread) => use(thread, run))
}

async function list(c: HttpContext, caller: Caller): Promise<Response> {
  const page = pageOf(c)
  if (!page.ok) return refuse(c, page.error)
  const owner = caller.user === null ? `key:${caller.keyId}` : `user:${caller.user}`
  const whose = mayActAs(caller, 'admin') ? null : owner
  return answer(
    c,
    await objects(c.env).workspace(caller.workspace).listThreads(whose, page.value.cursor, page.value.limit),
  )
}

async function patch(c: HttpContext, caller: Caller): Promise<Response> {
  const body = await readJson(c.req.raw, ThreadPatch)
  if (!body.ok) return refuse(c, body.error)
  return answer(c, await withThread(c, caller, (thread) => thread.patch(caller, body.value.value)))
}

async function remove(c: HttpContext, caller: Caller): Promise<Response> {
  const removed = await withThread(c, caller, (thread) => thread.remove(caller))
  if (!removed.ok) return refuse(c, removed.error)
  return empty()
}

async function paged<T>(
  c: HttpContext,
  caller: Caller,
  use: (thread: ThreadApi, cursor: string | null, limit: number) => Promise<Result<T>>,
): Promise<Response> {
  const page = pageOf(c)
  if (!page.ok) return refuse(c, page.error)
  return answer(c, await withThread(c, caller, (thread) => use(thread, page.value.cursor, page.value.limit)))
}

/** `whole`: the thread's events instead of one run's. */
async function events(c: HttpContext, caller: Caller, whole: boolean): Promise<Response> {
  const after = cursorOf(c)
  if (!after.ok) return refuse(c, after.error)
  if (c.req.method === 'HEAD') {
    // A stream that nobody reads would stay open for minutes.
    const there: Result<unknown> = whole
      ? await withThread(c, caller, (thread) => thread.info(caller))
      : await withRun(c, caller, (thread, run) => thread.receipt(caller, run))
    return there.ok ? eventStream(null) : refuse(c, there.error)
  }
  const stream = whole
    ? await withThread(c, caller, (thread) => thread.events(caller, null, after.value))
    : await withRun(c, caller, (thread, run) => thread.events(caller, run, after.value))
  return stream.ok ? eventStream(stream.value) : refuse(c, stream.error)
}

export const threadRoutes: readonly KeyedRoute[] = [
  { method: 'GET', path: '/v1/threads', role: 'chat', query: PAGE_QUERY, handle: list },
  {
    method: 'GET',
    path: '/v1/threads/:t',
    role: 'chat',
    handle: async (c, caller) => answer(c, await withThread(c, caller, (thread) => thread.info(caller))),
  },
  { method: 'PATCH', path: '/v1/threads/:t', role: 'chat', handle: patch },
  { method: 'DELETE', path: '/v1/threads/:t', role: 'chat', handle: remove },
  {
    method: 'GET',
    path: '/v1/threads/:t/messages',
    role: 'chat',
    query: PAGE_QUERY,
    handle: (c, caller) =>
      paged(c, caller, (thread, cursor, limit) => thread.messages(caller, cursor, limit)),
  },
  {
    method: 'GET',
    path: '/v1/threads/:t/runs',
    role: 'chat',
    query: PAGE_QUERY,
    handle: (c, caller) =>
      paged(c, caller, (thread, cursor, limit) => thread.receipts(caller, cursor, limit)),
  },
  {
    method: 'GET',
    path: '/v1/threads/:t/runs/:r',
    role: 'chat',
    handle: async (c, caller) =>
      answer(c, await withRun(c, caller, (thread, run) => thread.receipt(caller, run))),
  },
  {
    method: 'GET',
    path: '/v1/threads/:t/events',
    role: 'chat',
    query: ['after'],
    handle: (c, caller) => events(c, caller, true),
  },
  {
    method: 'GET',
    path: '/v1/threads/:t/runs/:r/events',
    role: 'chat',
    query: ['after'],
    handle: (c, caller) => events(c, caller, false),
  },
  {
    method: 'POST',
    path: '/v1/threads/:t/runs/:r/cancel',
    role: 'chat',
    handle: async (c, caller) =>
      answer(c, await withRun(c, caller, (thread, run) => thread.cancel(caller, run))),
  },
]
