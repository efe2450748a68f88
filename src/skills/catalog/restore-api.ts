// The part of the Catalog object's RPC interface that concerns backups.

import type { BackupApi } from '../../backup/api.ts'
import type { Result } from '../../lib/result.ts'

export interface CatalogRestoreApi extends BackupApi {
  /** Closes a catalog that nobody has changed until its rows are restored. Failure: `not_empty`. Idempotent. */
  beginRestore(): Promise<Result<null>>
  /** Opens it again. Idempotent. */
  finishRestore(): Promise<Result<null>>
}
