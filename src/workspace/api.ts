// What a Workspace object answers over RPC: keys, the thread list, hooks, usage, settings.

import type { Charged } from '../agent/events.ts'
import type { Usage } from '../agent/message.ts'
import type { KeyRole, KeyTools } from '../lib/caller.ts'
import type { Result } from '../lib/result.ts'
import type { SettingsPatch, SettingsVersion, StoredSettings } from '../settings/settings.ts'
import type { SealedSecret } from '../secrets/stored.ts'
import type { ApprovalInfo } from '../thread/approvals/api.ts'
import type { Page, ThreadInfo } from '../thread/api.ts'

/** A key for display: never with its secret. */
export interface KeyInfo {
  readonly id: string
  readonly role: KeyRole
  readonly user: string | null
  readonly note: string | null
  /** Tools that it allows its runs; null: all. */
  readonly tools: KeyTools | null
  readonly created_at: string
  readonly revoked_at: string | null
}

/** The beginning of a message's text, with the number of the message. */
export interface TextRecord {
  readonly position: number
  readonly text: string
}

/** A thread's report about itself, from which the list is built. */
export interface ThreadRecord {
  /** Messages that were not reported before, for search; absent: none. */
  readonly texts?: readonly TextRecord[]
  /** The user that its key acts for, or the key itself: who may see it. */
  readonly owner: string
  /** The key or hook that created it. */
  readonly made_by: string
  readonly info: ThreadInfo
}

/** The usage and charge of a run; counted once. */
export interface RunRecord {
  readonly id: string
  readonly usage: Usage
  readonly charged: Charged
}

/** The usage and charge of all runs of a workspace. */
export interface UsageTotals {
  readonly runs: number
  readonly usage: Usage
  readonly charged: Charged
}

export interface HookInfo {
  readonly id: string
  readonly name: string
  readonly created_at: string
}

/** A run that has not ended, as its thread reports it. */
export interface OpenRun {
  readonly thread: string
  readonly run: string
  /** The credential that requested it. */
  readonly key: string
  /** It waits in its thread's queue. */
  readonly queued: boolean
  /** Epoch ms after which it no longer counts, even if its end is never reported. */
  readonly until: number
  /** It begins a thread that is not in the list yet. */
  readonly begins?: boolean
}

/** All calls of a thread that wait for an approval, as the thread reports them. */
export interface WaitingRecord {
  readonly thread: string
  readonly owner: string
  readonly created_at: string
  /** Numbers its reports: an older one changes nothing. */
  readonly change: number
  readonly approvals: readonly ApprovalInfo[]
}

/** The space that a thread requests for its files: the total, not a difference. */
export interface FileRoom {
  readonly thread: string
  /** The key or hook that created it. */
  readonly key: string
  /** Epoch ms. */
  readonly made_at: number
  /** Numbers its requests: an older one changes nothing. */
  readonly change: number
  /** Bytes of its files. */
  readonly kept: number
  /** Including bytes in transit, or still to be deleted from the store. */
  readonly stored: number
}

export interface SettingsChange {
  readonly author: string
  /** Matches SettingsPatchSchema. */
  readonly patch: SettingsPatch
  /** The version that it requires; undefined: any. */
  readonly over: number | undefined
}

/** A secret without its value; `sealed` is never shown. */
export interface StoredSecret extends SealedSecret {
  readonly created_at: string
  readonly updated_at: string
  readonly updated_by: string
}

/** A thread that a search found, with the newest matching text; null if only its title matches. */
export interface ThreadHit extends ThreadInfo {
  readonly text: string | null
}

