// Tickets for the pages of a backup. Only `GET /admin/backup` issues one, and the audit records that request, so nobody can
// read all data unrecorded.

import type { Env } from '../../env/env.ts'
import { hex } from '../../lib/bytes.ts'
import { systemClock } from '../../lib/clock.ts'
import { macOf } from '../../lib/mac.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { idSecretsOf } from '../auth/id-secrets.ts'
import { invalidField } from '../problems/field-errors.ts'
import { BACKUP_TICKET_MS } from './limits.ts'

/** Fails with `not_configured` without ID_SECRET. */
export async function newTicket(env: Env, workspace: string): Promise<Result<string>> {
  return ticketUntil(env, workspace, systemClock() + BACKUP_TICKET_MS)
}

async function ticketUntil(env: Env, workspace: string, until: number): Promise<Result<string>> {
  const secrets = idSecretsOf(env)
  if (!secrets.ok) return secrets
  return ok(`${until}.${hex(await macOf(secrets.value[0], ['backup ticket', workspace, String(until)]))}`)
}

/** Fails with `invalid_request` unless this deployment issued the ticket at most BACKUP_TICKET_MS ago. */
export async function checkTicket(env: Env, workspace: string, ticket: string): Promise<Result<null>> {
  const until = Number(ticket.split('.')[0])
  const expected = await ticketUntil(env, workspace, until)
  if (!expected.ok) return err(expected.error)
  return until > systemClock() && ticket === expected.value
    ? ok(null)
    : invalidField(
        'ticket',
        'must be the `ticket` of a response of GET /admin/backup that is at most a day old',
      )
}
