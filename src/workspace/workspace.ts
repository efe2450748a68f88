// The Workspace object: a tenant's keys, thread list, hooks and usage. Not on a warm chat's path.

import { DurableObject } from 'cloudflare:workers'
import type { Usage } from '../agent/message.ts'
import type { Env } from '../env.ts'
import type { KeyRole } from '../lib/caller.ts'
import { rfc3339, systemClock } from '../lib/clock.ts'
import { hasSchema, migrate } from '../lib/migrate.ts'
import { ok } from '../lib/result.ts'
import type { Result } from '../lib/result.ts'
import type { HookInfo, KeyInfo, ThreadRecord, WorkspaceApi } from './api.ts'
import * as keys from './keys.ts'
import { WORKSPACE_MIGRATIONS } from './schema.ts'
import * as threads from './threads.ts'

export class Workspace extends DurableObject<Env> implements WorkspaceApi {
  #ready = false

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    if (hasSchema(ctx.storage.sql)) this.#open()
  }

  /** Tables are made by the first caller who was let in, so that guessed workspace names leave nothing behind. */
  #open(): SqlStorage {
    const { storage } = this.ctx
    if (!this.#ready) storage.transactionSync(() => migrate(storage.sql, WORKSPACE_MIGRATIONS))
    this.#ready = true
    return storage.sql
  }

  async verifyKey(
    keyId: string,
    secretHash: string,
  ): Promise<Result<{ readonly role: KeyRole; readonly user: string | null }>> {
    // Asked before anybody is authenticated: it must not write.
    if (!this.#ready) return keys.UNKNOWN_KEY
    return keys.verifyKey(this.#open(), keyId, secretHash)
  }

  async createKey(key: Parameters<WorkspaceApi['createKey']>[0]): Promise<Result<KeyInfo>> {
    return keys.createKey(this.#open(), key, rfc3339(systemClock()))
  }

  async listKeys(cursor: string | null, limit: number): ReturnType<WorkspaceApi['listKeys']> {
    return keys.listKeys(this.#open(), cursor, limit)
  }

  async revokeKey(keyId: string): Promise<Result<KeyInfo>> {
    return keys.revokeKey(this.#open(), keyId, rfc3339(systemClock()))
  }

  async record(
    thread: ThreadRecord,
    run: { readonly id: string; readonly usage: Usage } | null,
  ): Promise<Result<null>> {
    const sql = this.#open()
    this.ctx.storage.transactionSync(() => threads.record(sql, thread, run))
    return ok(null)
  }

  async forget(
    threadId: string,
    runs: readonly { readonly id: string; readonly usage: Usage }[] = [],
  ): Promise<Result<null>> {
    const sql = this.#open()
    this.ctx.storage.transactionSync(() => threads.forget(sql, threadId, runs, rfc3339(systemClock())))
    return ok(null)
  }

  async listThreads(
    owner: string | null,
    cursor: string | null,
    limit: number,
  ): ReturnType<WorkspaceApi['listThreads']> {
    return threads.listThreads(this.#open(), owner, cursor, limit)
  }

  async addHook(hook: HookInfo): Promise<Result<null>> {
    this.#open().exec(
      'INSERT INTO hooks (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name',
      hook.id,
      hook.name,
      hook.created_at,
    )
    return ok(null)
  }

  /** Idempotent: a hook that is not listed is removed already. */
  async removeHook(hookId: string): Promise<Result<null>> {
    this.#open().exec('DELETE FROM hooks WHERE id = ?', hookId)
    return ok(null)
  }

  async listHooks(): Promise<Result<readonly HookInfo[]>> {
    type Row = { id: string; name: string; created_at: string }
    const rows = this.#open().exec<Row>('SELECT id, name, created_at FROM hooks ORDER BY created_at, id')
    return ok(rows.toArray())
  }

  async usage(): Promise<Result<{ readonly runs: number; readonly usage: Usage }>> {
    return ok(threads.usage(this.#open()))
  }
}
