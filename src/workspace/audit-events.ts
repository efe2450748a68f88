// Notifies endpoints of audited actions. A row keeps its mark until each endpoint's object has recorded the event; after a
// failure, the next action repeats it. Imported when it is needed.

import type { EndpointInfo, OutgoingEvent } from '../callbacks/api.ts'
import { objects, type Env } from '../env/env.ts'
import { redact } from '../lib/redact.ts'
import { markAnnounced, unannounced } from './audit.ts'
import type { AuditEntry } from './audit-api.ts'
import { AUDIT_ANNOUNCED_MAX } from './limits.ts'

function eventOf(entry: AuditEntry): OutgoingEvent {
  const type = 'audit.recorded'
  return {
    id: `evt_${entry.request_id.replace(/^req_/, '')}_audit`,
    type,
    url: null,
    body: JSON.stringify({ type, timestamp: entry.at, data: entry }),
  }
}

/** Passes on the events of a limited number of actions. Never throws. */
export async function announceActions(
  sql: SqlStorage,
  env: Env,
  workspace: string,
  subscribers: readonly Pick<EndpointInfo, 'id'>[],
  now: number,
): Promise<void> {
  try {
    for (const entry of unannounced(sql, now, AUDIT_ANNOUNCED_MAX)) {
      for (const { id } of subscribers) {
        const added = await objects(env).endpoint(workspace, id).add(workspace, eventOf(entry))
        if (!added.ok && added.error.code !== 'not_found') throw new Error(added.error.detail)
      }
      markAnnounced(sql, entry.id)
    }
  } catch (error) {
    console.error(JSON.stringify({ at: 'audit', workspace, error: redact(String(error)) }))
  }
}
