// The part of a Workspace object's RPC interface that concerns the backup of a deployment and its restore.

import type { BackupApi } from '../backup/api.ts'
import type { Result } from '../lib/result.ts'

/** The IDs of a deployment's objects. */
export interface BackupContents {
  /** Also those that are not listed yet, if they have files. */
  readonly threads: readonly string[]
  readonly hooks: readonly string[]
  readonly endpoints: readonly string[]
  readonly schedules: readonly string[]
}

export interface RestoreApi extends BackupApi {
  backupContents(): Promise<Result<BackupContents>>
  /**
   * Closes an empty workspace until the archive with this digest is restored. Idempotent for one archive. Failure: `not_empty`, also
   * while another archive is being restored.
   */
  beginRestore(archive: string): Promise<Result<null>>
  /** Whether the object is restored completely. Fails with `not_empty` unless a restore is in progress. */
  isRestored(object: string): Promise<Result<boolean>>
  markRestored(object: string): Promise<Result<null>>
  /**
   * Opens the workspace and its catalog. Fails with `invalid_archive` if a listed object is not restored. Objects in `missing`, which were deleted
   * while the backup was made, are removed from the lists.
   */
  finishRestore(missing: readonly string[]): Promise<Result<null>>
}
