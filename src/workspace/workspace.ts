// The Workspace object: a tenant's keys, thread list, open runs, hooks, schedules, usage and settings. A chat request
// calls it in parallel with the catalog, and never waits for its disk writes.

import { DurableObject } from 'cloudflare:workers'
import { config, type Env } from '../env/env.ts'

import type { EndpointInfo } from '../callbacks/api.ts'
import { DAY_MS, rfc3339, systemClock } from '../lib/clock.ts'
import { hasSchema, migrate } from '../lib/migrate.ts'
import { ok, type Result } from '../lib/result.ts'
import { REVOKED_KEYS_MAX } from './limits.ts'
import type { SealedSecret } from '../secrets/stored.ts'
import { withDefaults, type StoredSettings, type WorkspaceSettings } from '../settings/settings.ts'
import type {
  FileSpace,
  HookInfo,
  KeyInfo,
  Listeners,
  ListedSchedule,
  OpenRun,
  RunRecord,
  StoredSecret,
  SettingsChange,
  ThreadRecord,
  UsageTotals,
  WaitingRecord,
  WorkspaceApi,
} from './api.ts'
import * as approvals from './approvals.ts'
import { setFileSpace } from './file-space.ts'
import * as endpoints from './endpoints.ts'
import * as hooks from './hooks.ts'
import * as keys from './keys.ts'
import * as mcpServers from './mcp-servers.ts'
import { OpenRuns } from './open-runs.ts'
import { WORKSPACE_MIGRATIONS } from './schema.ts'
import * as settingsRows from './settings.ts'
import * as schedules from './schedules.ts'
import * as search from './search.ts'
import * as secrets from './secrets.ts'
import { ThreadAdmissions } from './thread-admissions.ts'
import * as threads from './threads.ts'
import { listTrees } from './trees.ts'

type Args<K extends keyof WorkspaceApi> = Parameters<WorkspaceApi[K]>
type Answer<K extends keyof WorkspaceApi> = ReturnType<WorkspaceApi[K]>

