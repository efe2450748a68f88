// What admins manage in a workspace: keys, hooks, endpoints, schedules, settings, secrets, MCP servers. Also the object's tables.

import { DurableObject } from 'cloudflare:workers'

import { RESTORING } from '../backup/restoring.ts'
import type { EndpointInfo } from '../callbacks/api.ts'
import { config, type Env } from '../env/env.ts'
import { DAY_MS, rfc3339, systemClock } from '../lib/clock.ts'
import { migrate } from '../lib/migrate.ts'
import { ok, type Result } from '../lib/result.ts'
import type { SealedSecret } from '../secrets/stored.ts'
import { withDefaults, type StoredSettings, type WorkspaceSettings } from '../settings/settings.ts'
import type {
  HookInfo,
  Listeners,
  ListedSchedule,
  SettingsChange,
  StoredSecret,
  WorkspaceApi,
} from './api.ts'
import * as endpoints from './endpoints.ts'
import * as hooks from './hooks.ts'
import type { KeyChange, KeyInfo } from './key-api.ts'
import * as keys from './keys.ts'
import { RETENTION_PAUSE_MS, REVOKED_KEYS_MAX } from './limits.ts'
import * as schedules from './schedules.ts'
import { WORKSPACE_MIGRATIONS } from './schema.ts'
import * as secrets from './secrets.ts'
import * as settingsRows from './settings.ts'
import type { AccessTokens } from './tokens.ts'
import { UsersInDeletion } from './users-in-deletion.ts'

export type Args<K extends keyof WorkspaceApi> = Parameters<WorkspaceApi[K]>
export type Answer<K extends keyof WorkspaceApi> = ReturnType<WorkspaceApi[K]>

export abstract class ManagedWorkspace extends DurableObject<Env> {
  protected hasTables = false
  protected isRestoring = false
  /** The effective settings; null if not read yet. Only this object changes them. */
  #settings: WorkspaceSettings | null = null
  /** The listed endpoints; null if not read yet. Only this object changes them. */
  #endpoints: readonly EndpointInfo[] | null = null
  #tokens: AccessTokens | null = null
  protected readonly usersInDeletion = new UsersInDeletion(() => (this.hasTables ? this.open() : null))

  /**
   * Creates the tables if necessary. Only called for authenticated callers, so that guessed workspace names
   * store nothing.
   */
  protected open(): SqlStorage {
    // A bug or a person could otherwise use incomplete data.
    if (this.isRestoring) throw new Error(RESTORING)
    return this.tables()
  }

  /** Like `open`, but also while a backup is being restored. */
  protected tables(): SqlStorage {
    const { storage } = this.ctx
    if (!this.hasTables) storage.transactionSync(() => migrate(storage.sql, WORKSPACE_MIGRATIONS))
    this.hasTables = true
    return storage.sql
  }

  /** Must be called when the rows were replaced. */
  protected forgetCaches(): void {
    this.#settings = null
    this.#endpoints = null
    this.usersInDeletion.changed()
  }

  protected get effectiveSettings(): WorkspaceSettings {
    if (this.#settings) return this.#settings
    const changed = this.hasTables ? settingsRows.storedSettings(this.tables()).changed : {}
    this.#settings = withDefaults(config(this.env).defaults, changed)
    return this.#settings
  }

  async verifyKey(...[keyId, secretHash]: Args<'verifyKey'>): Answer<'verifyKey'> {
    // This is called before authentication, so it must not create tables.
    if (!this.hasTables) return keys.UNKNOWN_KEY
    return keys.verifyKey(this.open(), keyId, secretHash, systemClock())
  }

  async createKey(key: Args<'createKey'>[0]): Promise<Result<KeyInfo>> {
    const refused = this.usersInDeletion.checkUser(key.user)
    if (refused) return refused
    const created = keys.createKey(this.open(), key, rfc3339(systemClock()))
    this.#sweepKeys()
    return created
  }

  async readKey(keyId: string): Promise<Result<KeyInfo>> {
    return keys.readKey(this.open(), keyId, rfc3339(systemClock()))
  }

  async listKeys(...args: Args<'listKeys'>): Answer<'listKeys'> {
    return keys.listKeys(this.open(), ...args, rfc3339(systemClock()))
  }

  async changeKey(keyId: string, change: KeyChange): Promise<Result<KeyInfo>> {
    return keys.changeKey(this.open(), keyId, change, rfc3339(systemClock()))
  }

  async rotateKey(keyId: string, secretHash: string, overlapS: number): Promise<Result<KeyInfo>> {
    const now = systemClock()
    return keys.rotateKey(this.open(), keyId, secretHash, rfc3339(now + overlapS * 1000), rfc3339(now))
  }

  async revokeKey(keyId: string): Promise<Result<KeyInfo>> {
    const revoked = keys.revokeKey(this.open(), keyId, rfc3339(systemClock()))
    this.#sweepKeys()
    return revoked
  }

  /** Called whenever a key is created or revoked. */
  #sweepKeys(): void {
    const { revokedKeysDays } = config(this.env)
    const now = systemClock()
    const until = revokedKeysDays === null ? null : rfc3339(now - revokedKeysDays * DAY_MS)
    keys.sweepEnded(this.open(), until, REVOKED_KEYS_MAX, rfc3339(now))
  }

