// Requests for a person's approval: asked once for each state of a call, decided once. Never decides by itself.

import type { ApprovalNote } from '../../agent/events.ts'
import type { AllowedHost } from '../../agent/link-budget.ts'
import { rfc3339 } from '../../lib/clock.ts'
import {
  approvalOf,
  ASKED_KEYS,
  SELECT_APPROVALS,
  type Approval,
  type ApprovalRow,
  type ApprovalRequest,
  type Decision,
} from './approval.ts'
import { insertRow } from './columns.ts'
import type { CallKey } from './journal.ts'
import type { ThreadRow } from './thread-row.ts'

export class Approvals {
  readonly #sql: SqlStorage
  readonly #row: Pick<ThreadRow, 'data' | 'approvalsChanged'>
  /** Those of the run that was asked for last, as their rows stand: this object is their only writer. */
  #kept: { readonly runId: string; readonly all: readonly Approval[] } | null = null

  /** `row`: counts their changes, so that a thread without any reads nothing. */
  constructor(sql: SqlStorage, row: Pick<ThreadRow, 'data' | 'approvalsChanged'>) {
    this.#sql = sql
    this.#row = row
  }

  /** What is kept in memory may be wrong: the rows say what is right. */
  reread(): void {
    this.#kept = null
  }

  /** There never was one in this thread. */
  get none(): boolean {
    return this.#row.data.approvalsChange === 0
  }

