// Handles requests of a restore. Rows are written only between its beginning and its end, which are in the audit.

import * as z from 'zod'
import { ARCHIVE_FORMAT, ROWS_PAGE_MAX_BYTES } from '../../backup/limits.ts'
import { objects } from '../../env/env.ts'
import { fromUtf8, sha256Hex } from '../../lib/bytes.ts'
import type { Caller } from '../../lib/caller.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Pace } from '../../lib/steps.ts'
import { readBytes } from '../bodies/body.ts'
import { readJson } from '../bodies/json-body.ts'
import { Sha256 } from '../fields/fields.ts'
import { invalidField } from '../problems/field-errors.ts'
import { json, type HttpContext, type Reply } from '../route/route.ts'
import { objectNamed } from './names.ts'
import { compareSecrets, signaturesOf } from './signature.ts'

const Beginning = z.strictObject({
  format: z.literal(ARCHIVE_FORMAT),
  archive: z.string().regex(/^[a-z0-9]{24}$/),
  workspace: z.string(),
  checks: z.strictObject({ id: z.array(Sha256).min(1).max(2), encryption: z.array(Sha256).max(2) }),
  digest: Sha256,
  signature: Sha256,
})

/** Nothing is written unless the archive fits this deployment. */
export async function replyToBeginning(c: HttpContext, { workspace }: Caller): Promise<Reply> {
  const body = await readJson(c.req.raw, Beginning)
  if (!body.ok) return body
  const { archive, checks, digest, signature, ...of } = body.value.data
  if (of.workspace !== workspace)
    return fail(
      'invalid_archive',
      `The archive is from the workspace ${of.workspace}, but your key belongs to ${workspace}. Use a key of ${of.workspace}.`,
    )
  const compared = await compareSecrets(c.env, archive, checks)
  if (!compared.ok) return compared
  const signatures = await signaturesOf(c.env, workspace, archive, digest)
  if (!signatures.ok) return signatures
  if (!signatures.value.includes(signature))
    return fail(
      'invalid_archive',
      'The archive was changed after it was made. Nothing was changed here. Use an unchanged copy.',
    )
  const begun = await objects(c.env).workspace(workspace).beginRestore(digest)
  return begun.ok ? ok({ restoring: digest }) : begun
}

export async function putRows(c: HttpContext, { workspace }: Caller, pace: Pace): Promise<Reply> {
  const name = c.req.query('object') ?? ''
  const object = objectNamed(c.env, workspace, name)
  if (!object) return invalidField('object', 'is not the name of an object')
  const rows = c.req.query('rows')
  if (rows !== undefined && !/^\d{1,12}$/.test(rows))
    return invalidField('rows', 'must be the number of rows')
  const own = objects(c.env).workspace(workspace)
  const restored = await own.isRestored(name)
  if (!restored.ok) return restored
  // An earlier attempt that was interrupted has restored it.
  if (restored.value) return ok({ object: name, restored: true })
  const bytes = await readBytes(c.req.raw, ROWS_PAGE_MAX_BYTES, pace.reportProgress)
  if (!bytes.ok) return bytes
  const text = fromUtf8(bytes.value)
  if (text === null || (await sha256Hex(bytes.value)) !== c.req.query('sha256'))
    return invalidField('sha256', 'does not match the body')
  const page = {
    text,
    first: c.req.query('first') === '1',
    rows: rows === undefined ? null : Number(rows),
    isExact: c.req.query('inexact') !== '1',
  }
  const written = await object.restoreRows(page)
  // Only a restore writes now, so an object that is complete was restored by an attempt that broke off before it was noted.
  const isKnown = !written.ok && written.error.code === 'not_empty' && page.first && name.includes('/')
  if (!written.ok && !isKnown) return written
  const isComplete = isKnown || page.rows !== null
  if (isComplete) await own.markRestored(name)
  return ok({ object: name, restored: isComplete })
}

const End = z.strictObject({ missing: z.array(z.string()) })

export async function replyToEnd(c: HttpContext, { workspace }: Caller): Promise<Reply> {
  const body = await readJson(c.req.raw, End)
  if (!body.ok) return body
  const finished = await objects(c.env).workspace(workspace).finishRestore(body.value.data.missing)
  return finished.ok ? json({ restored: true }) : finished
}