  async addHook(hook: HookInfo): Promise<Result<null>> {
    hooks.addHook(this.open(), hook)
    return ok(null)
  }

  async removeHook(hookId: string): Promise<Result<null>> {
    hooks.removeHook(this.open(), hookId)
    return ok(null)
  }

  async listHooks(): Promise<Result<readonly HookInfo[]>> {
    return ok(hooks.listHooks(this.open()))
  }

  /** Only threads with rows report, so the tables exist. */
  protected listeners(): Listeners {
    // Nobody is notified of runs that end because they were restored.
    if (this.isRestoring) return null
    this.#endpoints ??= endpoints.listEndpoints(this.open())
    const listeners = this.#endpoints.filter(({ events }) => events.length > 0)
    return listeners.length === 0 ? null : listeners
  }

  async putEndpoint(endpoint: EndpointInfo): Promise<Result<null>> {
    this.#endpoints = null
    return endpoints.putEndpoint(this.open(), endpoint)
  }

  async removeEndpoint(id: string): Promise<Result<null>> {
    this.#endpoints = null
    if (this.hasTables) endpoints.removeEndpoint(this.open(), id)
    return ok(null)
  }

  async listEndpoints(): Promise<Result<readonly EndpointInfo[]>> {
    return ok(this.hasTables ? endpoints.listEndpoints(this.open()) : [])
  }

  async addSchedule(schedule: ListedSchedule): Promise<Result<null>> {
    return schedules.addSchedule(this.open(), schedule)
  }

  async removeSchedule(scheduleId: string): Promise<Result<null>> {
    schedules.removeSchedule(this.open(), scheduleId)
    return ok(null)
  }

  async listSchedules(): Promise<Result<readonly ListedSchedule[]>> {
    return ok(schedules.listSchedules(this.open()))
  }

  async settings(): Promise<Result<StoredSettings>> {
    return ok(this.hasTables ? settingsRows.storedSettings(this.open()) : settingsRows.NO_SETTINGS)
  }

  async changeSettings(change: SettingsChange): Promise<Result<StoredSettings>> {
    const sql = this.open()
    this.#settings = null
    const changed = this.ctx.storage.transactionSync(() =>
      settingsRows.changeSettings(sql, change, rfc3339(systemClock())),
    )
    if (this.effectiveSettings.retention.thread_days !== null)
      await this.wakeBy(systemClock() + RETENTION_PAUSE_MS)
    return changed
  }

  /** Lets the alarm do its work at this time at the latest. Called only by requests. */
  protected async wakeBy(at: number): Promise<void> {
    this.open().exec('INSERT OR REPLACE INTO background (k, workspace) VALUES (1, ?)', this.ctx.id.name ?? '')
    const known = await this.ctx.storage.getAlarm()
    if (known === null || known > at) await this.ctx.storage.setAlarm(at)
  }

  async deleteUser(user: string): Answer<'deleteUser'> {
    const { deleteUser } = await import('./user-deletion.ts')
    this.open()
    const begun = await deleteUser(this.ctx.storage, this.ctx.id.name ?? '', user, systemClock())
    this.usersInDeletion.changed()
    if (begun.ok) await this.wakeBy(systemClock())
    return begun
  }

  async userDeletion(user: string): Answer<'userDeletion'> {
    const { showDeletion } = await import('./user-deletion.ts')
    return showDeletion(this.open(), this.ctx.id.name ?? '', user)
  }

  async settingsHistory(cursor: string | null, limit: number): Answer<'settingsHistory'> {
    return settingsRows.settingsHistory(this.open(), cursor, limit)
  }

  async listSecrets(): Promise<Result<readonly StoredSecret[]>> {
    return ok(this.hasTables ? secrets.listSecrets(this.open()) : [])
  }

  async secret(name: string): Promise<Result<StoredSecret>> {
    return this.hasTables ? secrets.storedSecret(this.open(), name) : secrets.noSecret(name)
  }

  async sealedSecrets(names: readonly string[]): Promise<Result<readonly SealedSecret[]>> {
    return ok(this.hasTables ? secrets.sealedSecrets(this.open(), names) : [])
  }

  async putSecret(secret: SealedSecret, author: string): Promise<Result<StoredSecret>> {
    return secrets.putSecret(this.open(), secret, author, rfc3339(systemClock()))
  }

  async resealSecret(from: SealedSecret, sealed: string): Promise<Result<null>> {
    if (this.hasTables) secrets.resealSecret(this.open(), from, sealed)
    return ok(null)
  }

  async deleteSecret(name: string): Promise<Result<null>> {
    return this.hasTables ? secrets.deleteSecret(this.open(), name) : secrets.noSecret(name)
  }

  async recordMcpServer(...[name, observation]: Args<'recordMcpServer'>): Answer<'recordMcpServer'> {
    const { storeObservation } = await import('./mcp-servers.ts')
    storeObservation(this.open(), name, observation, rfc3339(systemClock()))
    return ok(null)
  }

  async seenMcpServers(name: string | null): Answer<'seenMcpServers'> {
    const { seenServers } = await import('./mcp-servers.ts')
    return ok(this.hasTables ? seenServers(this.open(), name) : [])
  }

  async token(request: Args<'token'>[0]): Answer<'token'> {
    const { AccessTokens } = await import('./tokens.ts')
    this.#tokens ??= new AccessTokens(systemClock)
    return this.#tokens.ask(this.open(), request)
  }
}
