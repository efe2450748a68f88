// Caches the newest ranking of skills by use for each workspace. A request names the ID of the cached
// ranking, and the catalog sends a ranking only if it has a different ID.

import { ok, type Result } from '../lib/result.ts'
import { RANKINGS_KEPT } from './limits.ts'
import type { CatalogApi } from '../skills/catalog/api.ts'
import type { RankedCatalog, UseRanking } from '../skills/skill.ts'

/** Rankings by workspace, least recently used first. */
const kept = new Map<string, UseRanking>()

/**
 * Returns the live catalog and its ranking in one call. The ranking is the same object as long as it does not
 * change.
 */
export async function liveRanked(
  catalog: Pick<CatalogApi, 'live'>,
  workspace: string,
  build: string,
): Promise<Result<RankedCatalog>> {
  const had = kept.get(workspace) ?? null
  const live = await catalog.live(build, had?.id ?? null)
  if (!live.ok) return live
  const newest = live.value.used === undefined ? had : live.value.used
  // A concurrent call may have cached the same ranking. That object carries derived data, so it is kept.
  const now = kept.get(workspace)
  const used = now && now.id === newest?.id ? now : newest
  kept.delete(workspace)
  if (used) kept.set(workspace, used)
  const oldest = kept.keys().next()
  if (kept.size > RANKINGS_KEPT && !oldest.done) kept.delete(oldest.value)
  return ok({ ...live.value, used })
}
