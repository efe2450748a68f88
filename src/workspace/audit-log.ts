// The audit of one workspace: what it records, lists and passes on. Creates its tables with the first record.

import type { EndpointInfo } from '../callbacks/api.ts'
import type { Env } from '../env/env.ts'
import type { Clock } from '../lib/clock.ts'
import { redact } from '../lib/redact.ts'
import { ok, type Result } from '../lib/result.ts'
import { statements } from '../lib/tables.ts'
import type { Page } from '../thread/api.ts'
import type { AuditApi, AuditEntry, AuditFilter, FailedSignIns, NewAction } from './audit-api.ts'
import { announceActions } from './audit-events.ts'
import { completeAction, insertAction, listAudit } from './audit.ts'
import { AUDIT_TABLES } from './audit-schema.ts'
import { FailedSignInCounts, listFailedSignIns } from './failed-sign-ins.ts'

interface AuditPorts {
  readonly ctx: Pick<DurableObjectState, 'storage' | 'waitUntil'>
  readonly env: Env
  readonly sql: SqlStorage
  readonly now: Clock
  readonly listeners: () => readonly EndpointInfo[]
  /** Actions and failed sign-ins from before this time are not shown any more (epoch milliseconds). */
  readonly keepAfter: () => number
}

const NOTHING = ok({ data: [], next_cursor: null })

export class AuditLog {
  readonly #ports: AuditPorts
  readonly #counts = new FailedSignInCounts()
  #hasTables: boolean

  constructor(ports: AuditPorts) {
    this.#ports = ports
    const tables = ports.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'audit'").toArray()
    this.#hasTables = tables.length > 0
  }

  /** Runs `work` in a transaction, with the tables. */
  #write<T>(work: (sql: SqlStorage) => T): T {
    const { ctx, sql } = this.#ports
    const result = ctx.storage.transactionSync(() => {
      if (!this.#hasTables) sql.exec(statements(AUDIT_TABLES))
      return work(sql)
    })
    this.#hasTables = true
    return result
  }

  #subscribers(): readonly EndpointInfo[] {
    return this.#ports.listeners().filter(({ events }) => events.includes('audit.recorded'))
  }

  /** See AuditApi. */
  begin(action: NewAction): number {
    const { now, keepAfter } = this.#ports
    const isHeard = this.#subscribers().length > 0
    return this.#write((sql) => insertAction(sql, action, isHeard, now(), keepAfter()))
  }

  /** See AuditApi. */
  end(...[workspace, id, outcome]: Parameters<AuditApi['endAction']>): void {
    const { ctx, env, now } = this.#ports
    this.#write((sql) => completeAction(sql, id, outcome))
    const subscribers = this.#subscribers()
    if (subscribers.length > 0)
      ctx.waitUntil(announceActions(this.#ports.sql, env, workspace, subscribers, now()))
  }

  list(filter: AuditFilter, cursor: string | null, limit: number): Result<Page<AuditEntry>> {
    const { sql, keepAfter } = this.#ports
    return this.#hasTables ? listAudit(sql, filter, keepAfter(), cursor, limit) : NOTHING
  }

  /** Never throws, so that a full disk does not change the response to a wrong key. */
  countFailedSignIn(network: string, key: string): void {
    try {
      this.#write((sql) => this.#counts.add(sql, network, key, this.#ports.now()))
    } catch (error) {
      console.error(JSON.stringify({ at: 'audit', error: redact(String(error)) }))
    }
  }

  failedSignIns(cursor: string | null, limit: number): Result<Page<FailedSignIns>> {
    const { sql, keepAfter } = this.#ports
    if (!this.#hasTables) return NOTHING
    this.#counts.write(sql)
    return listFailedSignIns(sql, keepAfter(), cursor, limit)
  }
}