  /** Of a run, in the order in which they were asked for. */
  #of(runId: string): readonly Approval[] {
    if (this.none) return []
    if (this.#kept?.runId !== runId) {
      const rows = this.#sql
        .exec<ApprovalRow>(`${SELECT_APPROVALS} WHERE run_id = ? ORDER BY id`, runId)
        .toArray()
      this.#kept = { runId, all: rows.map(approvalOf) }
    }
    return this.#kept.all
  }

  /** Those that wait for an answer. */
  pending(runId: string): readonly Approval[] {
    return this.#of(runId).filter(({ decision }) => decision === null)
  }

  /** The newest of a call. */
  newest({ runId, message, ord }: CallKey): Approval | null {
    return this.#of(runId).findLast((one) => one.message === message && one.ord === ord) ?? null
  }

  /** The newest of the run that is about all links of this host. */
  ofHost(runId: string, host: string): Approval | null {
    return this.#of(runId).findLast((one) => one.host === host) ?? null
  }

  /** Hosts whose links a person allowed this run, from these calls on. */
  hostsAllowed(runId: string): readonly AllowedHost[] {
    return this.#of(runId).flatMap(({ host, message, ord, decision }) =>
      host !== null && decision === 'approve' ? [{ host, message, ord }] : [],
    )
  }

  /** Number of the first message one of whose calls a person refused with words, which the model reads; null: none. */
  firstNote(): number | null {
    if (this.none) return null
    const [row] = this.#sql.exec<{ first: number | null }>(
      'SELECT min(message) AS first FROM approvals WHERE note IS NOT NULL',
    )
    return row?.first ?? null
  }

  /**
   * The newest under this id, as a model may use one again; with a digest the newest of that request, which is of one call
   * alone. Null: nothing was asked under it.
   */
  named(runId: string, toolUseId: string, digest: string | null): Approval | null {
    return (
      this.#of(runId).findLast(
        (one) =>
          one.toolUseId === toolUseId && one.coveredBy === null && (digest === null || one.digest === digest),
      ) ?? null
    )
  }

  /** In one block with the call's state. */
  ask(asked: ApprovalRequest): void {
    this.#insert(asked)
    this.#changed()
  }

  #insert(asked: ApprovalRequest, yes: (Approval & Decision) | null = null): void {
    const input = asked.input === null ? null : [asked.input]
    const decided = yes && {
      decision: 'approve',
      decidedBy: yes.decidedBy,
      decidedAt: yes.decidedAt,
      coveredBy: yes.id,
    }
    const record = { ...asked, ...NOT_DECIDED, input, ...decided }
    insertRow(this.#sql, 'approvals', [...ASKED_KEYS, ...KEYS_OF_YES], record)
  }

  /** For the receipt: nobody is asked about this call, because of that yes. Nothing waits, so the workspace hears nothing. */
  cover(asked: ApprovalRequest, yes: Approval & Decision): void {
    const before = this.newest(asked)
    if (before?.coveredBy === yes.id && before.digest === asked.digest) return
    this.#insert(asked, yes)
    this.#kept = null
  }

  /** Once: what was decided stays. */
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

  /** Its run ends: nobody can answer any more. */
  close(runId: string, at: number): void {
    for (const { id } of this.pending(runId))
      this.decide(id, { ...BY_ITSELF, decision: 'cancelled', decidedAt: at })
  }

  #changed(): void {
    this.#kept = null
    this.#row.approvalsChanged()
  }

  /** What the tool's own answers are called among the sources of untrusted content. */
  #sourceOf(name: string): string {
    const [row] = this.#sql
      .exec<{ source: string }>('SELECT source FROM tools WHERE name = ?', name)
      .toArray()
    return `${row?.source ?? ''}:${name}`
  }

  /** The yes to this very call that is remembered for its run or the thread; null where untrusted content came since but the tool's own. */
  covering(
    runId: string,
    name: string,
    same: string,
    untrusted: readonly string[],
  ): (Approval & Decision) | null {
    if (this.none) return null
    const own = this.#sourceOf(name)
    const rows = this.#sql.exec<ApprovalRow>(
      `${SELECT_APPROVALS} WHERE same = ? AND decision = 'approve' AND untrusted IS NOT NULL AND (remember = 'thread' OR (remember = 'run' AND run_id = ?))`,
      same,
      runId,
    )
    for (const one of rows.toArray().map(approvalOf)) {
      if (one.decision === null || one.untrusted === null) continue
      const known = [...one.untrusted, own]
      if (untrusted.every((source) => known.includes(source))) return one
    }
    return null
  }

  /**
   * Text from untrusted came: what was to be remembered ends, but where it is the tool's own answer. Also where more came
   * from a place that was known when a person decided, or was read only now: they had not read that. In one block with the
   * text.
   */
  untrustedAdded(sources: readonly string[]): void {
    if (this.none || sources.length === 0) return
    const rows = this.#sql.exec<{ id: number; name: string }>(
      'SELECT id, name FROM approvals WHERE untrusted IS NOT NULL',
    )
    for (const { id, name } of rows.toArray()) {
      const own = this.#sourceOf(name)
      if (sources.every((source) => source === own)) continue
      this.#sql.exec('UPDATE approvals SET untrusted = NULL WHERE id = ?', id)
      this.#kept = null
    }
  }

  /** For the receipt. */
  notes(runId: string): readonly ApprovalNote[] {
    return this.#of(runId).flatMap((one): ApprovalNote[] => {
      if (one.decision === null || one.decision === 'cancelled' || one.decision === 'changed') return []
      const { toolUseId, decision, decidedBy, decidedAt, remember, free, coveredBy } = one
      const note = { tool_use_id: toolUseId, decision, by: decidedBy, at: rfc3339(decidedAt) }
      const yes = coveredBy === null ? null : this.#byId(coveredBy)
      return [
        {
          ...note,
          ...(remember ? { remember } : {}),
          ...(yes
            ? { remembered: { run_id: yes.runId, tool_use_id: yes.toolUseId, digest: yes.digest } }
            : {}),
          ...((remember || yes) && free.length > 0 ? { free } : {}),
        },
      ]
    })
  }

  #byId(id: number): Approval | null {
    const [row] = this.#sql.exec<ApprovalRow>(`${SELECT_APPROVALS} WHERE id = ?`, id).toArray()
    return row ? approvalOf(row) : null
  }
}

const NOT_DECIDED = { decision: null, decidedBy: null, decidedAt: null, coveredBy: null }
const KEYS_OF_YES = ['decision', 'decidedBy', 'decidedAt', 'coveredBy'] as const

/** What nobody decided. */
export const BY_ITSELF = { decidedBy: 'system', note: null, remember: null, untrusted: null } as const
