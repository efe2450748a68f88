// What a workspace records about the actions of its admins and publishers, and about sign-ins that failed.

import type { KeyRole } from '../lib/caller.ts'
import type { Result } from '../lib/result.ts'
import type { Page } from '../thread/api.ts'

/** Fields of what was changed. Never contains a secret; a long value is replaced by its SHA-256. */
type Fields = Readonly<Record<string, unknown>>

/** An action that is about to be carried out. */
export interface NewAction {
  readonly request_id: string
  readonly key: string
  readonly user: string | null
  readonly role: KeyRole
  /** The caller's /24 or /48 network, or `unknown`. Never its whole address. */
  readonly network: string
  /** Made from the route, such as `keys.rotate`. */
  readonly action: string
  /** What the path names; null if nothing, or not yet. */
  readonly target: string | null
}

/** What became of an action. */
export interface ActionOutcome {
  /** The HTTP status; null if it is unknown, because the request did not end. */
  readonly status: number | null
  /** The fields that changed, as they were; null if nothing changed or nothing existed. */
  readonly before: Fields | null
  /** The same fields afterwards; null if nothing changed or nothing exists any more. */
  readonly after: Fields | null
}

/** An action as an admin sees it. */
export interface AuditEntry extends NewAction, ActionOutcome {
  /** Its position. It increases with each action. */
  readonly id: number
  readonly at: string
}

/** Which actions are listed: those that match all fields. `from` and `to` are UTC days, both included. */
export interface AuditFilter {
  /** A user or the ID of a key. */
  readonly actor?: string
  /** An action such as `keys.rotate`, or the beginning before a dot, such as `keys`. */
  readonly action?: string
  readonly target?: string
  readonly from?: string
  readonly to?: string
}

/** How often a network failed to sign in within one minute. */
export interface FailedSignIns {
  /** The beginning of the minute. */
  readonly at: string
  readonly network: string
  /** The ID of the key that it tried last. */
  readonly key: string
  readonly count: number
}

export interface AuditApi {
  /** Records an action before it is carried out, and returns its ID. On disk when this returns. */
  beginAction(action: NewAction): Promise<number>
  /**
   * Records what became of an action, once. Then notifies the endpoints of this workspace that subscribe to actions.
   * `target` is the new object's ID, or null to keep what beginAction recorded.
   */
  endAction(workspace: string, id: number, outcome: ActionOutcome & { target: string | null }): Promise<void>
  /** Lists actions, newest first. A page may be short although others follow. */
  listAudit(filter: AuditFilter, cursor: string | null, limit: number): Promise<Result<Page<AuditEntry>>>
  /** Lists minutes, newest first. */
  listFailedSignIns(cursor: string | null, limit: number): Promise<Result<Page<FailedSignIns>>>
}
