// The RPC interface of a Hook object. The secret is sealed when it is stored, and never returned.

import type { BackupApi } from '../backup/api.ts'
import type { Result } from '../lib/result.ts'
import type { ReplyOutcome } from '../replies/plan.ts'
import type { ReplyTemplate } from '../replies/template.ts'
import type { RunOptions } from '../unattended/options.ts'
import type { HookFilter } from './filter.ts'
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
  /** Which deliveries start a run; null for all. */
  readonly filter: HookFilter | null
  /**
   * `each`: every delivery gets a new thread. `one`: all deliveries go to one thread, in order. `key`: the same for all deliveries
   * for which this template gives the same text; each gets a new thread if it gives none.
   */
  readonly thread: 'each' | 'one' | { readonly key: string }
  /** Of deliveries that wait because their thread is busy, all start a run in order, or only the latest. */
  readonly on_busy: 'enqueue' | 'latest'
  /** For how many days bodies and headers are kept. 0: until the run has started or failed. */
  readonly keep_days: number
  /** How its runs reply where their questions came from; null if they do not. */
  readonly reply: ReplyTemplate | null
  readonly created_at: string
}

export interface HookView extends Omit<HookConfig, 'secret'> {
  /** Until when the replaced secret is valid, too; null if there is none. */
  readonly previous_secret_until: string | null
  /** False if the ENCRYPTION_KEY that sealed the secret is gone. No delivery can then be verified. */
  readonly secret_readable: boolean
}

export interface DeliveryInfo {
  /** The delivery's position among all deliveries of the hook. It increases with each delivery. */
  readonly order: number
  readonly id: string
  /** The sender's ID of the delivery; null if it sent none. */
  readonly webhook_id: string | null
  /**
   * `recorded`: its run has not started yet. `dead`: it could not be started. `filtered`, `superseded`: it has no run. `mismatch`: it
   * had the ID of another delivery and was refused. `paused`: it waited when the backup was made from which the hook was restored.
   */
  readonly state: 'recorded' | 'started' | 'dead' | 'filtered' | 'superseded' | 'mismatch' | 'paused'
  /** Why it waits, or why it has no run. */
  readonly reason: string | null
  readonly thread_id: string | null
  readonly run_id: string | null
  readonly received_at: string
  /** When its run started, or when it was decided that none starts. */
  readonly settled_at: string | null
  readonly next_attempt_at: string | null
  readonly tries: number
  /** Number of authentic deliveries with this webhook-id but a different body, which were refused. */
  readonly mismatches: number
  /** What became of the reply of its run; null before that, or without a reply. */
  readonly reply: (Omit<ReplyOutcome, 'at'> & { readonly at: string }) | null
  /** The delivery that this one replays, or whose ID it used. */
  readonly original_id: string | null
  /** The deliveries that replay this one, oldest first. */
  readonly replays: readonly string[]
  /** The size of the kept body and headers; null if they are not kept any more. */
  readonly kept_bytes: number | null
}

export interface DeliveryDetail extends DeliveryInfo {
  /** Without secrets and signatures; null if they are not kept any more. */
  readonly headers: Readonly<Record<string, string>> | null
  /** As the template sees it; null if it is not kept any more. */
  readonly body: string | null
}

export interface DeliverySearch {
  readonly limit: number
  /** Lists only deliveries with a lower `order`. */
  readonly before: number | null
  readonly state: string | null
  /** The state of the reply. */
  readonly reply: string | null
  /** The ID of the delivery, of its sender, of its thread, of its run, or of the delivery that it replays. */
  readonly id: string | null
  /** A part of the body, an ID or the reason, in any case. */
  readonly text: string | null
}

export interface DeliveryPage {
  readonly data: readonly DeliveryInfo[]
  /** Where the next page begins (`before`); null after the last one. */
  readonly next: number | null
}

