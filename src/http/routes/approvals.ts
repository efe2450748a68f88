// What waits for a person's yes: the list for who may decide, and the answer.

import * as z from 'zod'
import { objects } from '../../env.ts'
import { mayActAs, type Caller } from '../../lib/caller.ts'
import { APPROVAL_NOTE_MAX_CHARS } from '../../limits.ts'
import { Sha256, shortText } from '../fields.ts'
import { readJson } from '../json-body.ts'
import { pageOf } from '../page.ts'
import { PAGE_QUERY } from '../query.ts'
import { param, route, type HttpContext, type KeyedRoute, type Reply } from '../route.ts'
import { withRun } from './threads.ts'

const Answer = z
  .strictObject({
    decision: z.enum(['approve', 'deny']),
    note: shortText(APPROVAL_NOTE_MAX_CHARS).trim().min(1).optional(),
    digest: Sha256.optional(),
    remember: z.enum(['run', 'thread']).optional(),
  })
  .refine(({ decision, remember }) => decision === 'approve' || remember === undefined, {
    path: ['remember'],
    message: 'goes with "approve" only',
  })
  // What comes with a yes would reach nobody: the call is made as it was shown.
  .refine(({ decision, note }) => decision === 'deny' || note === undefined, {
    path: ['note'],
    message: 'goes with "deny" only; write a message instead',
  })

async function list(c: HttpContext, caller: Caller): Promise<Reply> {
  const page = pageOf(c)
  if (!page.ok) return page
  const owner = caller.user === null ? `key:${caller.keyId}` : `user:${caller.user}`
  const { cursor, limit } = page.value
  return objects(c.env)
    .workspace(caller.workspace)
    .listApprovals(mayActAs(caller, 'admin') ? null : owner, cursor, limit)
}

async function answer(c: HttpContext, caller: Caller): Promise<Reply> {
  const body = await readJson(c.req.raw, Answer)
  if (!body.ok) return body
  const { decision, note = null, digest = null, remember = null } = body.value.value
  const given = { decision, note, digest, remember }
  const id = param(c, 'tool_use_id')
  return withRun(c, caller, (thread, run) => thread.approve(caller, run, id, given))
}

export const approvalRoutes: readonly KeyedRoute[] = [
  route('chat', 'GET', '/v1/approvals', list, PAGE_QUERY),
  route('chat', 'POST', '/v1/threads/:t/runs/:r/approvals/:tool_use_id', answer),
]
