// The RPC interface of a Workspace object: keys, the list of threads, hooks, usage and settings.

import type { KeyRole, KeyTools } from '../lib/caller.ts'
import type { EndpointInfo } from '../callbacks/api.ts'
import type { Result } from '../lib/result.ts'
import type { SettingsPatch, SettingsVersion, StoredSettings } from '../settings/settings.ts'
import type { SealedSecret } from '../secrets/stored.ts'
import type { SealedToken, TokenRequest } from '../secrets/tokens.ts'
import type { ApprovalInfo } from '../thread/approvals/api.ts'
import type { Page, ThreadInfo, ThreadTree } from '../thread/api.ts'
import type { McpListing, McpObservation } from '../tools/mcp/observation.ts'
import type { AuditApi } from './audit-api.ts'
import type { BudgetMaximum, CapApi, Caps, DaySpend, Lease, LeaseWish } from './cap-api.ts'
import type { RestoreApi } from './restore-api.ts'
import type { CountReport } from './count-api.ts'
import type { KeyChange, KeyInfo, KeyState, VerifiedKey } from './key-api.ts'
import type { RunFilter, RunInfo, RunRecord, UsageQuery, UsageReport } from './run-api.ts'
import type { UserDataApi } from './user-api.ts'

/** The beginning of a message's text, with the message's number. */
export interface TextRecord {
  readonly position: number
  readonly text: string
}

/** A thread's report about itself. The list of threads is built from these reports. */
export interface ThreadRecord {
  /** Texts for search, of messages that were not reported before. Absent if there are none. */
  readonly texts?: readonly TextRecord[]
  /** Who may see the thread: the user for whom its key acts, or the key itself. */
  readonly owner: string
  /** The key or hook that created the thread. */
  readonly made_by: string
  readonly info: ThreadInfo
}

/** The runs of a deleted thread: `runs` are those that it did not report, `ids` all of them. */
export interface ForgottenRuns {
  readonly runs: readonly RunRecord[]
  readonly ids: readonly string[]
}

export interface HookInfo {
  readonly id: string
  readonly name: string
  readonly created_at: string
}

/** A schedule as the workspace lists it. Its object stores everything else. */
export interface ListedSchedule {
  readonly id: string
  readonly created_at: string
}

/** A run that has not ended, as its thread reports it. */
export interface OpenRun {
  readonly thread: string
  readonly run: string
  /** The credential that requested the run. */
  readonly key: string
  /** Whether the run waits in its thread's queue. */
  readonly queued: boolean
  /** Epoch milliseconds after which the run no longer counts, even if its end is never reported. */
  readonly until: number
  /** Whether the run begins a thread that is not in the list yet. */
  readonly begins?: boolean
}

/** All calls of a thread that wait for an approval, as the thread reports them. */
export interface WaitingRecord {
  readonly thread: string
  readonly owner: string
  readonly created_at: string
  /** The number of this report. An older report changes nothing. */
  readonly change: number
  readonly approvals: readonly ApprovalInfo[]
}

/** The space that a thread requests for its files: its total, not a difference. */
export interface FileSpace {
  readonly thread: string
  /** The key or hook that created the thread. */
  readonly key: string
  /** When the thread was created (epoch milliseconds). */
  readonly made_at: number
  /** The number of this request. An older request changes nothing. */
  readonly change: number
  /** Total bytes of the thread's files. */
  readonly kept: number
  /** Like `kept`, but including bytes in transit and bytes that have yet to be deleted from the store. */
  readonly stored: number
}

export interface SettingsChange {
  readonly author: string
  /** Matches SettingsPatchSchema. */
  readonly patch: SettingsPatch
  /** The version that must be the current version, or undefined if the change applies to any version. */
  readonly expectedVersion: number | undefined
}

/** A secret without its value. `sealed` must never be shown. */
export interface StoredSecret extends SealedSecret {
  readonly created_at: string
  readonly updated_at: string
  readonly updated_by: string
}

/** What was last seen of an MCP server at this address. */
export interface SeenMcpServer {
  readonly name: string
  readonly url: string
  /** When it last answered. */
  readonly seen_at: string | null
  /** Why the last attempt to use it failed. */
  readonly error: { readonly at: string; readonly detail: string } | null
  readonly listing: McpListing | null
}

