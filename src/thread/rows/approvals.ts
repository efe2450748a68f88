// Stores requests for a person's approval: one for each state of a call, each of which is decided once. Never decides
// by itself.

import type { ApprovalNote } from '../../agent/events.ts'
import type { AllowedHost } from '../../agent/link-budget.ts'
import { rfc3339 } from '../../lib/clock.ts'
import {
  approvalOf,
  REQUEST_KEYS,
  SELECT_APPROVALS,
  type Approval,
  type ApprovalRow,
  type ApprovalRequest,
  type Decision,
} from './approval.ts'
import { insertRow } from './columns.ts'
import type { CallId } from './journal.ts'
import { createTable } from './on-demand.ts'
import type { Revealed } from './revealed.ts'
import type { ThreadRow } from './thread-row.ts'

export class Approvals {
  readonly #sql: SqlStorage
  readonly #row: Pick<ThreadRow, 'data' | 'countApprovalsChange'>
  readonly #revealed: Pick<Revealed, 'sourceOf'>
  /**
   * Cached approvals of the run that was read last. Always accurate, because only this object writes them.
   */
  #cached: { readonly runId: string; readonly all: readonly Approval[] } | null = null

  /** `row` counts changes of approvals, so that a thread without approvals reads no rows. */
  constructor(
    sql: SqlStorage,
    row: Pick<ThreadRow, 'data' | 'countApprovalsChange'>,
    revealed: Pick<Revealed, 'sourceOf'>,
  ) {
    this.#sql = sql
    this.#row = row
    this.#revealed = revealed
  }

  /** Drops the cache, which may be wrong; the next access reads the rows. */
  dropCache(): void {
    this.#cached = null
  }

  /** Whether this thread has never had an approval request. Then it has no table of them. */
  get isEmpty(): boolean {
    return this.#row.data.approvalsChange === 0
  }

