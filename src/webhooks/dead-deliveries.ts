// Notifies the workspace's endpoints of deliveries that are dead. A row keeps the mark until every endpoint's object has
// recorded the event.

import type { OutgoingEvent } from '../callbacks/api.ts'
import { objects, type Env } from '../env/env.ts'
import { rfc3339 } from '../lib/clock.ts'
import { logText } from '../lib/redact.ts'
import { NO_SLOT_RECHECK_MS } from '../unattended/limits.ts'

type DeadRow = {
  readonly id: string
  readonly thread_id: string
  readonly run_id: string
  readonly problem: string
}

const SELECT_DEAD = `SELECT delivery_id AS id, thread_id, run_id, problem FROM deliveries
  WHERE unannounced = 1 AND next_try_at <= ? ORDER BY ord LIMIT 1`

/** Reports dead deliveries that are not reported yet. Never throws: a failed report is repeated after a pause. */
export async function reportDead(
  sql: SqlStorage,
  env: Env,
  source: { readonly id: string; readonly workspace: string },
  now: number,
): Promise<void> {
  for (;;) {
    const dead = sql.exec<DeadRow>(SELECT_DEAD, now).toArray()[0]
    if (!dead) return
    try {
      await announce(env, source, dead, now)
      sql.exec('UPDATE deliveries SET unannounced = 0 WHERE delivery_id = ?', dead.id)
    } catch (error) {
      console.warn(JSON.stringify({ event: 'webhook.dead_unreported', error: logText(error) }))
      const postpone = 'UPDATE deliveries SET next_try_at = ? WHERE unannounced = 1'
      sql.exec(postpone, now + NO_SLOT_RECHECK_MS)
    }
  }
}

async function announce(
  env: Env,
  { id: source, workspace }: { readonly id: string; readonly workspace: string },
  { id, problem, thread_id, run_id }: DeadRow,
  now: number,
): Promise<void> {
  const endpoints = await objects(env).workspace(workspace).listEndpoints()
  if (!endpoints.ok) throw new Error(endpoints.error.detail)
  const data = { source, delivery_id: id, thread_id, run_id, problem }
  const event: OutgoingEvent = {
    id: `evt_${id.replace(/^[a-z]+_/, '')}_dead`,
    type: 'delivery.dead',
    url: null,
    body: JSON.stringify({ type: 'delivery.dead', timestamp: rfc3339(now), data }),
  }
  for (const endpoint of endpoints.value) {
    if (!endpoint.events.includes('delivery.dead')) continue
    const added = await objects(env).endpoint(workspace, endpoint.id).add(workspace, event)
    if (!added.ok && added.error.code !== 'not_found') throw new Error(added.error.detail)
  }
}
