// POST /v1/threads/:t/compact: continues a thread in a new window, as a run without a message.

import * as z from 'zod'
import { sha256Hex } from '../../lib/bytes.ts'
import type { Caller } from '../../lib/caller.ts'
import { currentBuild } from '../../skills/current-build.ts'
import { readJson } from '../bodies/json-body.ts'
import { budgetWithin, SomeBudget } from '../fields/budget.ts'
import { shortText } from '../fields/fields.ts'
import { idempotencyKey } from '../fields/idempotency-key.ts'
import { json, param, route, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'
import { limitMessages } from './chat.ts'
import { COMPACT_ABOUT_MAX_CHARS } from './limits.ts'
import { threadOf } from './threads.ts'

const Compact = z.strictObject({
  about: shortText(COMPACT_ABOUT_MAX_CHARS).trim().min(1).optional(),
  budget: SomeBudget.optional(),
})

async function compact(c: HttpContext, caller: Caller): Promise<Reply> {
  const rateCheck = limitMessages(c, caller)
  if (!rateCheck.ok) return rateCheck
  const key = idempotencyKey(c)
  if (!key.ok) return key
  const thread = threadOf(c, caller)
  if (!thread.ok) return thread
  const body = await readJson(c.req.raw, Compact)
  if (!body.ok) return body
  const { about = null } = body.value.data
  const budget = budgetWithin(body.value.data.budget, caller.maxBudget)
  if (!budget.ok) return budget
  const started = await thread.value.start(caller, {
    threadId: param(c, 't'),
    create: false,
    compact: { about },
    message: [],
    fenced: false,
    metadata: {},
    context: {},
    allowSkills: null,
    tools: null,
    calls: [],
    model: null,
    effort: null,
    onBusy: 'reject',
    onDisconnect: 'continue',
    budget: budget.value,
    idempotency:
      key.value === null ? null : { key: `compact ${await sha256Hex(key.value)}`, digest: body.value.digest },
    runId: null,
    build: currentBuild(),
    requestId: c.var.requestId,
    follow: false,
  })
  if (!started.ok) return started
  const { thread_id, run_id } = started.value
  const url = `/v1/threads/${thread_id}/runs/${run_id}`
  return json({ thread_id, run_id, url }, 202, {
    'X-Thread-Id': thread_id,
    'X-Run-Id': run_id,
    Location: url,
  })
}

export const compactRoutes: readonly KeyedRoute[] = [route('chat', 'POST', '/v1/threads/:t/compact', compact)]
