// Gives the workspace its audit, which is imported when it is needed, because chats need none of it.

import { DAY_MS, systemClock } from '../lib/clock.ts'
import type { AuditLog } from './audit-log.ts'
import { CappedWorkspace } from './capped-workspace.ts'
import type { Answer, Args } from './managed-workspace.ts'

export abstract class AuditedWorkspace extends CappedWorkspace {
  #log: AuditLog | null = null

  async #audit(): Promise<AuditLog> {
    const { AuditLog } = await import('./audit-log.ts')
    this.#log ??= new AuditLog({
      ctx: this.ctx,
      env: this.env,
      sql: this.tables(),
      now: systemClock,
      listeners: () => this.listeners() ?? [],
      keepAfter: () => systemClock() - this.effectiveSettings.retention.audit_days * DAY_MS,
    })
    return this.#log
  }

  protected override forgetCaches(): void {
    super.forgetCaches()
    this.#log = null
  }

  override async verifyKey(...[keyId, secretHash, network]: Args<'verifyKey'>): Answer<'verifyKey'> {
    const verified = await super.verifyKey(keyId, secretHash)
    // A workspace without tables has no keys. Guesses must store nothing in it.
    if (!verified.ok && network !== undefined && this.hasTables)
      (await this.#audit()).countFailedSignIn(network, keyId)
    return verified
  }

  async beginAction(...args: Args<'beginAction'>): Answer<'beginAction'> {
    return (await this.#audit()).begin(...args)
  }

  async endAction(...args: Args<'endAction'>): Answer<'endAction'> {
    return (await this.#audit()).end(...args)
  }

  async listAudit(...args: Args<'listAudit'>): Answer<'listAudit'> {
    return (await this.#audit()).list(...args)
  }

  async listFailedSignIns(...args: Args<'listFailedSignIns'>): Answer<'listFailedSignIns'> {
    return (await this.#audit()).failedSignIns(...args)
  }
}
