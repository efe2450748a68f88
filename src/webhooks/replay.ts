// Prepares the replay of a delivery: a new delivery with its body. Imported when it is needed.

import { fromUtf8 } from '../lib/bytes.ts'
import { newId } from '../lib/ids.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import type { DeliveryInfo } from './api.ts'
import { messageOf } from './deliveries.ts'
import type { StoredHook } from './hook-rows.ts'
import { readForReplay } from './log-rows.ts'
import type { DeliveryLog, NewDelivery } from './rows.ts'
import { threadIdOf } from './thread-key.ts'

interface Replay {
  readonly delivery: NewDelivery & { readonly threadId: string }
  readonly log: Pick<DeliveryLog, 'headers' | 'originalId'>
}

/** Fails with `gone` if the body is not kept any more, with `invalid_request` if the template cannot use it. */
export async function prepareReplay(
  sql: SqlStorage,
  hook: StoredHook,
  replayed: DeliveryInfo,
  build: string,
  now: number,
): Promise<Result<Replay>> {
  const stored = readForReplay(sql, replayed.id)
  if (!stored) return fail('gone', notKept(hook))
  const { body, digest, headers, webhookId } = stored
  const message = messageOf(hook.template, body)
  if (!message.ok) return fail('invalid_request', message.error)
  const threadId = await threadIdOf(hook, fromUtf8(body) ?? '')
  const id = newId('dl')
  const runId = newId('run')
  // A replay of a replay is one of the original.
  const originalId = replayed.state === 'mismatch' ? replayed.id : (replayed.original_id ?? replayed.id)
  const delivery = { id, webhookId, digest, body, threadId, runId, build, receivedAt: now }
  return ok({ delivery, log: { headers, originalId } })
}

function notKept({ keep_days }: StoredHook): string {
  const why = keep_days === 0 ? 'is not kept, because keep_days of this hook is 0,' : 'is no longer kept,'
  return `The body of this delivery ${why} so it cannot be replayed. To start it, have its sender send it again.`
}
