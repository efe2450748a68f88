// Handles requests for a backup: its contents, the rows of one object, and the signature of an archive.

import * as z from 'zod'
import { ARCHIVE_FORMAT } from '../../backup/limits.ts'
import { objects } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { rfc3339, systemClock } from '../../lib/clock.ts'
import { randomToken } from '../../lib/ids.ts'
import { fail, ok } from '../../lib/result.ts'
import { currentBuild } from '../../skills/current-build.ts'
import { readJson } from '../bodies/json-body.ts'
import { Sha256 } from '../fields/fields.ts'
import { json, type HttpContext, type Reply } from '../route/route.ts'
import { objectNamed } from './names.ts'
import { secretChecks, signaturesOf } from './signature.ts'
import { checkTicket, newTicket } from './ticket.ts'

/** The first entry of every archive, the IDs of all objects, and the ticket to read them. */
export async function showContents(c: HttpContext, { workspace }: Caller): Promise<Reply> {
  const archive = randomToken(24)
  const checks = await secretChecks(c.env, archive)
  if (!checks.ok) return checks
  const contents = await objects(c.env).workspace(workspace).backupContents()
  if (!contents.ok) return contents
  const ticket = await newTicket(c.env, workspace)
  if (!ticket.ok) return ticket
  const about = { format: ARCHIVE_FORMAT, archive, workspace, build: currentBuild() }
  return json({
    ...about,
    at: rfc3339(systemClock()),
    checks: checks.value,
    ticket: ticket.value,
    ...contents.value,
  })
}

export async function sendRows(c: HttpContext, { workspace }: Caller): Promise<Reply> {
  const permitted = await checkTicket(c.env, workspace, c.req.query('ticket') ?? '')
  if (!permitted.ok) return permitted
  const object = objectNamed(c.env, workspace, c.req.query('object') ?? '')
  if (!object) return fail('not_found', 'There is no object with this name.')
  return object.backupRows(c.req.query('cursor') ?? null)
}

const Signed = z.strictObject({ archive: z.string().regex(/^[a-z0-9]{24}$/), digest: Sha256 })

export async function signArchive(c: HttpContext, { workspace }: Caller): Promise<Reply> {
  const body = await readJson(c.req.raw, Signed)
  if (!body.ok) return body
  const { archive, digest } = body.value.data
  const signatures = await signaturesOf(c.env, workspace, archive, digest)
  return signatures.ok ? ok({ signature: signatures.value[0] }) : signatures
}
