// The RPC interface of a Hook object. The secret is stored once and never returned.

import type { Result } from '../lib/result.ts'
import type { RunOptions } from '../unattended/options.ts'
import type { Handshake, HmacOptions, SchemeName } from './schemes/scheme.ts'

export interface HookConfig extends RunOptions {
  readonly id: string
  readonly workspace: string
  readonly name: string
  readonly scheme: SchemeName
  /** How the sender signs, for the scheme `hmac`; null for others. */
  readonly signature: HmacOptions | null
  readonly secret: string
  /** Message template with placeholders: `{{payload}}`, or `{{path.to.value}}`. */
  readonly template: string
  /** `each`: every delivery gets a new thread. `one`: all deliveries go to one thread, in order. */
  readonly thread: 'each' | 'one'
  readonly created_at: string
}

export interface HookView extends Omit<HookConfig, 'secret'> {
  /** Until when the replaced secret is valid, too; null if there is none. */
  readonly previous_secret_until: string | null
}

export interface DeliveryInfo {
  /** The delivery's position among all deliveries of the hook. It increases with each delivery. */
  readonly order: number
  readonly id: string
  /** The sender's ID of the delivery; null if it sent none. */
  readonly webhook_id: string | null
  readonly state: 'recorded' | 'started' | 'dead'
  readonly thread_id: string
  readonly run_id: string
  readonly received_at: string
  readonly tries: number
  readonly problem: string | null
  /** Number of authentic deliveries with this webhook-id but a different body, which were refused. */
  readonly mismatches: number
}

/** The response to a delivery. It is the same for every copy of the delivery, except for `created`. */
export interface AcceptedDelivery {
  readonly delivery_id: string
  readonly thread_id: string
  readonly run_id: string
  readonly created: boolean
}

export interface RotatedHook extends HookView {
  readonly secret: string
}

export interface HookApi {
  configure(config: HookConfig): Promise<Result<HookView>>
  /** Changes everything but the ID, the scheme and the secrets. Deliveries that wait follow the new configuration. */
  change(config: Omit<HookConfig, 'secret'>): Promise<Result<HookView>>
  view(workspace: string): Promise<Result<HookView>>
  /** Replaces the secret. The previous one stays valid for `overlapS` seconds; an older one does not. */
  rotate(workspace: string, secret: string | null, overlapS: number): Promise<Result<RotatedHook>>
  remove(workspace: string): Promise<Result<null>>
  /** Lists deliveries, newest first. With `before`, lists only deliveries with a lower `order`. */
  deliveries(
    workspace: string,
    limit: number,
    before?: number | null,
  ): Promise<Result<readonly DeliveryInfo[]>>
  /**
   * Verifies the raw bytes, records the delivery once, and returns before any model call. Refuses deliveries
   * that could never start: if the body yields no message (`invalid_request`), or if too many deliveries are
   * waiting (`too_many_runs`). If a delivery is not authentic, the error is always `unauthenticated` with the
   * same text, and nothing is stored. A sender's test of the address returns a `handshake` and stores nothing.
   */
  deliver(
    headers: Readonly<Record<string, string>>,
    body: Uint8Array,
    build: string,
  ): Promise<Result<AcceptedDelivery | { readonly handshake: Handshake }>>
}
