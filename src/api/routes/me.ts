// The route that tells callers who they are: the role and user of their key. It never returns a secret.

import { objects } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { OPERATOR_KEY_ID } from '../auth/auth.ts'
import { json, route, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'

async function showCaller(c: HttpContext, { workspace, keyId, role, user }: Caller): Promise<Reply> {
  // The operator's key is a variable of the Worker, so no workspace stores it.
  if (keyId === OPERATOR_KEY_ID) return json({ workspace, role, user, key: { id: keyId, note: null } })
  const key = await objects(c.env).workspace(workspace).readKey(keyId)
  return key.ok ? json({ workspace, role, user, key: { id: keyId, note: key.value.note } }) : key
}

export const meRoutes: readonly KeyedRoute[] = [route('chat', 'GET', '/v1/me', showCaller)]
