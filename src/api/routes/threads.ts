// The routes for threads with their transcripts, runs and events.

import * as z from 'zod'
import { objects } from '../../env/env.ts'
import { mayActAs, type Caller } from '../../lib/caller.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import type { ThreadApi } from '../../thread/api.ts'
import { withExcerpts } from '../../thread-search/excerpt.ts'
import { RATING_NOTE_MAX_CHARS, THREAD_SEARCH_MAX_CHARS } from './limits.ts'
import { codePoints } from '../../lib/text.ts'
import { invalidField } from '../problems/field-errors.ts'
import { queueThreadSearch, queueHistory, queueWorkspace } from '../admission/queues.ts'
import { shortText } from '../fields/fields.ts'
import { readJson } from '../bodies/json-body.ts'
import { ThreadId, ThreadPatch } from '../fields/chat-request.ts'
import { pageQuery } from '../fields/page.ts'
import { PAGE_QUERY } from '../route/query.ts'
import { empty, param, route, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'
import { cursorOf, eventStream } from '../streams/stream.ts'

const RUN_ID = /^run_[a-z0-9]{24}$/

/** The thread that the path names. An invalid id is refused without calling an object. */
export function threadOf(c: HttpContext, caller: Caller): Result<ThreadApi> {
  const id = ThreadId.safeParse(param(c, 't'))
  if (!id.success) return fail('not_found', 'There is no such thread.')
  return ok(objects(c.env).thread(caller.workspace, id.data))
}

async function withThread<T>(
  c: HttpContext,
  caller: Caller,
  use: (thread: ThreadApi) => Promise<Result<T>>,
): Promise<Result<T>> {
  const thread = threadOf(c, caller)
  return thread.ok ? use(thread.value) : thread
}

export async function withRun<T>(
  c: HttpContext,
  caller: Caller,
  use: (thread: ThreadApi, runId: string) => Promise<Result<T>>,
): Promise<Result<T>> {
  const run = param(c, 'r')
  if (!RUN_ID.test(run)) return fail('not_found', 'There is no such run in this thread.')
  return withThread(c, caller, (thread) => use(thread, run))
}

async function list(c: HttpContext, caller: Caller): Promise<Reply> {
  const page = pageQuery(c)
  if (!page.ok) return page
  const owner = caller.user === null ? `key:${caller.keyId}` : `user:${caller.user}`
  const ownerFilter = mayActAs(caller, 'admin') ? null : owner
  const { cursor, limit } = page.value
  const workspace = objects(c.env).workspace(caller.workspace)
  const query = c.req.query('q') ?? ''
  const [branches, root] = [c.req.query('branches'), c.req.query('root')]
  if (branches !== undefined && branches !== 'folded')
    return invalidField('branches', 'must be “folded”, or absent')
  const chosen = Object.entries({ q: query.trim() || undefined, branches, root }).filter(([, value]) => value)
  if (chosen.length > 1) return invalidField(chosen[1]![0], `cannot be combined with ${chosen[0]![0]}`)
  if (branches) return queueWorkspace(c, caller, async () => workspace.listTrees(ownerFilter, cursor, limit))
  if (query.trim() === '')
    return queueWorkspace(c, caller, async () =>
      workspace.listThreads(ownerFilter, cursor, limit, root ?? null),
    )
  if (codePoints(query) > THREAD_SEARCH_MAX_CHARS)
    return invalidField('q', `must have at most ${THREAD_SEARCH_MAX_CHARS} characters`)
  return queueThreadSearch(async (_, __, pace) => {
    const hits = await workspace.searchThreads(ownerFilter, query, cursor, limit)
    return hits.ok ? ok({ ...hits.value, data: await withExcerpts(hits.value.data, query, pace) }) : hits
  })(c, caller)
}

async function patch(c: HttpContext, caller: Caller): Promise<Reply> {
  const body = await readJson(c.req.raw, ThreadPatch)
  if (!body.ok) return body
  return withThread(c, caller, (thread) =>
    queueWorkspace(c, caller, async () => thread.patch(caller, body.value.data)),
  )
}

async function remove(c: HttpContext, caller: Caller): Promise<Reply> {
  const removed = await withThread(c, caller, (thread) =>
    queueWorkspace(c, caller, async () => thread.remove(caller)),
  )
  return removed.ok ? empty() : removed
}

/** Creates a handler for pages of a thread's history. */
function listOf(
  use: (thread: ThreadApi, caller: Caller, cursor: string | null, limit: number) => Promise<Result<unknown>>,
): KeyedRoute['handle'] {
  return queueHistory(async (c, caller) => {
    const page = pageQuery(c)
    if (!page.ok) return page
    const { cursor, limit } = page.value
    return withThread(c, caller, (thread) => use(thread, caller, cursor, limit))
  })
}

/** Streams the events of a thread, or only those of one run. */
async function events(c: HttpContext, caller: Caller, scope: 'thread' | 'run'): Promise<Reply> {
  const after = cursorOf(c)
  if (!after.ok) return after
  if (c.req.method === 'HEAD') {
    // A stream without a reader would stay open for minutes.
    const existing: Result<unknown> =
      scope === 'thread'
        ? await withThread(c, caller, (thread) => thread.info(caller))
        : await withRun(c, caller, (thread, run) => thread.receipt(caller, run))
    return existing.ok ? eventStream(null) : existing
  }
  const stream =
    scope === 'thread'
      ? await withThread(c, caller, (thread) => thread.events(caller, null, after.value))
      : await withRun(c, caller, (thread, run) => thread.events(caller, run, after.value))
  return stream.ok ? eventStream(stream.value) : stream
}

const Rating = z.strictObject({
  value: z.enum(['up', 'down']),
  note: shortText(RATING_NOTE_MAX_CHARS).trim().min(1).optional(),
})

async function rate(c: HttpContext, caller: Caller): Promise<Reply> {
  const body = await readJson(c.req.raw, Rating)
  if (!body.ok) return body
  const { value, note = null } = body.value.data
  return withRun(c, caller, (thread, run) => thread.rate(caller, run, { value, note }))
}

const info: KeyedRoute['handle'] = (c, caller) => withThread(c, caller, (thread) => thread.info(caller))
const receipt: KeyedRoute['handle'] = (c, caller) =>
  withRun(c, caller, (thread, run) => thread.receipt(caller, run))
const cancel: KeyedRoute['handle'] = (c, caller) =>
  withRun(c, caller, (thread, run) => thread.cancel(caller, run))
const repeatReply: KeyedRoute['handle'] = (c, caller) =>
  withRun(c, caller, (thread, run) => thread.repeatReply(caller, run))
const unrate: KeyedRoute['handle'] = (c, caller) =>
  withRun(c, caller, (thread, run) => thread.rate(caller, run, null))
const messages = listOf((thread, ...args) => thread.messages(...args))
const receipts = listOf((thread, ...args) => thread.receipts(...args))

export const threadRoutes: readonly KeyedRoute[] = [
  route('chat', 'GET', '/v1/threads', list, [...PAGE_QUERY, 'q', 'branches', 'root']),
  route('chat', 'GET', '/v1/threads/:t', info),
  route('chat', 'PATCH', '/v1/threads/:t', patch),
  route('chat', 'DELETE', '/v1/threads/:t', remove),
  route('chat', 'GET', '/v1/threads/:t/messages', messages, PAGE_QUERY),
  route('chat', 'GET', '/v1/threads/:t/runs', receipts, PAGE_QUERY),
  route('chat', 'GET', '/v1/threads/:t/runs/:r', receipt),
  route('chat', 'GET', '/v1/threads/:t/events', (c, caller) => events(c, caller, 'thread'), ['after']),
  route('chat', 'GET', '/v1/threads/:t/runs/:r/events', (c, caller) => events(c, caller, 'run'), ['after']),
  route('chat', 'POST', '/v1/threads/:t/runs/:r/cancel', cancel),
  route('admin', 'POST', '/v1/threads/:t/runs/:r/reply', repeatReply),
  route('chat', 'POST', '/v1/threads/:t/runs/:r/rating', rate),
  route('chat', 'DELETE', '/v1/threads/:t/runs/:r/rating', unrate),
]
