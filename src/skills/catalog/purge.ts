// Permanently deletes the bytes of one version that is not live. The rows are marked first, so that the sweep can
// finish the deletion after a crash.

import { rfc3339 } from '../../lib/clock.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { SWEEP_PAUSE_MS } from './limits.ts'
import type { ContentReader } from '../store/content-reader.ts'
import type { Purge, PurgedVersion } from './api.ts'
import { expireUnreferencedArchives, releaseBlobs } from './blob-rows.ts'
import { latestVersion, liveDigest } from './rows.ts'
import { deleteShared } from './shared-rows.ts'
import type { Staging, StagingDeps } from './staging.ts'
import { hasVersion, insertHistory, markPurged, purgedVersion } from './version-rows.ts'

export interface PurgeDeps extends StagingDeps {
  readonly content: Pick<ContentReader, 'manifest'>
}

export type PurgeRequest = Omit<PurgedVersion, 'at'>

/**
 * Call it only while no change runs, because no version may start to refer to the bytes. A repeated call continues the
 * deletion and returns the same result. Failures: `not_found`, `version_live`, and `catalog_broken` if the manifest
 * cannot be read, because then it is unknown which bytes to delete.
 */
export async function purgeVersion(
  operation: PurgeRequest,
  { storage, content, clock }: PurgeDeps,
  staging: Staging,
): Promise<Result<Purge>> {
  const { name, digest, author, note } = operation
  const { sql } = storage
  if (!purgedVersion(sql, operation)) {
    if (!hasVersion(sql, operation))
      return fail(
        'not_found',
        `No version ${digest} of "${name}" was published in this workspace. GET /admin/skills/${name}/versions lists those that were. Built-in versions cannot be purged.`,
      )
    if (liveDigest(sql, name) === digest)
      return fail(
        'version_live',
        `The version ${digest} of "${name}" is live. Publish another version, roll back with POST /admin/skills/${name}/rollback, or unpublish the skill with DELETE /admin/skills/${name}; then purge this version.`,
      )
    const files = await content.manifest({ category: 'custom', name, digest })
    if (!files.ok) return files
    const at = rfc3339(clock())
    storage.transactionSync(() => {
      markPurged(sql, { name, digest, at, author, note })
      releaseBlobs(sql, [...new Set([digest, ...files.value.map((file) => file.sha256)])], 0)
      deleteShared(sql, name, 0, digest)
      expireUnreferencedArchives(sql)
      const record = { at, author, catalog_version: latestVersion(sql) }
      insertHistory(sql, 'skill', { ...record, action: 'purge', name, note, before: digest })
    })
    // Written together with the rows: if this object crashes now, the sweep finds what to delete.
    await storage.setAlarm(clock() + SWEEP_PAUSE_MS)
  }
  const done = await staging.deletePurged()
  const purged = purgedVersion(sql, operation)
  if (!purged) throw new Error('a purged version has no row')
  return ok({ ...purged, done })
}