  /** The approvals of a run, in the order of their requests. */
  #ofRun(runId: string): readonly Approval[] {
    if (this.isEmpty) return []
    if (this.#cached?.runId !== runId) {
      const rows = this.#sql
        .exec<ApprovalRow>(`${SELECT_APPROVALS} WHERE run_id = ? ORDER BY id`, runId)
        .toArray()
      this.#cached = { runId, all: rows.map(approvalOf) }
    }
    return this.#cached.all
  }

  /** The run's requests without a decision. */
  pending(runId: string): readonly Approval[] {
    return this.#ofRun(runId).filter(({ decision }) => decision === null)
  }

  /** The newest approval of a call. */
  newest({ runId, message, ord }: CallId): Approval | null {
    return (
      this.#ofRun(runId).findLast((approval) => approval.message === message && approval.ord === ord) ?? null
    )
  }

  /** The run's newest approval for all links of this host. */
  newestForHost(runId: string, host: string): Approval | null {
    return this.#ofRun(runId).findLast((approval) => approval.host === host) ?? null
  }

  /** Hosts whose links a person allowed in this run, each with the first call to which that applies. */
  allowedHosts(runId: string): readonly AllowedHost[] {
    return this.#ofRun(runId).flatMap(({ host, message, ord, decision }) =>
      host !== null && decision === 'approve' ? [{ host, message, ord }] : [],
    )
  }

  /**
   * Sequence number of the first message that has a denied call with a note, which the model has read; null if there is
   * no such message.
   */
  firstMessageWithNote(): number | null {
    if (this.isEmpty) return null
    const [row] = this.#sql.exec<{ first: number | null }>(
      'SELECT min(message) AS first FROM approvals WHERE note IS NOT NULL',
    )
    return row?.first ?? null
  }

  /**
   * The newest approval with this tool use ID, which a model may reuse. If `digest` is not null, the newest approval
   * with that digest, which belongs to exactly one call. Null if no approval matches.
   */
  find(runId: string, toolUseId: string, digest: string | null): Approval | null {
    return (
      this.#ofRun(runId).findLast(
        (approval) =>
          approval.toolUseId === toolUseId &&
          approval.coveredBy === null &&
          (digest === null || approval.digest === digest),
      ) ?? null
    )
  }

  /** Inserts a request. Must be called in the same block that changes the call's state. */
  insertRequest(request: ApprovalRequest): void {
    this.#insert(request)
    this.#changed()
  }

  #insert(request: ApprovalRequest, approval: (Approval & Decision) | null = null): void {
    const input = request.input === null ? null : [request.input]
    const decisionFields = approval && {
      decision: 'approve',
      decidedBy: approval.decidedBy,
      decidedAt: approval.decidedAt,
      coveredBy: approval.id,
    }
    const record = { ...request, ...NO_DECISION, input, ...decisionFields }
    createTable(this.#sql, 'approvals')
    insertRow(this.#sql, 'approvals', [...REQUEST_KEYS, ...COVERED_KEYS], record)
  }

  /**
   * Records for the receipt that `approval` covers this call. No call waits, so the workspace gets no
   * report.
   */
  insertCovered(request: ApprovalRequest, approval: Approval & Decision): void {
    const before = this.newest(request)
    if (before?.coveredBy === approval.id && before.digest === request.digest) return
    this.#insert(request, approval)
    this.#cached = null
  }

  /** Decides a request once: a decision is final. */
  decide(id: number, { decision, decidedBy, decidedAt, note, remember, untrusted }: Decision): void {
    this.#sql.exec(
      `UPDATE approvals SET decision = ?, decided_by = ?, decided_at = ?, note = ?, remember = ?, untrusted = ?
       WHERE id = ? AND decision IS NULL`,
      decision,
      decidedBy,
      decidedAt,
      note,
      remember,
      untrusted && JSON.stringify(untrusted),
      id,
    )
    this.#changed()
  }

  /** Closes the open requests of a run that ends. */
  cancelPending(runId: string, at: number): void {
    for (const { id } of this.pending(runId))
      this.decide(id, { ...AUTOMATIC_DECISION, decision: 'cancelled', decidedAt: at })
  }

  #changed(): void {
    this.#cached = null
    this.#row.countApprovalsChange()
  }

  /** The source name under which a tool's own results are recorded as untrusted content. */
  #sourceOf(name: string): string {
    const [listed] = this.#sql
      .exec<{ source: string }>('SELECT source FROM tools WHERE name = ? ORDER BY window DESC LIMIT 1', name)
      .toArray()
    // A deferred tool is in no window's list.
    return `${listed?.source ?? this.#revealed.sourceOf(name) ?? ''}:${name}`
  }

  /**
   * The remembered approval that covers this call in its run or thread. Null if no approval covers it, or
   * if untrusted content has since arrived from any source other than the tool itself.
   */
  findCovering(
    runId: string,
    name: string,
    same: string,
    untrusted: readonly string[],
  ): (Approval & Decision) | null {
    if (this.isEmpty) return null
    const ownSource = this.#sourceOf(name)
    const rows = this.#sql.exec<ApprovalRow>(
      `${SELECT_APPROVALS} WHERE same = ? AND decision = 'approve' AND untrusted IS NOT NULL AND (remember = 'thread' OR (remember = 'run' AND run_id = ?))`,
      same,
      runId,
    )
    for (const approval of rows.toArray().map(approvalOf)) {
      if (approval.decision === null || approval.untrusted === null) continue
      const allowedSources = [...approval.untrusted, ownSource]
      if (untrusted.every((source) => allowedSources.includes(source))) return approval
    }
    return null
  }

  /**
   * Must be called in the block that adds untrusted content: it ends remembered approvals, except those of
   * the tool that the content came from. This applies even to sources that were known at the decision,
   * because the person had not seen this content.
   */
  endRememberedApprovals(sources: readonly string[]): void {
    if (this.isEmpty || sources.length === 0) return
    const rows = this.#sql.exec<{ id: number; name: string }>(
      'SELECT id, name FROM approvals WHERE untrusted IS NOT NULL',
    )
    for (const { id, name } of rows.toArray()) {
      const ownSource = this.#sourceOf(name)
      if (sources.every((source) => source === ownSource)) continue
      this.#sql.exec('UPDATE approvals SET untrusted = NULL WHERE id = ?', id)
      this.#cached = null
    }
  }

  /** The approvals of a run as its receipt lists them. */
  receiptNotes(runId: string): readonly ApprovalNote[] {
    return this.#ofRun(runId).flatMap((approval): ApprovalNote[] => {
      if (approval.decision === null || approval.decision === 'cancelled' || approval.decision === 'changed')
        return []
      const { toolUseId, decision, decidedBy, decidedAt, remember, free, coveredBy } = approval
      const note = { tool_use_id: toolUseId, decision, by: decidedBy, at: rfc3339(decidedAt) }
      const covering = coveredBy === null ? null : this.#byId(coveredBy)
      return [
        {
          ...note,
          ...(remember ? { remember } : {}),
          ...(covering
            ? {
                remembered: {
                  run_id: covering.runId,
                  tool_use_id: covering.toolUseId,
                  digest: covering.digest,
                },
              }
            : {}),
          ...((remember || covering) && free.length > 0 ? { free } : {}),
        },
      ]
    })
  }

  #byId(id: number): Approval | null {
    const [row] = this.#sql.exec<ApprovalRow>(`${SELECT_APPROVALS} WHERE id = ?`, id).toArray()
    return row ? approvalOf(row) : null
  }
}

const NO_DECISION = { decision: null, decidedBy: null, decidedAt: null, coveredBy: null }
const COVERED_KEYS = ['decision', 'decidedBy', 'decidedAt', 'coveredBy'] as const

/** The fields of a decision that no person made. */
export const AUTOMATIC_DECISION = {
  decidedBy: 'system',
  note: null,
  remember: null,
  untrusted: null,
} as const
