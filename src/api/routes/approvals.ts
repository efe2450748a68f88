// The routes for pending approvals: a list for callers who may decide, and the decision.

import * as z from 'zod'
import { objects } from '../../env/env.ts'
import { mayActAs, type Caller } from '../../lib/caller.ts'
import { APPROVAL_NOTE_MAX_CHARS } from './limits.ts'
import type { ApprovalAnswer } from '../../thread/approvals/api.ts'
import { Sha256, SHA256_HEX, shortText } from '../fields/fields.ts'
import { readJson } from '../bodies/json-body.ts'
import { queueWorkspace } from '../admission/queues.ts'
import { pageQuery } from '../fields/page.ts'
import { PAGE_QUERY } from '../route/query.ts'
import { refuseOverRate } from '../admission/rate.ts'
import { param, route, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'
import { withRun } from './threads.ts'

const NO_DIGEST =
  'must be the digest of the request that was shown, from approval.requested or GET /v1/approvals'

const DecisionBody = z.discriminatedUnion('decision', [
  z.strictObject({
    decision: z.literal('approve'),
    digest: z.string({ error: NO_DIGEST }).regex(SHA256_HEX, NO_DIGEST),
    remember: z.enum(['run', 'thread']).optional(),
    // An approved call runs exactly as it was shown, so nobody would read a note.
    note: z.never({ error: 'is allowed only with "deny"; write a message instead' }).optional(),
  }),
  z.strictObject({
    decision: z.literal('deny'),
    digest: Sha256.optional(),
    remember: z.never({ error: 'is allowed only with "approve"' }).optional(),
    note: shortText(APPROVAL_NOTE_MAX_CHARS).trim().min(1).optional(),
  }),
])

function approvalAnswer(body: z.infer<typeof DecisionBody>): ApprovalAnswer {
  const { decision } = body
  if (decision === 'approve')
    return { decision, digest: body.digest, note: null, remember: body.remember ?? null }
  return { decision, digest: body.digest ?? null, note: body.note ?? null, remember: null }
}

async function list(c: HttpContext, caller: Caller): Promise<Reply> {
  const page = pageQuery(c)
  if (!page.ok) return page
  const owner = caller.user === null ? `key:${caller.keyId}` : `user:${caller.user}`
  const { cursor, limit } = page.value
  const ownerFilter = mayActAs(caller, 'admin') ? null : owner
  const workspace = objects(c.env).workspace(caller.workspace)
  return queueWorkspace(c, caller, async () => workspace.listApprovals(ownerFilter, cursor, limit))
}

async function decide(c: HttpContext, caller: Caller): Promise<Reply> {
  const key = `answer ${caller.workspace}/${caller.keyId}`
  const refusal = refuseOverRate(
    c,
    c.env.MATCH_RATE,
    key,
    'Too many decisions were sent with this key. Wait, then try again.',
  )
  if (refusal) return refusal
  const body = await readJson(c.req.raw, DecisionBody)
  if (!body.ok) return body
  const decision = approvalAnswer(body.value.data)
  const id = param(c, 'tool_use_id')
  return withRun(c, caller, (thread, run) => thread.approve(caller, run, id, decision))
}

export const approvalRoutes: readonly KeyedRoute[] = [
  route('chat', 'GET', '/v1/approvals', list, PAGE_QUERY),
  route('chat', 'POST', '/v1/threads/:t/runs/:r/approvals/:tool_use_id', decide),
]
