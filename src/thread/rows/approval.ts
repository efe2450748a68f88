// A request for a person's approval together with its decision, as stored in a row. Writes nothing.

import type { ShownRequest } from '../../agent/approval.ts'
import type { ApprovalNote } from '../../agent/events.ts'
import type { CallId } from './journal.ts'
import { columnsAs, type StoredValue, type StoredRow } from './columns.ts'
import { readStored } from './stored-json.ts'

/**
 * `cancelled`: the call's run ended before a decision. `changed`: the call is no longer the one that was
 * shown.
 */
type Outcome = ApprovalNote['decision'] | 'cancelled' | 'changed'

/** Digests that bind an approval to the exact request that will be made. */
export interface Binding {
  /** Digest of the tool's definition. */
  readonly definition: string
  /** SHA-256 of the request as it will be sent. */
  readonly preview: string
  /** SHA-256 of `definition`, `preview` and the call's position in its run. An answer must name this digest. */
  readonly digest: string
  /**
   * SHA-256 of the name, definition and input, without the fields that the rule allows to vary. It determines
   * which later calls a remembered approval covers.
   */
  readonly same: string
}

export interface ApprovalRequest extends CallId, Binding {
  readonly toolUseId: string
  readonly name: string
  /** The input as shown; null if it is too long for a list. */
  readonly input: unknown
  readonly request: ShownRequest | null
  readonly reason: string
  /** JSON pointers of fields that may differ in calls that a remembered approval covers. */
  readonly free: readonly string[]
  /**
   * If not null, the approval covers all links on this host for the rest of the run, instead of only this
   * call.
   */
  readonly host: string | null
  /** Whether only an admin may decide. */
  readonly byAdmin: boolean
  readonly requestedAt: number
  readonly expiresAt: number
}

export interface Decision {
  readonly decision: Outcome
  readonly decidedBy: string
  readonly decidedAt: number
  /** A note from the person to the model. */
  readonly note: string | null
  readonly remember: 'run' | 'thread' | null
  /**
   * For a remembered approval: the sources of untrusted content that the model had read when it was decided.
   * Null if the approval covers no later call.
   */
  readonly untrusted: readonly string[] | null
}

export type Approval = ApprovalRequest & {
  readonly id: number
  /** The remembered approval that covers this call, or null if a person was asked. */
  readonly coveredBy: number | null
} & (Decision | { readonly decision: null })

/** The keys of the request's columns. */
export const REQUEST_KEYS = [
  ...([
    'runId',
    'message',
    'ord',
    'toolUseId',
    'name',
    'input',
    'request',
    'reason',
    'free',
    'host',
  ] as const),
  ...(['definition', 'preview', 'digest', 'same', 'byAdmin', 'requestedAt', 'expiresAt'] as const),
]
/** The keys of the decision's columns. */
const DECIDED_KEYS = ['decision', 'decidedBy', 'decidedAt', 'note', 'remember', 'untrusted'] as const

export type ApprovalRow = Readonly<{ id: number; coveredBy: number | null }> &
  StoredRow<Omit<ApprovalRequest, 'input'>> & { readonly input: string | null } & {
    readonly [K in keyof Decision]: StoredValue<Decision[K]> | null
  }

export const SELECT_APPROVALS = `SELECT ${columnsAs(['id', 'coveredBy', ...REQUEST_KEYS, ...DECIDED_KEYS])} FROM approvals`

/** Parses a row that approvals.ts wrote. */
export function approvalOf(row: ApprovalRow): Approval {
  const { decision, decidedBy, decidedAt, note, remember, untrusted, ...request } = row
  const approval = {
    ...request,
    input: row.input === null ? null : (readStored<readonly [unknown]>(row.input)?.[0] ?? null),
    request: row.request === null ? null : readStored<ShownRequest>(row.request),
    free: readStored<string[]>(row.free) ?? [],
    byAdmin: row.byAdmin === 1,
  }
  if (decision === null) return { ...approval, decision }
  return {
    ...approval,
    decision,
    decidedBy: decidedBy ?? '',
    decidedAt: decidedAt ?? 0,
    note,
    remember,
    untrusted: untrusted === null ? null : readStored<string[]>(untrusted),
  }
}
