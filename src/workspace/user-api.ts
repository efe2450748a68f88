// The part of a Workspace object's RPC interface that concerns all data of one user: its export and its deletion.

import type { Result } from '../lib/result.ts'
import type { UsageSums } from './run-api.ts'

/** What a workspace stores about an owner of threads, apart from the threads. */
export interface OwnerAccount {
  /** Null for a key without a user. */
  readonly user: string | null
  /** In the same form as in the list of keys. */
  readonly keys: readonly object[]
  readonly usage: readonly (UsageSums & { readonly day: string })[]
}

/** What the deletion of a user removed so far. */
export interface RemovedData {
  readonly threads: number
  /** Bytes of files. */
  readonly file_bytes: number
  /** Texts for the search of threads. */
  readonly texts: number
  /** Calls that waited for an approval. */
  readonly approvals: number
  /** Keys that were revoked, and lost their user and note. */
  readonly keys: number
  /** Runs in the sums of usage that belong to no user any more. */
  readonly runs: number
  /** Hooks and schedules that acted for the user, and now act for nobody. */
  readonly hooks: number
  readonly schedules: number
}

/** The deletion of all data of a user. */
export interface UserDeletion {
  readonly id: string
  readonly state: 'running' | 'done'
  readonly requested_at: string
  readonly finished_at: string | null
  /** The user's threads that are not deleted yet. */
  readonly threads_left: number
  readonly removed: RemovedData
}

export interface UserDataApi {
  /** IDs of the owner's threads from this one on, in order; also of threads that are not listed yet. */
  ownedThreads(owner: string, from: string, limit: number): Promise<Result<readonly string[]>>
  account(owner: string): Promise<Result<OwnerAccount>>
  /**
   * Begins to delete all data of a user, or returns the deletion that is in progress. Revokes the user's keys at once; alarms do the
   * rest. Fails with `not_found` if there is nothing of this user; an earlier deletion is then returned instead.
   */
  deleteUser(user: string): Promise<Result<UserDeletion>>
  /** The newest deletion of this user. */
  userDeletion(user: string): Promise<Result<UserDeletion>>
}
