// POST /v1/threads/:t/fork: creates a thread with everything before a message. The original does not change.

import * as z from 'zod'
import { objects } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { sha256Hex } from '../../lib/bytes.ts'
import { derivedId, newId } from '../../lib/ids.ts'
import { queueForkWithCooldown } from '../admission/queues.ts'
import { idempotencyKey } from '../fields/idempotency-key.ts'
import { readJson } from '../bodies/json-body.ts'
import { json, param, route, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'
import { limitMessages } from './chat.ts'
import { threadOf } from './threads.ts'

const ForkBody = z.strictObject({
  message_id: z.string().regex(/^msg_[a-z0-9]{24}$/, 'is not the id of a message'),
})

async function fork(c: HttpContext, caller: Caller): Promise<Reply> {
  const rateCheck = limitMessages(c, caller)
  if (!rateCheck.ok) return rateCheck
  const key = idempotencyKey(c)
  if (!key.ok) return key
  const source = threadOf(c, caller)
  if (!source.ok) return source
  const body = await readJson(c.req.raw, ForkBody)
  if (!body.ok) return body
  const parent = param(c, 't')
  // The id is derived from the idempotency key, so that a retry reaches the same object.
  const threadId =
    key.value === null
      ? newId('th')
      : await derivedId('th', [caller.workspace, caller.keyId, 'fork', parent, key.value])
  const stored = key.value === null ? null : await sha256Hex(key.value)
  const input = { threadId, from: parent, messageId: body.value.data.message_id, key: stored }
  return queueForkWithCooldown(async () => {
    const forked = await objects(c.env).thread(caller.workspace, threadId).fork(caller, input)
    return forked.ok ? json(forked.value, 201, { Location: `/v1/threads/${threadId}` }) : forked
  })(c, caller)
}

export const forkRoutes: readonly KeyedRoute[] = [route('chat', 'POST', '/v1/threads/:t/fork', fork)]
