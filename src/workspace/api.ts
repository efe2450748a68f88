// What a Workspace object answers over RPC: keys, the thread list, hooks, usage, settings.

import type { Charged } from '../agent/events.ts'
import type { Usage } from '../agent/message.ts'
import type { KeyRole, KeyTools } from '../lib/caller.ts'
import type { Result } from '../lib/result.ts'
import type { SettingsPatch, SettingsVersion, StoredSettings } from '../settings/settings.ts'
import type { SealedSecret } from '../secrets/stored.ts'
import type { ApprovalInfo, Page, ThreadInfo } from '../thread/api.ts'

/** A key as it is shown after it was made: never its secret. */
export interface KeyInfo {
  readonly id: string
  readonly role: KeyRole
  readonly user: string | null
  readonly note: string | null
  /** Tools that it leaves to its runs; null: all. */
  readonly tools: KeyTools | null
  readonly created_at: string
  readonly revoked_at: string | null
}

/** The beginning of a message's text, with the number of the message. */
export interface TextRecord {
  readonly place: number
  readonly text: string
}

/** What a thread reports of itself; the list is made from these. */
export interface ThreadRecord {
  /** Messages that were not reported before, for search; absent: none. */
  readonly texts?: readonly TextRecord[]
  /** The user its key acts for, or the key itself: who may see it. */
  readonly owner: string
  /** The key or hook that made it. */
  readonly made_by: string
  readonly info: ThreadInfo
}

/** What a run used and was charged; counted once. */
export interface RunRecord {
  readonly id: string
  readonly usage: Usage
  readonly charged: Charged
}

/** What all runs of a workspace used and were charged. */
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

/** A run that is not over, as its thread reports it. */
export interface OpenRun {
  readonly thread: string
  readonly run: string
  /** The credential that asked for it. */
  readonly key: string
  /** It waits in its thread's line. */
  readonly queued: boolean
  /** Epoch ms after which it counts no more, should its end never be reported. */
  readonly until: number
  /** It begins a thread that is not in the list yet. */
  readonly begins?: boolean
}

/** All calls of a thread that wait for a person, as it reports them. */
export interface WaitingRecord {
  readonly thread: string
  readonly owner: string
  readonly created_at: string
  /** Numbers its reports: an older one changes nothing. */
  readonly change: number
  readonly approvals: readonly ApprovalInfo[]
}

/** What files of a thread may take, as it asks for it: as a whole, not as a difference. */
export interface FileRoom {
  readonly thread: string
  /** The key or hook that made it. */
  readonly key: string
  /** Epoch ms. */
  readonly made_at: number
  /** Numbers its requests: an older one changes nothing. */
  readonly change: number
  /** Bytes of its files. */
  readonly kept: number
  /** With bytes that are on their way, or still to be removed from the store. */
  readonly stored: number
}

export interface SettingsChange {
  readonly author: string
  /** It fits SettingsPatchSchema. */
  readonly patch: SettingsPatch
  /** The version that it must find; undefined: whatever is there. */
  readonly over: number | undefined
}

/** A secret without its value; `sealed` is shown to nobody. */
export interface StoredSecret extends SealedSecret {
  readonly created_at: string
  readonly updated_at: string
  readonly updated_by: string
}

/** A thread that a search found, with the newest text that has the words; null: its title alone has them. */
export interface ThreadHit extends ThreadInfo {
  readonly text: string | null
}

export interface WorkspaceApi {
  /** `secretHash`: sha-256 hex of the key's secret part. Failure `unauthenticated` for unknown, wrong and revoked alike. */
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
   * Counts a run for its key, or refuses it: `too_many_runs`, and `storage_full` where it begins a thread too many. Waits
   * for no disk. `accepted`: the run is open already and only reported. Idempotent by (thread, run).
   */
  admit(run: OpenRun, accepted: boolean): Promise<Result<null>>
  /**
   * Counts a thread that is about to be made without a run, for a while. Failure `storage_full`: the workspace, or this key,
   * has as many as it may have. Idempotent by thread.
   */
  admitThread(threadId: string, key: string): Promise<Result<null>>
  /**
   * Asks for a place for a run that was accepted before and holds none. Null: it has one; else after how long to ask again
   * (ms). From memory, and idempotent by (thread, run). A key's runs get places in the order in which they first asked.
   */
  resume(run: OpenRun): Promise<Result<number | null>>
  /** A run that was admitted and did not come to be. */
  leave(threadId: string, runId: string): Promise<Result<null>>
  /** Threads with an open run. */
  openThreads(): Promise<Result<readonly string[]>>
  /** Idempotent by (thread, run): usage of a run is counted once however often it is reported. A run reported is over. */
  record(thread: ThreadRecord, run: RunRecord | null): Promise<Result<null>>
  /** Idempotent. `runs`: what they used is counted as by record(), in the same block. */
  forget(threadId: string, runs?: readonly RunRecord[]): Promise<Result<null>>
  /**
   * What files of a thread may take from now on. Less than before is always taken; failure `storage_full` where its key, or
   * the workspace, would have more than it may. Idempotent by (thread, change).
   */
  setFileRoom(room: FileRoom): Promise<Result<null>>
  /** `owner` null: everybody's. Newest first. */
  listThreads(owner: string | null, cursor: string | null, limit: number): Promise<Result<Page<ThreadInfo>>>
  /** Of those, the ones whose title or one of whose messages has all words of the question. Any text is one. */
  searchThreads(
    owner: string | null,
    question: string,
    cursor: string | null,
    limit: number,
  ): Promise<Result<Page<ThreadHit>>>
  /** Idempotent: these, and no other calls of the thread, wait for a person. */
  recordApprovals(waiting: WaitingRecord): Promise<Result<null>>
  /** What may be decided by `owner`; null: by an admin, and so all. The longest waiting first. */
  listApprovals(
    owner: string | null,
    cursor: string | null,
    limit: number,
  ): Promise<Result<Page<ApprovalInfo>>>
  addHook(hook: HookInfo): Promise<Result<null>>
  removeHook(hookId: string): Promise<Result<null>>
  listHooks(): Promise<Result<readonly HookInfo[]>>
  usage(): Promise<Result<UsageTotals>>
  /** What its admins set. Leaves nothing behind in an object that never wrote anything. */
  settings(): Promise<Result<StoredSettings>>
  /**
   * Answers the newest version: a new one, or the one before where all is so already. Failure `stale_version`: another one
   * than `over` is there, and not all is so.
   */
  changeSettings(change: SettingsChange): Promise<Result<StoredSettings>>
  /** Newest first, as far as they are kept. */
  settingsHistory(cursor: string | null, limit: number): Promise<Result<Page<SettingsVersion>>>
  /** By name. Leaves nothing behind in an object that never wrote anything; so do the next two. */
  listSecrets(): Promise<Result<readonly StoredSecret[]>>
  secret(name: string): Promise<Result<StoredSecret>>
  /** As they are kept; names that are not there are left out. */
  sealedSecrets(names: readonly string[]): Promise<Result<readonly SealedSecret[]>>
  /** Failure `storage_full`: there are SECRETS_MAX others. */
  putSecret(secret: SealedSecret, author: string): Promise<Result<StoredSecret>>
  /** Replaces `from` by the same value under a newer key, unless something else stands there by now. */
  resealSecret(from: SealedSecret, sealed: string): Promise<Result<null>>
  deleteSecret(name: string): Promise<Result<null>>
}
