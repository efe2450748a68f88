// Handles requests to delete all data of a user. Imported when it is needed.

import { objects } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { codePoints } from '../../lib/text.ts'
import { forgetKeys } from '../auth/auth.ts'
import { queueWorkspace } from '../admission/queues.ts'
import { USER_MAX_CHARS } from '../fields/limits.ts'
import { json, param, type HttpContext, type Reply } from '../route/route.ts'

/** The user in the path. A name that no key can have is refused without a call. */
function userInPath(c: HttpContext): Result<string> {
  const user = param(c, 'user').trim()
  return user !== '' && codePoints(user) <= USER_MAX_CHARS
    ? ok(user)
    : fail('not_found', 'The path does not name a user. GET /admin/keys shows users.')
}

export async function replyToDeletion(c: HttpContext, caller: Caller): Promise<Reply> {
  const user = userInPath(c)
  if (!user.ok) return user
  const begun = await queueWorkspace(c, caller, async () =>
    objects(c.env).workspace(caller.workspace).deleteUser(user.value),
  )
  forgetKeys()
  if (!begun.ok) return begun
  const location = `/admin/users/${encodeURIComponent(user.value)}/deletion`
  return json(begun.value, begun.value.state === 'done' ? 200 : 202, { Location: location })
}

export async function replyWithDeletion(c: HttpContext, caller: Caller): Promise<Reply> {
  const user = userInPath(c)
  if (!user.ok) return user
  return queueWorkspace(c, caller, async () =>
    objects(c.env).workspace(caller.workspace).userDeletion(user.value),
  )
}
