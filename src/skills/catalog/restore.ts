// Restores the rows of a catalog. Until that is finished, the catalog is closed. Imported when it is needed.

import type { RestoredPage } from '../../backup/api.ts'
import { OCCUPIED, restorePage } from '../../backup/restore.ts'
import { isRestoring, markRestoring, unmarkRestoring } from '../../backup/restoring.ts'
import { ok, type Result } from '../../lib/result.ts'
import { revision } from './rows.ts'
import { CATALOG_MIGRATIONS, CATALOG_TABLES } from './schema.ts'

/** Failure: `not_empty` if anybody has changed the catalog. Versions of builds do not count. */
export function closeCatalog({ sql }: DurableObjectStorage): Result<null> {
  if (isRestoring(sql)) return ok(null)
  if (revision(sql) > 0) return OCCUPIED
  markRestoring(sql)
  return ok(null)
}

export function restoreCatalog(
  storage: DurableObjectStorage,
  name: string,
  page: RestoredPage,
): ReturnType<typeof restorePage> {
  const complete = (): void => undefined
  return restorePage(
    { storage, tables: CATALOG_TABLES, migrations: CATALOG_MIGRATIONS, name, complete },
    page,
  )
}

export function openCatalog({ sql }: DurableObjectStorage): void {
  if (isRestoring(sql)) unmarkRestoring(sql)
}
