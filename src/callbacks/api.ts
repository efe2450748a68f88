// The RPC interface of an Endpoint object, which sends events of a workspace to one address. The secret is sealed when
// it is stored, and never returned.

import type { BackupApi } from '../backup/api.ts'
import type { Result } from '../lib/result.ts'

/** Events of one run. The first three are its possible ends. */
export const RUN_EVENT_TYPES = ['run.completed', 'run.failed', 'run.cancelled', 'run.waiting'] as const

export const EVENT_TYPES = [...RUN_EVENT_TYPES, 'delivery.dead', 'audit.recorded', 'budget.warning'] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** What an endpoint receives, as the Workspace object lists it. */
export interface EndpointInfo {
  readonly id: string
  readonly url: string
  /** Events of the whole workspace that are sent to `url`. Empty if the endpoint is only for callbacks. */
  readonly events: readonly EventType[]
  /** Whether these events contain the run's answer. */
  readonly answer: boolean
  readonly created_at: string
}

export interface EndpointConfig extends EndpointInfo {
  readonly workspace: string
  readonly secret: string
}

export interface EndpointView extends EndpointInfo {
  /** Why nothing is sent; null if the endpoint is enabled. */
  readonly disabled: string | null
  /** When the first of the latest, uninterrupted failures happened; null if the last attempt succeeded. */
  readonly failing_since: string | null
  /** Until when events are also signed with the replaced secret; null if there is none. */
  readonly previous_secret_until: string | null
  /** False if the ENCRYPTION_KEY that sealed the secret is gone. No event can then be signed. */
  readonly secret_readable: boolean
}

/** Where a run reports its end, in addition to the workspace's endpoints. */
export interface Callback {
  /** Must be under the URL of an endpoint, whose secret signs the events. */
  readonly url: string
  readonly events: readonly EventType[]
  readonly answer: boolean
}

/** One event as it is sent. Its ID is the same in each attempt. */
export interface OutgoingEvent {
  readonly id: string
  readonly type: EventType | 'endpoint.test'
  /** Null for the endpoint's own URL. */
  readonly url: string | null
  readonly body: string
}

export interface LogEntry {
  /** The position in the log. It increases with each event. */
  readonly id: number
  readonly event_id: string
  readonly type: OutgoingEvent['type']
  readonly url: string
  /** `skipped`: it was never sent, because the endpoint was disabled or had too many waiting events. */
  readonly state: 'waiting' | 'sent' | 'failed' | 'skipped'
  readonly attempts: number
  readonly created_at: string
  readonly last_attempt_at: string | null
  readonly next_attempt_at: string | null
  /** The HTTP status of the last attempt; null if there was no response. */
  readonly status: number | null
  readonly problem: string | null
}

export interface EndpointChange {
  readonly url?: string | undefined
  readonly events?: readonly EventType[] | undefined
  readonly answer?: boolean | undefined
  readonly disabled?: boolean | undefined
}

export interface EndpointApi extends BackupApi {
  configure(config: EndpointConfig): Promise<Result<EndpointView>>
  view(workspace: string): Promise<Result<EndpointView>>
  change(workspace: string, change: EndpointChange): Promise<Result<EndpointView>>
  /** Replaces the secret. For `overlapS` seconds, events are signed with the previous one, too. */
  rotate(
    workspace: string,
    secret: string | null,
    overlapS: number,
  ): Promise<Result<EndpointView & { readonly secret: string }>>
  remove(workspace: string): Promise<Result<null>>
  /** Records the event, on disk when this returns. Idempotent by the event's ID and URL. */
  add(workspace: string, event: OutgoingEvent): Promise<Result<null>>
  /** Lists events, newest first, with a lower `id` than `before`. */
  log(
    workspace: string,
    query: {
      readonly state: LogEntry['state'] | null
      readonly before: number | null
      readonly limit: number
    },
  ): Promise<Result<readonly LogEntry[]>>
  /**
   * Removes the content of a deleted thread's events. Those that wait are still sent, with IDs, status and links. Does nothing if
   * there is no such endpoint.
   */
  forgetThread(workspace: string, threadId: string): Promise<Result<null>>
  /** Sends an event again, with the same ID and a new series of attempts. */
  replay(workspace: string, entry: number): Promise<Result<LogEntry>>
}
