// The routes for the secrets of a workspace. Admins set each secret for one host; its value is never shown again.

import * as z from 'zod'
import { objects, config } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { ok } from '../../lib/result.ts'
import { SECRET_MAX_CHARS } from '../../limits/settings.ts'
import { SECRET_HOST_MAX_CHARS } from './limits.ts'
import { hostFault, SECRET_NAME, valueFault } from '../../secrets/name.ts'
import { sealer } from '../../secrets/seal.ts'
import { NO_ENCRYPTION_KEY, sealSecret } from '../../secrets/stored.ts'
import type { StoredSecret } from '../../workspace/api.ts'
import { invalidField } from '../problems/field-errors.ts'
import { shortText } from '../fields/fields.ts'
import { readJson } from '../bodies/json-body.ts'
import { empty, param, route, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'
import { authorOf } from '../skills/change.ts'

/** Text that must also pass a check. The errors never quote the value. */
function checkedText(max: number, issueOf: (text: string) => string | null): z.ZodType<string> {
  return shortText(max).superRefine((text, context) => {
    const issue = issueOf(text)
    if (issue !== null) context.addIssue(issue)
  })
}

const NewSecret = z.strictObject({
  value: checkedText(SECRET_MAX_CHARS, valueFault),
  host: checkedText(SECRET_HOST_MAX_CHARS, hostFault),
})

interface SecretInfo extends Omit<StoredSecret, 'sealed'> {
  /** Which of the Worker's keys encrypted the secret. `unknown` means that it cannot be decrypted. */
  readonly key: 'current' | 'previous' | 'unknown'
}

async function infoOf(c: HttpContext, { sealed, ...fields }: StoredSecret): Promise<SecretInfo> {
  const secretSealer = sealer(config(c.env).encryptionKeys)
  return { ...fields, key: secretSealer ? await secretSealer.keyOf(sealed) : 'unknown' }
}

async function list(c: HttpContext, caller: Caller): Promise<Reply> {
  const secrets = await objects(c.env).workspace(caller.workspace).listSecrets()
  if (!secrets.ok) return secrets
  return ok({ data: await Promise.all(secrets.value.map(async (secret) => infoOf(c, secret))) })
}

async function show(c: HttpContext, caller: Caller): Promise<Reply> {
  const name = param(c, 'name')
  if (!SECRET_NAME.test(name)) return invalidName()
  const secret = await objects(c.env).workspace(caller.workspace).secret(name)
  return secret.ok ? ok(await infoOf(c, secret.value)) : secret
}

async function put(c: HttpContext, caller: Caller): Promise<Reply> {
  const name = param(c, 'name')
  if (!SECRET_NAME.test(name)) return invalidName()
  const body = await readJson(c.req.raw, NewSecret)
  if (!body.ok) return body
  const secretSealer = sealer(config(c.env).encryptionKeys)
  if (!secretSealer) return NO_ENCRYPTION_KEY
  const sealed = await sealSecret(secretSealer, caller.workspace, { name, ...body.value.data })
  const stored = await objects(c.env).workspace(caller.workspace).putSecret(sealed, authorOf(caller))
  return stored.ok ? ok(await infoOf(c, stored.value)) : stored
}

async function remove(c: HttpContext, caller: Caller): Promise<Reply> {
  const name = param(c, 'name')
  if (!SECRET_NAME.test(name)) return invalidName()
  const deleted = await objects(c.env).workspace(caller.workspace).deleteSecret(name)
  return deleted.ok ? empty() : deleted
}

function invalidName(): ReturnType<typeof invalidField> {
  return invalidField('name', 'must begin with a letter and have at most 64 letters, digits, _ and -')
}

export const adminSecretRoutes: readonly KeyedRoute[] = [
  route('admin', 'GET', '/admin/secrets', list),
  route('admin', 'GET', '/admin/secrets/:name', show),
  route('admin', 'PUT', '/admin/secrets/:name', put),
  route('admin', 'DELETE', '/admin/secrets/:name', remove),
]
