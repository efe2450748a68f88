// What a Hook object answers over RPC. The secret is stored once and never returned.

import type { AllowedCall } from '../lib/caller.ts'
import type { Result } from '../lib/result.ts'

export interface HookConfig {
  readonly id: string
  readonly workspace: string
  readonly name: string
  readonly scheme: 'standard'
  /** `whsec_…` */
  readonly secret: string
  /** Message template: `{{payload}}` and `{{path.to.value}}`. */
  readonly template: string
  /** `each`: a thread for every delivery; `one`: all deliveries go to one thread, in order. */
  readonly thread: 'each' | 'one'
  /** The owner of the threads that it creates. */
  readonly user: string | null
  /** Calls that its runs may make without an approval: in its runs nobody can be asked. */
  readonly allowed_calls: readonly AllowedCall[]
  readonly created_at: string
}

export type HookView = Omit<HookConfig, 'secret'>

export interface DeliveryInfo {
  /** Its position among the hook's deliveries; grows. */
  readonly order: number
  readonly id: string
  /** The sender's webhook-id. */
  readonly webhook_id: string
  readonly state: 'recorded' | 'started' | 'dead'
  readonly thread_id: string
  readonly run_id: string
  readonly received_at: string
  readonly tries: number
  readonly problem: string | null
  /** Authentic deliveries with this webhook-id but another body, which were refused. */
  readonly mismatches: number
}

/** The answer to a delivery: the same for every copy of it, except `created`. */
export interface AcceptedDelivery {
  readonly delivery_id: string
  readonly thread_id: string
  readonly run_id: string
  readonly created: boolean
}

export interface HookApi {
  configure(config: HookConfig): Promise<Result<HookView>>
  view(workspace: string): Promise<Result<HookView>>
  remove(workspace: string): Promise<Result<null>>
  /** Newest first; `before`: only those whose `order` is lower. */
  deliveries(
    workspace: string,
    limit: number,
    before?: number | null,
  ): Promise<Result<readonly DeliveryInfo[]>>
  /**
   * Verifies the raw bytes, records the delivery once, and answers before any model call. Refuses what could never
   * start: a body that yields no message (`invalid_request`), or too many waiting deliveries (`too_many_runs`).
   * `unauthenticated` (one generic text) for every reason why a delivery is not authentic; then nothing is stored.
   */
  deliver(
    headers: Readonly<Record<string, string>>,
    body: Uint8Array,
    build: string,
  ): Promise<Result<AcceptedDelivery>>
}
