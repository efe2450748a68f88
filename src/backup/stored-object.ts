// The base class of objects that exist once they are configured: hooks, schedules and endpoints. Opens their tables,
// and backs them up and restores them.

import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../env/env.ts'
import { systemClock } from '../lib/clock.ts'
import { hasSchema, migrate } from '../lib/migrate.ts'
import { fail, type Result } from '../lib/result.ts'
import type { BackupApi, RestoredPage, RowsPage } from './api.ts'
import type { RestoredObject } from './restore.ts'
import { isRestoring } from './restoring.ts'

export interface ObjectRules extends Pick<RestoredObject, 'tables' | 'migrations' | 'nameOf'> {
  /** Pauses what waits, because the deployment of the backup may have handled it since. */
  readonly pause: (sql: SqlStorage) => void
}

export abstract class StoredObject extends DurableObject<Env> implements BackupApi {
  /** False without rows, or with incomplete ones. There are no tables before, so requests for unknown IDs store nothing. */
  protected isConfigured: boolean
  readonly #rules: ObjectRules

  constructor(ctx: DurableObjectState, env: Env, rules: ObjectRules) {
    super(ctx, env)
    const { storage } = ctx
    this.#rules = rules
    this.isConfigured = this.#isWhole()
    if (this.isConfigured) storage.transactionSync(() => migrate(storage.sql, rules.migrations))
  }

  #isWhole(): boolean {
    const { sql } = this.ctx.storage
    return hasSchema(sql) && !isRestoring(sql)
  }

  async backupRows(cursor: string | null): Promise<Result<RowsPage>> {
    const { readRows } = await import('./read.ts')
    if (!this.isConfigured) return fail('not_found', 'There is no such object.')
    return readRows(this.ctx.storage.sql, this.#rules.tables, cursor)
  }

  async restoreRows(page: RestoredPage): Promise<Result<null>> {
    const { restorePage, unmarkAfter } = await import('./restore.ts')
    const { storage, id } = this.ctx
    const complete = unmarkAfter(this.#rules.pause)
    const restored = restorePage({ ...this.#rules, storage, name: id.name ?? '', complete }, page)
    this.isConfigured = this.#isWhole()
    // The alarm handler then sets the alarm for rows that expire.
    if (this.isConfigured) await storage.setAlarm(systemClock())
    return restored
  }
}
