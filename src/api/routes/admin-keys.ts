// The routes for the keys of a workspace, which are shown once and stored as hashes.

import * as z from 'zod'
import { config, objects, type Env } from '../../env/env.ts'
import { sha256Hex } from '../../lib/bytes.ts'
import type { Caller } from '../../lib/caller.ts'
import { rfc3339, systemClock } from '../../lib/clock.ts'
import { randomToken } from '../../lib/ids.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { newSignedPart } from '../../lib/signed-id.ts'
import { MODEL_NAME_MAX_CHARS, TOOL_NAME_MAX_CHARS } from '../../limits/requests.ts'
import { TOOL_LIST_ENTRIES_MAX } from '../../limits/settings.ts'
import { modelRegistry } from '../../model/registry.ts'
import { USER_MAX_CHARS } from '../fields/limits.ts'
import { KEY_MODELS_MAX, KEY_NOTE_MAX_CHARS, KEY_OVERLAP_DEFAULT_S, KEY_OVERLAP_MAX_S } from './limits.ts'
import { forgetKeys } from '../auth/auth.ts'
import { CapFields, MaxBudgetFields } from '../fields/caps.ts'
import { shortText } from '../fields/fields.ts'
import { idSecretsOf } from '../auth/id-secrets.ts'
import { readJson } from '../bodies/json-body.ts'
import { pageQuery } from '../fields/page.ts'
import { invalidField } from '../problems/field-errors.ts'
import { PAGE_QUERY } from '../route/query.ts'
import { json, param, route, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'

const ToolNames = z.array(shortText(TOOL_NAME_MAX_CHARS).min(1)).max(TOOL_LIST_ENTRIES_MAX)

/** What can be changed later, except for tools. */
const Changeable = z.strictObject({
  note: shortText(KEY_NOTE_MAX_CHARS).nullable().optional(),
  /** The only models that the key's runs may use. */
  models: z.array(shortText(MODEL_NAME_MAX_CHARS).min(1)).min(1).max(KEY_MODELS_MAX).nullable().optional(),
  /** When the key stops working. */
  expires_at: z.iso.datetime({ offset: true }).nullable().optional(),
  /** What its runs may spend; null for the workspace's caps of keys. */
  caps: CapFields.nullable().optional(),
  /** The most that one of its runs may ask for; null for the maximum of its role. */
  max_budget: MaxBudgetFields.nullable().optional(),
})

const KeyPatch = Changeable.extend({
  /** A list that is absent stays as it is. */
  tools: z
    .strictObject({ allow: ToolNames.nullable().optional(), deny: ToolNames.optional() })
    .nullable()
    .optional(),
}).refine((change) => Object.keys(change).length > 0, 'must change at least one field')

const NewKey = Changeable.extend({
  /** The tools or groups that the key's runs may call (`allow`) or must not call (`deny`). */
  tools: z
    .strictObject({ allow: ToolNames.nullable().default(null), deny: ToolNames.default([]) })
    .nullable()
    .optional(),
  role: z.enum(['metrics', 'chat', 'publisher', 'admin']),
  /** The user who owns the key's threads. If absent, the key owns them. */
  user: shortText(USER_MAX_CHARS).trim().min(1).optional(),
})

const KeyRotation = z.strictObject({
  /** Seconds during which the old secret stays valid. */
  overlap_s: z.int().min(0).max(KEY_OVERLAP_MAX_S).default(KEY_OVERLAP_DEFAULT_S),
})

const STATES = ['active', 'expired', 'revoked'] as const

const NO_USER_WARNING =
  'The key has no user, so its threads belong to the key itself. Once it is revoked, only admin keys can open them. Set a user to keep access.'

/** Checks what depends on the time and on the deployment, and returns the fields in the form in which they are stored. */
function checkedFields<T extends z.infer<typeof Changeable>>(env: Env, fields: T): Result<T> {
  const { models, expires_at } = fields
  const registry = modelRegistry(config(env))
  const unknown = models?.find((model) => registry.resolve(model) === null)
  if (unknown !== undefined)
    return fail('unknown_model', registry.unavailableMessage(unknown), {
      errors: [{ path: 'models', message: `${unknown} is not available here` }],
    })
  if (typeof expires_at !== 'string') return ok(fields)
  const time = Date.parse(expires_at)
  if (time <= systemClock()) return invalidField('expires_at', 'must be in the future')
  return ok({ ...fields, expires_at: rfc3339(time) })
}

async function create(c: HttpContext, caller: Caller): Promise<Reply> {
  const body = await readJson(c.req.raw, NewKey)
  if (!body.ok) return body
  const secrets = idSecretsOf(c.env)
  if (!secrets.ok) return secrets
  const fields = checkedFields(c.env, body.value.data)
  if (!fields.ok) return fields
  const { role, user, note, tools, models, expires_at, caps, max_budget } = fields.value
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
      models: models ?? null,
      expires_at: expires_at ?? null,
      caps: caps ?? null,
      max_budget: max_budget ?? null,
    })
  if (!created.ok) return created
  const warning = user === undefined && role !== 'metrics' ? NO_USER_WARNING : null
  // The secret is only in this response and in that of a rotation.
  return json({ ...created.value, key: keyText(caller, id, secret), warning }, 201)
}

