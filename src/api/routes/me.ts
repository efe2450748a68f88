// The routes about callers themselves: the role and user of their key, and an export of their data. They never return a secret.

import { objects } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { ok } from '../../lib/result.ts'
import type { CapAmounts, CapState } from '../../workspace/cap-api.ts'
import { queueArchive } from '../admission/queues.ts'
import { OPERATOR_KEY_ID } from '../auth/auth.ts'
import { json, route, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'

/** The operator's key is a variable of the Worker, so no workspace stores it. */
const OPERATOR_KEY = ok({ note: null, models: null, expires_at: null })

async function showCaller(c: HttpContext, caller: Caller): Promise<Reply> {
  const { workspace, keyId, role, user, maxBudget: max_budget = null } = caller
  const stub = objects(c.env).workspace(workspace)
  const [key, caps] = await Promise.all([
    keyId === OPERATOR_KEY_ID ? OPERATOR_KEY : stub.readKey(keyId),
    stub.quota(keyId, user),
  ])
  if (!key.ok) return key
  if (!caps.ok) return caps
  const { note, models, expires_at } = key.value
  // Only admins see what others spend.
  const shown = caps.value.filter(({ scope }) => scope !== 'workspace' || role === 'admin')
  return json({
    workspace,
    role,
    user,
    key: { id: keyId, note, models, expires_at, max_budget },
    caps: shown.map(withLeft),
  })
}

/** Adds what a cap still allows: open runs may use what they have leased. */
function withLeft({ scope, window, cap, spent, leased, resets_at }: CapState): object {
  const left = Object.entries<number>({ ...cap }).map(([name, most]) => {
    const amount = name as keyof CapAmounts
    return [name, Math.max(0, Number((most - spent[amount] - leased[amount]).toFixed(6)))]
  })
  return { scope, window, cap, left: Object.fromEntries(left), resets_at }
}

const exportOwn = queueArchive(async (c, caller) =>
  (await import('./export-handlers.ts')).replyWithOwnExport(c, caller),
)

export const meRoutes: readonly KeyedRoute[] = [
  route('chat', 'GET', '/v1/me', showCaller),
  route('chat', 'GET', '/v1/me/export', exportOwn, ['cursor']),
]
