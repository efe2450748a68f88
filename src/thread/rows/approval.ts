// A request for a person's approval as it lies in a row, with what was decided about it. Writes none.

import type { ShownRequest } from '../../agent/approval.ts'
import type { ApprovalNote } from '../../agent/events.ts'
import type { CallKey } from './journal.ts'
import { columnsAs, type StoredValue, type StoredRow } from './columns.ts'
import { readStored } from './stored.ts'

/** `cancelled`: its run ended before. `changed`: what it was asked for is not what would be done any more. */
type Outcome = ApprovalNote['decision'] | 'cancelled' | 'changed'

/** What is asked for, as it would be done. */
export interface Binding {
  /** Digest of the tool's definition. */
  readonly definition: string
  /** Sha-256 of the request as it will be sent. */
  readonly preview: string
  /** Sha-256 of both and of the call's place in its run: what an answer is for. */
  readonly digest: string
  /** Sha-256 of name, definition and input without the fields that the rule frees: what an answer may cover later. */
  readonly same: string
}

export interface ApprovalRequest extends CallKey, Binding {
  readonly toolUseId: string
  readonly name: string
  /** As it is shown; null: it is too long for a list. */
  readonly input: unknown
  readonly request: ShownRequest | null
  readonly reason: string
  /** JSON pointers of what may differ in calls that a remembered yes covers. */
  readonly free: readonly string[]
  /** It is asked for all links of this host, for the rest of the run; null: for this call. */
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
  /** A person's words to the model. */
  readonly note: string | null
  readonly remember: 'run' | 'thread' | null
  /** Of one that is remembered: where the untrusted content came from that the model had then. Null: it covers no later call. */
  readonly untrusted: readonly string[] | null
}

export type Approval = ApprovalRequest & {
  readonly id: number
  /** The remembered yes by which nobody was asked; null: a person was. */
  readonly coveredBy: number | null
} & (Decision | { readonly decision: null })

/** What is asked, as it stands in a row. */
export const ASKED_KEYS = [
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
/** What was decided of it. */
const DECIDED_KEYS = ['decision', 'decidedBy', 'decidedAt', 'note', 'remember', 'untrusted'] as const

export type ApprovalRow = Readonly<{ id: number; coveredBy: number | null }> &
  StoredRow<Omit<ApprovalRequest, 'input'>> & { readonly input: string | null } & {
    readonly [K in keyof Decision]: StoredValue<Decision[K]> | null
  }

export const SELECT_APPROVALS = `SELECT ${columnsAs(['id', 'coveredBy', ...ASKED_KEYS, ...DECIDED_KEYS])} FROM approvals`

/** As approvals.ts wrote it. */
export function approvalOf(row: ApprovalRow): Approval {
  const { decision, decidedBy, decidedAt, note, remember, untrusted, ...asked } = row
  const shown = {
    ...asked,
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