function keyText({ workspace }: Caller, id: string, secret: string): string {
  return `sk_${workspace}_${id}_${secret}`
}

async function list(c: HttpContext, caller: Caller): Promise<Reply> {
  const page = pageQuery(c)
  if (!page.ok) return page
  const text = c.req.query('state') ?? null
  const state = STATES.find((one) => one === text) ?? null
  if (text !== state) return invalidField('state', `must be one of ${STATES.join(', ')}`)
  return objects(c.env).workspace(caller.workspace).listKeys(state, page.value.cursor, page.value.limit)
}

/** The ID in the path. Refuses an invalid one without looking it up or repeating it. */
function keyInPath(c: HttpContext): Result<string> {
  const id = param(c, 'key')
  return /^[a-z0-9]{1,64}$/.test(id)
    ? ok(id)
    : fail(
        'not_found',
        'The workspace has no key with this id. GET /admin/keys lists the keys of the workspace.',
      )
}

async function change(c: HttpContext, caller: Caller): Promise<Reply> {
  const body = await readJson(c.req.raw, KeyPatch)
  if (!body.ok) return body
  const id = keyInPath(c)
  if (!id.ok) return id
  const fields = checkedFields(c.env, body.value.data)
  if (!fields.ok) return fields
  const changed = await objects(c.env).workspace(caller.workspace).changeKey(id.value, fields.value)
  forgetKeys()
  return changed
}

async function rotate(c: HttpContext, caller: Caller): Promise<Reply> {
  const body = await readJson(c.req.raw, KeyRotation)
  if (!body.ok) return body
  const id = keyInPath(c)
  if (!id.ok) return id
  const secret = randomToken(40)
  const rotated = await objects(c.env)
    .workspace(caller.workspace)
    .rotateKey(id.value, await sha256Hex(secret), body.value.data.overlap_s)
  if (!rotated.ok) return rotated
  forgetKeys()
  return json({ ...rotated.value, key: keyText(caller, id.value, secret) })
}

async function revoke(c: HttpContext, caller: Caller): Promise<Reply> {
  const id = keyInPath(c)
  if (!id.ok) return id
  const revoked = await objects(c.env).workspace(caller.workspace).revokeKey(id.value)
  forgetKeys()
  return revoked
}

export const adminKeyRoutes: readonly KeyedRoute[] = [
  route('admin', 'POST', '/admin/keys', create),
  route('admin', 'GET', '/admin/keys', list, [...PAGE_QUERY, 'state']),
  route('admin', 'PATCH', '/admin/keys/:key', change),
  route('admin', 'POST', '/admin/keys/:key/rotate', rotate),
  route('admin', 'DELETE', '/admin/keys/:key', revoke),
]