export interface WorkspaceApi {
  /**
   * `secretHash`: sha-256 hex of the key's secret part. Failure `unauthenticated` for unknown, wrong and revoked alike.
   */
  verifyKey(keyId: string, secretHash: string): Promise<Result<Pick<KeyInfo, 'role' | 'user' | 'tools'>>>
  createKey(key: {
    readonly id: string
    readonly secretHash: string
    readonly role: KeyRole
    readonly user: string | null
    readonly note: string | null
    readonly tools?: KeyTools | null
  }): Promise<Result<KeyInfo>>
  listKeys(cursor: string | null, limit: number): Promise<Result<Page<KeyInfo>>>
  revokeKey(keyId: string): Promise<Result<KeyInfo>>
  /**
   * Counts a run for its key, or refuses it: `too_many_runs`, and `storage_full` if it would begin one thread too many.
   * Waits for no disk. `accepted`: the run is open already and only reported. Idempotent by (thread, run).
   */
  admit(run: OpenRun, accepted: boolean): Promise<Result<null>>
  /**
   * Counts a thread that is about to be created without a run, for a while. Failure `storage_full`: the workspace, or
   * this key, has as many as allowed. Idempotent by thread.
   */
  admitThread(threadId: string, key: string): Promise<Result<null>>
  /**
   * Requests a slot for an accepted run without one. Null: it has one; else the time until the next request (ms). From
   * memory, and idempotent by (thread, run). A key's runs get slots in the order of their first requests.
   */
  resume(run: OpenRun): Promise<Result<number | null>>
  /** Releases an admitted run that was not created. */
  leave(threadId: string, runId: string): Promise<Result<null>>
  /** Threads with an open run. */
  openThreads(): Promise<Result<readonly string[]>>
  /**
   * Idempotent by (thread, run): the usage of a run is counted once however often it is reported. A reported run has
   * ended.
   */
  record(thread: ThreadRecord, run: RunRecord | null): Promise<Result<null>>
  /** Idempotent. `runs`: their usage is counted as by record(), in the same block. */
  forget(threadId: string, runs?: readonly RunRecord[]): Promise<Result<null>>
  /**
   * Sets the space for a thread's files. Less than before is always accepted; failure `storage_full` if its key, or the
   * workspace, would exceed its limit. Idempotent by (thread, change).
   */
  setFileRoom(room: FileRoom): Promise<Result<null>>
  /** `owner` null: all owners. Newest first. */
  listThreads(owner: string | null, cursor: string | null, limit: number): Promise<Result<Page<ThreadInfo>>>
  /** Of those, the ones whose title or one of whose messages has all words of the question. Any text is one. */
  searchThreads(
    owner: string | null,
    question: string,
    cursor: string | null,
    limit: number,
  ): Promise<Result<Page<ThreadHit>>>
  /** Idempotent: exactly these calls of the thread wait for an approval. */
  recordApprovals(waiting: WaitingRecord): Promise<Result<null>>
  /** What `owner` may decide; null: what an admin may, which is everything. Longest waiting first. */
  listApprovals(
    owner: string | null,
    cursor: string | null,
    limit: number,
  ): Promise<Result<Page<ApprovalInfo>>>
  addHook(hook: HookInfo): Promise<Result<null>>
  removeHook(hookId: string): Promise<Result<null>>
  listHooks(): Promise<Result<readonly HookInfo[]>>
  usage(): Promise<Result<UsageTotals>>
  /** The settings that admins changed. Stores nothing in an object without any writes. */
  settings(): Promise<Result<StoredSettings>>
  /**
   * Returns the newest version: a new one, or the current one if nothing changes. Failure `stale_version`: the current
   * version is not `over`, and something would change.
   */
  changeSettings(change: SettingsChange): Promise<Result<StoredSettings>>
  /** Newest first, as far as kept. */
  settingsHistory(cursor: string | null, limit: number): Promise<Result<Page<SettingsVersion>>>
  /** By name. Stores nothing in an object without any writes; the next two neither. */
  listSecrets(): Promise<Result<readonly StoredSecret[]>>
  secret(name: string): Promise<Result<StoredSecret>>
  /** As stored; missing names are left out. */
  sealedSecrets(names: readonly string[]): Promise<Result<readonly SealedSecret[]>>
  /** Failure `storage_full`: there are SECRETS_MAX others. */
  putSecret(secret: SealedSecret, author: string): Promise<Result<StoredSecret>>
  /** Replaces `from` by the same value under a newer key, unless it changed meanwhile. */
  resealSecret(from: SealedSecret, sealed: string): Promise<Result<null>>
  deleteSecret(name: string): Promise<Result<null>>
}
