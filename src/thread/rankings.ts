// Caches the newest ranking of skills by use, one for each workspace: requests name its id, and the catalog sends it
// only if it differs.

import { ok, type Result } from '../lib/result.ts'
import { RANKINGS_KEPT } from './limits.ts'
import type { CatalogApi } from '../skills/catalog/api.ts'
import type { RankedCatalog, UseRanking } from '../skills/skill.ts'

/** By workspace, least recently used first. */
const kept = new Map<string, UseRanking>()

/** The live catalog with its ranking, in one call. Returns the same ranking object as long as it does not change. */
export async function liveRanked(
  catalog: Pick<CatalogApi, 'live'>,
  workspace: string,
  build: string,
): Promise<Result<RankedCatalog>> {
  const had = kept.get(workspace) ?? null
  const live = await catalog.live(build, had?.id ?? null)
  if (!live.ok) return live
  const newest = live.value.used === undefined ? had : live.value.used
  // A concurrent call may have brought the same ranking; that object carries derived data, so it is kept.
  const now = kept.get(workspace)
  const used = now && now.id === newest?.id ? now : newest
  kept.delete(workspace)
  if (used) kept.set(workspace, used)
  const oldest = kept.keys().next()
  if (kept.size > RANKINGS_KEPT && !oldest.done) kept.delete(oldest.value)
  return ok({ ...live.value, used })
}
