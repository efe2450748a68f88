// Caches the newest ranking of skills by use for each workspace. A request names the ID of the cached
// ranking, and the catalog sends a ranking only if it has a different ID.

import { ok, type Result } from '../lib/result.ts'
import { CACHED_RANKINGS_MAX } from './limits.ts'
import type { CatalogApi } from '../skills/catalog/api.ts'
import type { RankedCatalog, UseRanking } from '../skills/skill.ts'

/** Rankings by workspace, least recently used first. */
const cache = new Map<string, UseRanking>()

/**
 * Returns the live catalog and its ranking in one call. The ranking is the same object as long as it does not
 * change.
 */
export async function liveRankedCatalog(
  catalog: Pick<CatalogApi, 'live'>,
  workspace: string,
  build: string,
): Promise<Result<RankedCatalog>> {
  const cached = cache.get(workspace) ?? null
  const live = await catalog.live(build, cached?.id ?? null)
  if (!live.ok) return live
  const newest = live.value.used === undefined ? cached : live.value.used
  // A concurrent call may have cached the same ranking. That object carries derived data, so it stays in the cache.
  const current = cache.get(workspace)
  const ranking = current && current.id === newest?.id ? current : newest
  cache.delete(workspace)
  if (ranking) cache.set(workspace, ranking)
  const oldest = cache.keys().next()
  if (cache.size > CACHED_RANKINGS_MAX && !oldest.done) cache.delete(oldest.value)
  return ok({ ...live.value, used: ranking })
}
