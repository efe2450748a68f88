// A request for a person's approval, as its row stores it, with the decision. Writes nothing.

import type { ShownRequest } from '../../agent/approval.ts'
import type { ApprovalNote } from '../../agent/events.ts'
import type { CallKey } from './journal.ts'
import { columnsAs, type StoredValue, type StoredRow } from './columns.ts'
import { readStored } from './stored.ts'

/** `cancelled`: its run ended first. `changed`: the call is no longer the one that was shown. */
type Outcome = ApprovalNote['decision'] | 'cancelled' | 'changed'

/** The request that is approved, exactly as it will be made. */
export interface Binding {
  /** Digest of the tool's definition. */
  readonly definition: string
  /** Sha-256 of the request as it will be sent. */
  readonly preview: string
  /** Sha-256 of both and of the call's position in its run: the digest that an answer names. */
  readonly digest: string
  /**
   * Sha-256 of name, definition and input, without the fields that the rule frees: which later calls an answer may
   * cover.
   */
  readonly same: string
}

export interface ApprovalRequest extends CallKey, Binding {
  readonly toolUseId: string
  readonly name: string
  /** As shown; null if too long for a list. */
  readonly input: unknown
  readonly request: ShownRequest | null
  readonly reason: string
  /** JSON pointers of fields that may differ in calls that a remembered approval covers. */
  readonly free: readonly string[]
  /** The approval is for all links of this host, for the rest of the run; null: for this call. */
  readonly host: string | null
  /** Only an admin may decide. */
  readonly byAdmin: boolean
  readonly requestedAt: number
  readonly expiresAt: number
}

export interface Decision {
  readonly decision: Outcome
  readonly decidedBy: string
  readonly decidedAt: number
  /** A person's text for the model. */
  readonly note: string | null
  readonly remember: 'run' | 'thread' | null
  /**
   * Of a remembered approval: the sources of untrusted content that the model had read at that time. Null: it covers no
   * later call.
   */
  readonly untrusted: readonly string[] | null
}

export type Approval = ApprovalRequest & {
  readonly id: number
  /** The remembered approval that covers this call, so that nobody was asked; null if a person was asked. */
  readonly coveredBy: number | null
} & (Decision | { readonly decision: null })

/** The columns of the request. */
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
/** The columns of the decision. */
const DECIDED_KEYS = ['decision', 'decidedBy', 'decidedAt', 'note', 'remember', 'untrusted'] as const

export type ApprovalRow = Readonly<{ id: number; coveredBy: number | null }> &
  StoredRow<Omit<ApprovalRequest, 'input'>> & { readonly input: string | null } & {
    readonly [K in keyof Decision]: StoredValue<Decision[K]> | null
  }

export const SELECT_APPROVALS = `SELECT ${columnsAs(['id', 'coveredBy', ...REQUEST_KEYS, ...DECIDED_KEYS])} FROM approvals`

/** As approvals.ts wrote it. */
export function approvalOf(row: ApprovalRow): Approval {
  const { decision, decidedBy, decidedAt, note, remember, untrusted, ...request } = row
  const shown = {
    ...request,
    input: row.input === null ? null : (readStored<readonly [unknown]>(row.input)?.[0] ?? null),
    request: row.request === null ? null : readStored<ShownRequest>(row.request),
    free: readStored<string[]>(row.free) ?? [],
    byAdmin: row.byAdmin === 1,
  }
  if (decision === null) return { ...shown, decision }
  return {
    ...shown,
    decision,
    decidedBy: decidedBy ?? '',
    decidedAt: decidedAt ?? 0,
    note,
    remember,
    untrusted: untrusted === null ? null : readStored<string[]>(untrusted),
  }
}