/** A thread that a search found, with its newest matching text; null if only its title matches. */
export interface ThreadHit extends ThreadInfo {
  readonly text: string | null
}

/** The endpoints that receive events of the workspace; null if there is none. */
export type Listeners = readonly EndpointInfo[] | null

export interface WorkspaceApi extends AuditApi, CapApi, UserDataApi, RestoreApi {
  /**
   * `secretHash` is the SHA-256 of the key's secret part in hex. Fails with `unauthenticated` if the key is
   * unknown, expired or revoked, or if its secret is wrong. Records the hour of a valid use, and counts a failure for
   * `network` (/24 or /48).
   */
  verifyKey(keyId: string, secretHash: string, network?: string): Promise<Result<VerifiedKey>>
  createKey(key: {
    readonly id: string
    readonly secretHash: string
    readonly role: KeyRole
    readonly user: string | null
    readonly note: string | null
    readonly tools?: KeyTools | null
    readonly models?: readonly string[] | null
    readonly expires_at?: string | null
    readonly caps?: Caps | null
    readonly max_budget?: BudgetMaximum | null
  }): Promise<Result<KeyInfo>>
  /** Fails with `unauthenticated` if there is no such key. */
  readKey(keyId: string): Promise<Result<KeyInfo>>
  /** Lists keys, newest first; only those in `state`, unless it is null. */
  listKeys(state: KeyState | null, cursor: string | null, limit: number): Promise<Result<Page<KeyInfo>>>
  /** Fails with `not_found` if there is no such key, like the next two methods. */
  changeKey(keyId: string, change: KeyChange): Promise<Result<KeyInfo>>
  /**
   * Replaces the secret. The old one stays valid for `overlapS` seconds; an older one stops at once. Fails with `gone` if
   * the key is revoked or has expired.
   */
  rotateKey(keyId: string, secretHash: string, overlapS: number): Promise<Result<KeyInfo>>
  revokeKey(keyId: string): Promise<Result<KeyInfo>>
  /**
   * Counts a run for its key, or refuses it with `too_many_runs`, or with `storage_full` if it would begin
   * one thread too many. Does not wait for the disk. `accepted` is true if the run is already open and only
   * reported. Idempotent by thread and run. Returns its first lease if caps apply and it has a wish; fails with
   * `quota_exceeded` if they leave less than it needs. The lease is then on disk. A queued run gets none yet.
   */
  admit(run: OpenRun, accepted: boolean, wish?: LeaseWish): Promise<Result<Lease | null>>
  /**
   * Temporarily counts a thread that is about to be created without a run. Fails with `storage_full` if the
   * workspace or this key has the maximum number of threads. Idempotent by thread.
   */
  admitThread(threadId: string, key: string): Promise<Result<null>>
  /**
   * Requests a slot for an accepted run that has none. Returns its first lease if it got one, which is null if no caps apply or
   * it has no wish; otherwise the time until the next request in milliseconds. Decided from memory, and idempotent by thread and
   * run. A key's runs get slots in the order of their first requests. Fails with `quota_exceeded` like admit().
   */
  resume(run: OpenRun, wish?: LeaseWish): Promise<Result<number | Lease | null>>
  /** Releases a run that was not created or that waits, and what it may spend beyond `spent`. */
  leave(threadId: string, runId: string, spent?: readonly DaySpend[]): Promise<Result<null>>
  /** Returns the threads that have an open run. */
  openThreads(): Promise<Result<readonly string[]>>
  /**
   * Records the state of a thread, and a run that has ended. Idempotent: a run is recorded once, however often it is
   * reported. Returns who is notified of the run.
   */
  record(thread: ThreadRecord, run: RunRecord | null): Promise<Result<Listeners>>
  /**
   * Removes a deleted thread. Its unreported runs are recorded as in record(), in the same block; then the rows of all its
   * runs lose thread, user and skills. Idempotent. Returns the IDs of all endpoints, which may have events of the thread.
   */
  forget(threadId: string, runs: ForgottenRuns): Promise<Result<readonly string[]>>
  /** Changes the rating in the row of a recorded run. Does nothing if there is no row. */
  rateRun(runId: string, rating: RunInfo['rating']): Promise<Result<null>>
  /** Lists runs that have ended, the newest end first. A page may be short although others follow. */
  listRuns(filter: RunFilter, cursor: string | null, limit: number): Promise<Result<Page<RunInfo>>>
  /**
   * Sets the space for a thread's files. A decrease is always accepted. Fails with `storage_full` if the
   * thread's key or the workspace would exceed its limit. Idempotent by thread and change number.
   */
  setFileSpace(space: FileSpace): Promise<Result<null>>
  /** Lists threads, newest first. If `owner` is null, those of all owners; if `root` is null, those of all roots. */
  listThreads(
    owner: string | null,
    cursor: string | null,
    limit: number,
    root?: string | null,
  ): Promise<Result<Page<ThreadInfo>>>
  /** Lists the newest thread of each root, newest first. */
  listTrees(owner: string | null, cursor: string | null, limit: number): Promise<Result<Page<ThreadTree>>>
  /** Lists only threads whose title, or one of whose messages, contains all words of the question. */
  searchThreads(
    owner: string | null,
    question: string,
    cursor: string | null,
    limit: number,
  ): Promise<Result<Page<ThreadHit>>>
  /** Records that exactly these calls of the thread wait for an approval. Idempotent. */
  recordApprovals(waiting: WaitingRecord): Promise<Result<Listeners>>
  /** Lists the calls that `owner` may decide, longest waiting first. If `owner` is null, lists all calls, for an admin. */
  listApprovals(
    owner: string | null,
    cursor: string | null,
    limit: number,
  ): Promise<Result<Page<ApprovalInfo>>>
  addHook(hook: HookInfo): Promise<Result<null>>
  removeHook(hookId: string): Promise<Result<null>>
  listHooks(): Promise<Result<readonly HookInfo[]>>
  /** Adds or replaces an endpoint. Fails with `storage_full` if there are already ENDPOINTS_MAX others. */
  putEndpoint(endpoint: EndpointInfo): Promise<Result<null>>
  removeEndpoint(id: string): Promise<Result<null>>
  /** Writes nothing, even if the object has no tables yet. */
  listEndpoints(): Promise<Result<readonly EndpointInfo[]>>
  /** Fails with `storage_full` if there are already SCHEDULES_MAX schedules. */
  addSchedule(schedule: ListedSchedule): Promise<Result<null>>
  removeSchedule(scheduleId: string): Promise<Result<null>>
  listSchedules(): Promise<Result<readonly ListedSchedule[]>>
  usage(query: UsageQuery): Promise<Result<UsageReport>>
  /** Adds to the counters of the metrics. Writes nothing if the object has no tables yet. */
  count(report: CountReport): Promise<Result<null>>
  /** The metrics in the OpenMetrics text format. */
  metrics(): Promise<Result<string>>
  /** The settings that admins changed. Writes nothing, even if the object has no tables yet. */
  settings(): Promise<Result<StoredSettings>>
  /**
   * Returns the newest version: a new version, or the current version if nothing changes. Fails with `stale_version`
   * if something would change and the current version is not `expectedVersion`.
   */
  changeSettings(change: SettingsChange): Promise<Result<StoredSettings>>
  /** Lists the versions that are kept, newest first. */
  settingsHistory(cursor: string | null, limit: number): Promise<Result<Page<SettingsVersion>>>
  /**
   * Lists the secrets by name. Like the next two methods, it writes nothing, even if the object has no tables
   * yet.
   */
  listSecrets(): Promise<Result<readonly StoredSecret[]>>
  secret(name: string): Promise<Result<StoredSecret>>
  /** Returns the stored secrets with these names. Missing ones are left out. */
  sealedSecrets(names: readonly string[]): Promise<Result<readonly SealedSecret[]>>
  /** Fails with `storage_full` if there are already SECRETS_MAX other secrets. */
  putSecret(secret: SealedSecret, author: string): Promise<Result<StoredSecret>>
  /** Replaces `from` with the same value encrypted with a newer key, unless the secret has changed meanwhile. */
  resealSecret(from: SealedSecret, sealed: string): Promise<Result<null>>
  deleteSecret(name: string): Promise<Result<null>>
  recordMcpServer(name: string, observation: McpObservation): Promise<Result<null>>
  /** The server with this name; if it is null, all servers, without the diffs of their tools. */
  seenMcpServers(name: string | null): Promise<Result<readonly SeenMcpServer[]>>
  /** See TokenPort. */
  token(request: TokenRequest): Promise<Result<SealedToken | null>>
}
