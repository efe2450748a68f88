// The routes for the keys of a workspace, which are shown once and stored as hashes.

import * as z from 'zod'
import { objects } from '../../env/env.ts'
import { sha256Hex } from '../../lib/bytes.ts'
import type { Caller } from '../../lib/caller.ts'
import { randomToken } from '../../lib/ids.ts'
import { fail } from '../../lib/result.ts'
import { newSignedPart } from '../../lib/signed-id.ts'
import { TOOL_NAME_MAX_CHARS } from '../../limits/requests.ts'
import { TOOL_LIST_ENTRIES_MAX } from '../../limits/settings.ts'
import { USER_MAX_CHARS } from '../fields/limits.ts'
import { KEY_NOTE_MAX_CHARS } from './limits.ts'
import { forgetKeys } from '../auth/auth.ts'
import { shortText } from '../fields/fields.ts'
import { idSecretsOf } from '../auth/id-secrets.ts'
import { readJson } from '../bodies/json-body.ts'
import { pageQuery } from '../fields/page.ts'
import { PAGE_QUERY } from '../route/query.ts'
import { json, param, route, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'

const ToolNames = z.array(shortText(TOOL_NAME_MAX_CHARS).min(1)).max(TOOL_LIST_ENTRIES_MAX)

const NewKey = z.strictObject({
  role: z.enum(['chat', 'publisher', 'admin']),
  /** The user who owns the key's threads. If absent, the key owns them. */
  user: shortText(USER_MAX_CHARS).trim().min(1).optional(),
  note: shortText(KEY_NOTE_MAX_CHARS).optional(),
  /** The tools or groups that the key's runs may call (`allow`) or must not call (`deny`). */
  tools: z
    .strictObject({ allow: ToolNames.nullable().default(null), deny: ToolNames.default([]) })
    .optional(),
})

async function create(c: HttpContext, caller: Caller): Promise<Reply> {
  const body = await readJson(c.req.raw, NewKey)
  if (!body.ok) return body
  const secrets = idSecretsOf(c.env)
  if (!secrets.ok) return secrets
  const { role, user, note, tools } = body.value.data
  const id = await newSignedPart(secrets.value[0], 'key', caller.workspace, 12)
  const secret = randomToken(40)
  const created = await objects(c.env)
    .workspace(caller.workspace)
    .createKey({
      id,
      secretHash: await sha256Hex(secret),
      role,
      user: user ?? null,
      note: note ?? null,
      tools: tools ?? null,
    })
  if (!created.ok) return created
  // This is the only response that contains the secret.
  return json({ ...created.value, key: `sk_${caller.workspace}_${id}_${secret}` }, 201)
}

async function list(c: HttpContext, caller: Caller): Promise<Reply> {
  const page = pageQuery(c)
  if (!page.ok) return page
  return objects(c.env).workspace(caller.workspace).listKeys(page.value.cursor, page.value.limit)
}

async function revoke(c: HttpContext, caller: Caller): Promise<Reply> {
  const id = param(c, 'key')
  // Refuses an invalid id without looking it up or repeating it.
  if (!/^[a-z0-9]{1,64}$/.test(id))
    return fail(
      'not_found',
      'The workspace has no key with this id. GET /admin/keys lists the keys of the workspace.',
    )
  const revoked = await objects(c.env).workspace(caller.workspace).revokeKey(id)
  forgetKeys()
  return revoked
}

export const adminKeyRoutes: readonly KeyedRoute[] = [
  route('admin', 'POST', '/admin/keys', create),
  route('admin', 'GET', '/admin/keys', list, PAGE_QUERY),
  route('admin', 'DELETE', '/admin/keys/:key', revoke),
]
