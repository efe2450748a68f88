// The types of approvals in the RPC interface of a Thread object. Plain data.

import type { ShownRequest } from '../../agent/approval.ts'

/** A call that waits for an approval, as listed for people who may decide on it. */
export interface ApprovalInfo {
  readonly thread_id: string
  readonly run_id: string
  readonly tool_use_id: string
  readonly name: string
  /** Invisible characters are marked. Null if the input is too long; it is in the run's events. */
  readonly input: unknown
  /** Null if the call sends nothing. */
  readonly request: ShownRequest | null
  readonly reason: string
  /** Digest of the request: an answer with this digest applies only to this request. */
  readonly digest: string
  /** JSON pointers of the fields that may differ in later calls covered by a remembered approval. */
  readonly free: readonly string[]
  /** Who may decide: `owner` means the thread's owner or an admin, `admin` means only an admin. */
  readonly by: 'owner' | 'admin'
  readonly requested_at: string
  readonly expires_at: string
}

interface Approve {
  readonly decision: 'approve'
  readonly note: null
  /** Whether the approval also covers identical calls later in this run or thread. */
  readonly remember: 'run' | 'thread' | null
}

interface Deny {
  readonly decision: 'deny'
  /** A note for the model. */
  readonly note: string | null
  readonly remember: null
}

/** A person's decision, without the digest of the request that it applies to. */
export type ApprovalChoice = Approve | Deny

/**
 * `digest` is the digest of the reviewed request. If it is null, the answer applies to the open request with
 * this ID.
 */
export type ApprovalAnswer =
  | (Approve & { readonly digest: string })
  | (Deny & { readonly digest: string | null })

export interface ApprovalDecided {
  readonly tool_use_id: string
  readonly decision: ApprovalAnswer['decision']
  readonly by: string
  readonly at: string
  readonly note: string | null
  readonly remember: 'run' | 'thread' | null
}

/** A request for approval with its decision, as exports contain it. */
export interface ApprovalRecord extends Omit<ApprovalInfo, 'thread_id' | 'digest' | 'free'> {
  /** Null while nobody has decided. Other decisions: the request expired, or its run ended or changed the call before. */
  readonly decided:
    | (Pick<ApprovalDecided, 'by' | 'at' | 'note' | 'remember'> & {
        readonly decision: 'approve' | 'deny' | 'expired' | 'cancelled' | 'changed'
      })
    | null
}
