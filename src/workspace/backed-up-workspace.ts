// The workspace's part in backups: it returns its rows and the IDs of all objects, and is closed while a backup is
// restored.

import type { RestoredPage, RowsPage } from '../backup/api.ts'
import { objects } from '../env/env.ts'
import { DAY_MS, systemClock } from '../lib/clock.ts'
import { ok, type Result } from '../lib/result.ts'
import { AuditedWorkspace } from './audited-workspace.ts'
import type { Answer } from './managed-workspace.ts'

export abstract class BackedUpWorkspace extends AuditedWorkspace {
  async backupContents(): Answer<'backupContents'> {
    const { backupContents } = await import('./backup.ts')
    return ok(backupContents(this.open()))
  }

  async backupRows(cursor: string | null): Promise<Result<RowsPage>> {
    const { readWorkspace } = await import('./backup.ts')
    return readWorkspace(this.open(), cursor)
  }

  async beginRestore(archive: string): Promise<Result<null>> {
    const { closeWorkspace, mayRestore } = await import('./restore.ts')
    const sql = this.tables()
    const allowed = mayRestore(sql, archive)
    if (!allowed.ok) return allowed
    const catalog = objects(this.env).catalog(this.ctx.id.name ?? '')
    const closed = await catalog.beginRestore()
    if (!closed.ok) return closed
    // State may have changed during that wait.
    const stillAllowed = mayRestore(sql, archive)
    if (stillAllowed.ok) closeWorkspace(sql, archive)
    else if (!this.isRestoring) await catalog.finishRestore()
    this.isRestoring ||= stillAllowed.ok
    return stillAllowed
  }

  async isRestored(object: string): Promise<Result<boolean>> {
    const { isRestored, NOT_BEGUN } = await import('./restore.ts')
    return this.isRestoring ? isRestored(this.tables(), object) : NOT_BEGUN
  }

  async markRestored(object: string): Promise<Result<null>> {
    const { markRestored, NOT_BEGUN } = await import('./restore.ts')
    return this.isRestoring ? markRestored(this.tables(), object) : NOT_BEGUN
  }

  async restoreRows(page: RestoredPage): Promise<Result<null>> {
    const { restoreWorkspace } = await import('./restore.ts')
    return restoreWorkspace(this.ctx.storage, page)
  }

  async finishRestore(missing: readonly string[]): Promise<Result<null>> {
    const { checkRestored, openWorkspace, NOT_BEGUN } = await import('./restore.ts')
    if (!this.isRestoring) return NOT_BEGUN
    const checked = checkRestored(this.tables(), missing)
    if (!checked.ok) return checked
    // The catalog is opened first, because this request can be repeated only as long as the workspace is closed.
    const opened = await objects(this.env)
      .catalog(this.ctx.id.name ?? '')
      .finishRestore()
    if (!opened.ok) return opened
    if (!this.isRestoring) return NOT_BEGUN // a copy of this request was faster
    this.forgetCaches()
    const now = systemClock()
    const keepAfter = now - this.effectiveSettings.retention.run_days * DAY_MS
    openWorkspace(this.ctx.storage, missing, now, keepAfter)
    this.isRestoring = false
    this.forgetCaches()
    // Deletions of users and of unused threads continue.
    await this.wakeBy(now)
    return ok(null)
  }
}