/** What would become of a delivery. */
export interface HookTrial {
  readonly verdict: 'accepted' | 'filtered' | 'refused'
  readonly reason: string | null
  /** The message of the run; null without a run. */
  readonly message: string | null
  /** The thread of the run if deliveries share it; null for a new thread. */
  readonly thread_id: string | null
}

/** The response to a delivery. It is the same for every copy of the delivery, except for `created`. */
export interface AcceptedDelivery {
  readonly delivery_id: string
  /** Null if the delivery is filtered. */
  readonly thread_id: string | null
  /** Null if the delivery is filtered, or superseded, or may still be superseded. */
  readonly run_id: string | null
  readonly created: boolean
}

export interface RotatedHook extends HookView {
  readonly secret: string
}

/** A hook or schedule, as threads see it. */
export interface RunStarterApi {
  /** Called when a thread that refused a run because it was busy would accept one now. */
  threadHasRoom(threadId: string): Promise<void>
}

/** A delivery as it arrived, before it is verified. */
export interface ReceivedDelivery {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The build that its run uses. */
  readonly build: string
}

/** What became of a delivery; a sender's test of the address gets a handshake. */
export type DeliveryAnswer = Result<AcceptedDelivery | { readonly handshake: Handshake }>

export interface HookApi extends RunStarterApi, BackupApi {
  configure(config: HookConfig): Promise<Result<HookView>>
  /** Changes everything but the ID, the scheme and the secrets. Deliveries that wait follow the new configuration. */
  change(config: Omit<HookConfig, 'secret'>): Promise<Result<HookView>>
  view(workspace: string): Promise<Result<HookView>>
  /** Replaces the secret. The previous one stays valid for `overlapS` seconds; an older one does not. */
  rotate(workspace: string, secret: string | null, overlapS: number): Promise<Result<RotatedHook>>
  remove(workspace: string): Promise<Result<null>>
  /** Lists deliveries, newest first. */
  deliveries(workspace: string, search: DeliverySearch): Promise<Result<DeliveryPage>>
  delivery(workspace: string, deliveryId: string): Promise<Result<DeliveryDetail>>
  /** Starts a run for a recorded delivery, whatever the filter says; for a paused one, the promised run. Fails with `gone` if its body is not kept any more. */
  replay(workspace: string, deliveryId: string, build: string): Promise<Result<AcceptedDelivery>>
  /** Signs a body with the hook's secret and delivers it. `headers` are added. */
  deliverTest(
    workspace: string,
    body: string,
    headers: Readonly<Record<string, string>>,
    build: string,
  ): Promise<Result<AcceptedDelivery | { readonly handshake: Handshake }>>
  /** Like `deliverTest`, but records nothing and starts no run. */
  dryRun(
    workspace: string,
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<Result<HookTrial>>
  /** Shows what became of the reply to a delivery, unless something newer is shown. */
  recordReply(workspace: string, deliveryId: string, outcome: ReplyOutcome): Promise<Result<null>>
  /** Forgets the bodies of all deliveries to a thread, because the thread was deleted. */
  forgetThread(workspace: string, threadId: string): Promise<Result<null>>
  /** If the hook acts for this user, lets it act for nobody, so that only admins see its threads. Returns whether it did. */
  forgetUser(workspace: string, user: string): Promise<Result<boolean>>
  /**
   * Verifies the raw bytes, records the delivery once, and returns before any model call. Refuses deliveries
   * that could never start: if the body yields no message (`invalid_request`), or if too many deliveries are
   * waiting (`too_many_runs`). If a delivery is not authentic, the error is always `unauthenticated` with the
   * same text, and nothing is stored. A sender's test of the address returns a `handshake` and stores nothing.
   */
  deliver(headers: ReceivedDelivery['headers'], body: Uint8Array, build: string): Promise<DeliveryAnswer>
  /** Like `deliver` for each of them, for about a third of the time. */
  deliverAll(received: readonly ReceivedDelivery[]): Promise<readonly DeliveryAnswer[]>
}
