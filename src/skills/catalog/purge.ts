// Permanently deletes the bytes of one version: marked in rows first, then deleted. After a crash the sweep finishes
// it. A live version is refused.

import { rfc3339 } from '../../lib/clock.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { SWEEP_PAUSE_MS } from './limits.ts'
import type { ContentReader } from '../store/content-reader.ts'
import type { Purge, PurgedVersion } from './api.ts'
import { doomLooseArchives, releaseBlobs } from './blob-rows.ts'
import { latestVersion, liveDigest } from './rows.ts'
import { forgetShared } from './shared-rows.ts'
import type { Staging, StagingDeps } from './staging.ts'
import { hasVersion, insertHistory, markPurged, purgedVersion } from './version-rows.ts'

export interface PurgeDeps extends StagingDeps {
  readonly content: Pick<ContentReader, 'manifest'>
}

export type PurgeRequest = Omit<PurgedVersion, 'at'>

/**
 * Runs only between changes: no version may start to refer to the bytes. A repeated call continues and returns the
 * same. Failures: `not_found`, `version_live`, and `catalog_broken` when the list of files cannot be read, because then
 * it is unknown which bytes to delete.
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
        `No version ${digest} of "${name}" was published here. GET /admin/skills/${name}/versions lists the published ones. Built-in versions cannot be purged.`,
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
      forgetShared(sql, name, 0, digest)
      doomLooseArchives(sql)
      const made = { at, author, catalog_version: latestVersion(sql) }
      insertHistory(sql, 'skill', { ...made, action: 'purge', name, note, before: digest })
    })
    // In one write with the rows: if this object dies now, the sweep finds what to delete.
    await storage.setAlarm(clock() + SWEEP_PAUSE_MS)
  }
  const done = await staging.bury()
  const purged = purgedVersion(sql, operation)
  if (!purged) throw new Error('a purged version has no row')
  return ok({ ...purged, done })
}
