// Helpers for tests that use webhooks over HTTP: hooks, deliveries signed as senders do, and their outcomes.

import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import type { DeliveryInfo } from '../../src/webhooks/api.ts'
import { got, send } from './api-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

export interface Made {
  readonly id: string
  readonly url: string
  readonly secret: string
}

export async function makeHook(more: object = {}, key?: string): Promise<Made> {
  const body = { name: 'Alerts', template: 'An alert: {{title}}', ...more }
  return got<Made>(send('POST /admin/hooks', { body, ...(key ? { key } : {}) }), 201)
}

export interface Delivery {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export const BODY = '{"title":"Disk full"}'

/** Signed as the sender's library signs. */
export function signed(secret: string, id: string, body = BODY, ageS = 0): Delivery {
  const at = Math.floor(Date.now() / 1_000) - ageS
  const signature = new Webhook(secret).sign(id, new Date(at * 1_000), body)
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': signature }
  return { body, headers: { 'Content-Type': 'application/json', ...headers } }
}

export interface Accepted {
  readonly delivery_id: string
  readonly thread_id: string
  readonly run_id: string
}

export function deliver(hook: Made, delivery: Delivery): Promise<Response> {
  return send(`POST ${hook.url}`, { key: null, body: delivery.body, headers: delivery.headers })
}

export async function deliveries(hook: Made): Promise<readonly DeliveryInfo[]> {
  return (await got<{ data: DeliveryInfo[] }>(send(`GET /admin/hooks/${hook.id}/deliveries`))).data
}

export async function completed({ thread_id, run_id }: Accepted): Promise<void> {
  const line = `GET /v1/threads/${thread_id}/runs/${run_id}`
  const receipt = await eventually(
    async () => (await send(line)).json<{ status?: string | number }>(),
    ({ status }) => status !== 'running' && status !== 'queued' && typeof status !== 'number',
  )
  expect(receipt.status, JSON.stringify(receipt)).toBe('completed')
}
