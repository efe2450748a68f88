// The routes about callers themselves: the role and user of their key, and an export of their data. They never return a secret.

import { objects } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { queueArchive } from '../admission/queues.ts'
import { OPERATOR_KEY_ID } from '../auth/auth.ts'
import { json, route, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'

async function showCaller(c: HttpContext, { workspace, keyId, role, user }: Caller): Promise<Reply> {
  // The operator's key is a variable of the Worker, so no workspace stores it.
  if (keyId === OPERATOR_KEY_ID)
    return json({ workspace, role, user, key: { id: keyId, note: null, models: null, expires_at: null } })
  const key = await objects(c.env).workspace(workspace).readKey(keyId)
  if (!key.ok) return key
  const { note, models, expires_at } = key.value
  return json({ workspace, role, user, key: { id: keyId, note, models, expires_at } })
}

const exportOwn = queueArchive(async (c, caller) =>
  (await import('./export-handlers.ts')).replyWithOwnExport(c, caller),
)

export const meRoutes: readonly KeyedRoute[] = [
  route('chat', 'GET', '/v1/me', showCaller),
  route('chat', 'GET', '/v1/me/export', exportOwn, ['cursor']),
]