export class Workspace extends DurableObject<Env> implements WorkspaceApi {
  #hasTables = false
  readonly #openRuns: OpenRuns
  readonly #threadAdmissions = new ThreadAdmissions(systemClock)
  /** The effective settings; null if not read yet. Only this object changes them. */
  #settings: WorkspaceSettings | null = null
  /** The listed endpoints; null if not read yet. Only this object changes them. */
  #endpoints: readonly EndpointInfo[] | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const rows = hasSchema(ctx.storage.sql) ? this.#open() : null
    this.#openRuns = new OpenRuns(
      config(env).perKey,
      systemClock,
      (ms, work) => setTimeout(work, ms),
      rows,
      () => this.#open(),
    )
  }

  /**
   * Creates the tables if necessary. Only called for authenticated callers, so that guessed workspace names
   * store nothing.
   */
  #open(): SqlStorage {
    const { storage } = this.ctx
    if (!this.#hasTables) storage.transactionSync(() => migrate(storage.sql, WORKSPACE_MIGRATIONS))
    this.#hasTables = true
    return storage.sql
  }

  get #limits(): WorkspaceSettings {
    if (this.#settings) return this.#settings
    const changed = this.#hasTables ? settingsRows.storedSettings(this.#open()).changed : {}
    this.#settings = withDefaults(config(this.env).defaults, changed)
    return this.#settings
  }

  async verifyKey(...args: Args<'verifyKey'>): Answer<'verifyKey'> {
    // This is called before authentication, so it must not write.
    if (!this.#hasTables) return keys.UNKNOWN_KEY
    return keys.verifyKey(this.#open(), ...args)
  }

  async createKey(key: Args<'createKey'>[0]): Promise<Result<KeyInfo>> {
    const created = keys.createKey(this.#open(), key, rfc3339(systemClock()))
    this.#sweepKeys()
    return created
  }

  async readKey(keyId: string): Promise<Result<KeyInfo>> {
    return keys.readKey(this.#open(), keyId)
  }

  async listKeys(cursor: string | null, limit: number): Answer<'listKeys'> {
    return keys.listKeys(this.#open(), cursor, limit)
  }

  async revokeKey(keyId: string): Promise<Result<KeyInfo>> {
    const revoked = keys.revokeKey(this.#open(), keyId, rfc3339(systemClock()))
    this.#sweepKeys()
    return revoked
  }

  /** Called whenever a key is created or revoked. */
  #sweepKeys(): void {
    const { revokedKeysDays } = config(this.env)
    const until = revokedKeysDays === null ? null : rfc3339(systemClock() - revokedKeysDays * DAY_MS)
    keys.sweepRevoked(this.#open(), until, REVOKED_KEYS_MAX)
  }

  async admit(run: OpenRun, accepted: boolean): Promise<Result<null>> {
    if (run.begins === true && !accepted) {
      const space = this.#admitThread(run.thread, run.key, run.run)
      if (!space.ok) return space
    }
    return this.#openRuns.admit(run, accepted)
  }

  async admitThread(threadId: string, key: string): Promise<Result<null>> {
    return this.#admitThread(threadId, key, null)
  }

  #admitThread(threadId: string, key: string, run: string | null): Result<null> {
    const sql = this.#hasTables ? this.#open() : null
    return this.#threadAdmissions.admit(sql, this.#limits.threads, threadId, key, run)
  }

  async resume(run: OpenRun): Promise<Result<number | null>> {
    return ok(this.#openRuns.resume(run))
  }

  async leave(threadId: string, runId: string): Promise<Result<null>> {
    this.#threadAdmissions.leave(threadId, runId)
    this.#openRuns.leave(threadId, runId)
    return ok(null)
  }

  async openThreads(): Promise<Result<readonly string[]>> {
    return ok(this.#openRuns.threads())
  }

  async record(thread: ThreadRecord, run: RunRecord | null): Promise<Result<Listeners>> {
    const sql = this.#open()
    const { threads: limits } = this.#limits
    this.ctx.storage.transactionSync(() => threads.record(sql, thread, run, systemClock(), limits))
    this.#threadAdmissions.removeAdmission(thread.info.id)
    if (run) this.#openRuns.leave(thread.info.id, run.id)
    return ok(this.#listeners())
  }

  async forget(threadId: string, runs: readonly RunRecord[] = []): Promise<Result<null>> {
    const sql = this.#open()
    this.ctx.storage.transactionSync(() => threads.forget(sql, threadId, runs, systemClock()))
    this.#threadAdmissions.removeAdmission(threadId)
    this.#openRuns.leaveAll(threadId)
    return ok(null)
  }

  async setFileSpace(space: FileSpace): Promise<Result<null>> {
    const sql = this.#open()
    const { files } = this.#limits
    return this.ctx.storage.transactionSync(() => setFileSpace(sql, space, files, systemClock()))
  }

  async listThreads(...args: Args<'listThreads'>): Answer<'listThreads'> {
    return threads.listThreads(this.#open(), ...args)
  }

  async listTrees(...args: Args<'listTrees'>): Answer<'listTrees'> {
    return listTrees(this.#open(), ...args)
  }

  async searchThreads(...args: Args<'searchThreads'>): Answer<'searchThreads'> {
    return search.searchThreads(this.#open(), ...args)
  }

  async recordApprovals(waiting: WaitingRecord): Promise<Result<Listeners>> {
    const sql = this.#open()
    this.ctx.storage.transactionSync(() => approvals.recordApprovals(sql, waiting))
    return ok(this.#listeners())
  }

  async listApprovals(owner: string | null, cursor: string | null, limit: number): Answer<'listApprovals'> {
    return approvals.listApprovals(this.#open(), owner, cursor, limit, rfc3339(systemClock()))
  }

  async addHook(hook: HookInfo): Promise<Result<null>> {
    hooks.addHook(this.#open(), hook)
    return ok(null)
  }

  async removeHook(hookId: string): Promise<Result<null>> {
    hooks.removeHook(this.#open(), hookId)
    return ok(null)
  }

  async listHooks(): Promise<Result<readonly HookInfo[]>> {
    return ok(hooks.listHooks(this.#open()))
  }

  /** Only threads with rows report, so the tables exist. */
  #listeners(): Listeners {
    this.#endpoints ??= endpoints.listEndpoints(this.#open())
    const listeners = this.#endpoints.filter(({ events }) => events.length > 0)
    return listeners.length === 0 ? null : listeners
  }

  async putEndpoint(endpoint: EndpointInfo): Promise<Result<null>> {
    this.#endpoints = null
    return endpoints.putEndpoint(this.#open(), endpoint)
  }

  async removeEndpoint(id: string): Promise<Result<null>> {
    this.#endpoints = null
    if (this.#hasTables) endpoints.removeEndpoint(this.#open(), id)
    return ok(null)
  }

  async listEndpoints(): Promise<Result<readonly EndpointInfo[]>> {
    return ok(this.#hasTables ? endpoints.listEndpoints(this.#open()) : [])
  }

  async addSchedule(schedule: ListedSchedule): Promise<Result<null>> {
    return schedules.addSchedule(this.#open(), schedule)
  }

  async removeSchedule(scheduleId: string): Promise<Result<null>> {
    schedules.removeSchedule(this.#open(), scheduleId)
    return ok(null)
  }

  async listSchedules(): Promise<Result<readonly ListedSchedule[]>> {
    return ok(schedules.listSchedules(this.#open()))
  }

  async usage(): Promise<Result<UsageTotals>> {
    return ok(threads.usage(this.#open()))
  }

  async settings(): Promise<Result<StoredSettings>> {
    return ok(this.#hasTables ? settingsRows.storedSettings(this.#open()) : settingsRows.NO_SETTINGS)
  }

  async changeSettings(change: SettingsChange): Promise<Result<StoredSettings>> {
    const sql = this.#open()
    this.#settings = null
    return this.ctx.storage.transactionSync(() =>
      settingsRows.changeSettings(sql, change, rfc3339(systemClock())),
    )
  }

  async settingsHistory(cursor: string | null, limit: number): Answer<'settingsHistory'> {
    return settingsRows.settingsHistory(this.#open(), cursor, limit)
  }

  async listSecrets(): Promise<Result<readonly StoredSecret[]>> {
    return ok(this.#hasTables ? secrets.listSecrets(this.#open()) : [])
  }

  async secret(name: string): Promise<Result<StoredSecret>> {
    return this.#hasTables ? secrets.storedSecret(this.#open(), name) : secrets.noSecret(name)
  }

  async sealedSecrets(names: readonly string[]): Promise<Result<readonly SealedSecret[]>> {
    return ok(this.#hasTables ? secrets.sealedSecrets(this.#open(), names) : [])
  }

  async putSecret(secret: SealedSecret, author: string): Promise<Result<StoredSecret>> {
    return secrets.putSecret(this.#open(), secret, author, rfc3339(systemClock()))
  }

  async resealSecret(from: SealedSecret, sealed: string): Promise<Result<null>> {
    if (this.#hasTables) secrets.resealSecret(this.#open(), from, sealed)
    return ok(null)
  }

  async deleteSecret(name: string): Promise<Result<null>> {
    return this.#hasTables ? secrets.deleteSecret(this.#open(), name) : secrets.noSecret(name)
  }

  async recordMcpServer(...[name, sighting]: Args<'recordMcpServer'>): Answer<'recordMcpServer'> {
    mcpServers.storeSighting(this.#open(), name, sighting, rfc3339(systemClock()))
    return ok(null)
  }

  async seenMcpServers(name: string | null): Answer<'seenMcpServers'> {
    return ok(this.#hasTables ? mcpServers.seenServers(this.#open(), name) : [])
  }
}
