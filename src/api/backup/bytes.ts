// Sends and receives the bytes in the stores: of skills, and of files that are too large for rows. Bytes of skills are verified by
// their names, files by the SHA-256 in the request.

import type { Caller } from '../../lib/caller.ts'
import { objects } from '../../env/env.ts'
import { isSha256 } from '../../lib/bytes.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import type { Pace } from '../../lib/steps.ts'
import { bodyKey, indexKey } from '../../skills/store/keys.ts'
import { announcedBytes, readBytes } from '../bodies/body.ts'
import { invalidField } from '../problems/field-errors.ts'
import { param, type HttpContext, type Reply } from '../route/route.ts'
import { LISTED_KEYS, RESTORED_TEXT_MAX_BYTES } from './limits.ts'
import { bytesNamed, type StoredBytes } from './names.ts'
import { checkTicket } from './ticket.ts'

const PREFIX = 'build/blob/'

/** Lists the bytes of all builds. Those of the workspace are rows of its catalog. */
export async function listBuildBytes(c: HttpContext): Promise<Reply> {
  const cursor = c.req.query('cursor')
  const listed = await c.env.RESOURCES.list({
    prefix: PREFIX,
    limit: LISTED_KEYS,
    ...(cursor === undefined ? {} : { cursor }),
  })
  const data = listed.objects.map(({ key }) => key.slice(PREFIX.length)).filter(isSha256)
  return ok({ data, next_cursor: listed.truncated ? listed.cursor : null })
}

export async function sendBytes(c: HttpContext, { workspace }: Caller): Promise<Reply> {
  const permitted = await checkTicket(c.env, workspace, c.req.query('ticket') ?? '')
  if (!permitted.ok) return permitted
  const named = bytesNamed(c.env, workspace, param(c, 'name'))
  const object = named && (await named.bucket.get(named.key))
  if (!object) return fail('not_found', 'There are no bytes with this name.')
  const headers = {
    'Content-Type': 'application/octet-stream',
    'Content-Length': String(object.size),
    'Cache-Control': 'no-store',
  }
  return new Response(object.body, { headers })
}

export async function putBytes(c: HttpContext, { workspace }: Caller, pace: Pace): Promise<Reply> {
  const named = bytesNamed(c.env, workspace, param(c, 'name'))
  if (!named) return fail('not_found', 'There are no bytes with this name.')
  const sha256 = named.sha256 ?? c.req.query('sha256') ?? ''
  if (!isSha256(sha256)) return invalidField('sha256', 'must be the SHA-256 of the body')
  const restoring = await objects(c.env).workspace(workspace).isRestored('workspace')
  if (!restoring.ok) return restoring
  const kv = c.req.query('kv')
  if (kv === undefined) return storeStream(c, named, sha256)
  if (kv !== 'body' && kv !== 'index') return invalidField('kv', 'must be body or index')
  const bytes = await readBytes(c.req.raw, RESTORED_TEXT_MAX_BYTES, pace.reportProgress)
  if (!bytes.ok) return bytes
  await named.bucket.put(named.key, bytes.value, { sha256 })
  await c.env.SKILLS.put(kv === 'index' ? indexKey(sha256) : bodyKey({ workspace }, sha256), bytes.value)
  return ok({ stored: true })
}

/** R2 stores nothing if the bytes have another SHA-256, or another number. */
async function storeStream(
  c: HttpContext,
  { bucket, key }: StoredBytes,
  sha256: string,
): Promise<Result<unknown>> {
  const { body } = c.req.raw
  try {
    if (body === null) await bucket.put(key, new Uint8Array(), { sha256 })
    else {
      const { readable, writable } = new FixedLengthStream(announcedBytes(c.req.raw))
      await Promise.all([body.pipeTo(writable), bucket.put(key, readable, { sha256 })])
    }
    return ok({ stored: true })
  } catch {
    return fail(
      'overloaded',
      'The bytes did not arrive as they were announced, or the store did not accept them. Send them again.',
      {
        retryAfterS: 1,
      },
    )
  }
}
