// The newest ranking of skills by use that this isolate heard of, one a workspace: asked for by its id, sent when it differs.

import { ok, type Result } from '../lib/result.ts'
import { RANKINGS_KEPT } from './limits.ts'
import type { CatalogApi } from '../skills/catalog/api.ts'
import type { RankedCatalog, UseRanking } from '../skills/skill.ts'

/** By workspace, the one that was asked longest ago first. */
const kept = new Map<string, UseRanking>()

/** What is live, with the ranking, in one call. The very same ranking as long as it does not change. */
export async function liveRanked(
  catalog: Pick<CatalogApi, 'live'>,
  workspace: string,
  build: string,
): Promise<Result<RankedCatalog>> {
  const had = kept.get(workspace) ?? null
  const live = await catalog.live(build, had?.id ?? null)
  if (!live.ok) return live
  const newest = live.value.used === undefined ? had : live.value.used
  // Another call may have brought the same one meanwhile: what was made of it is kept by that object.
  const now = kept.get(workspace)
  const used = now && now.id === newest?.id ? now : newest
  kept.delete(workspace)
  if (used) kept.set(workspace, used)
  const oldest = kept.keys().next()
  if (kept.size > RANKINGS_KEPT && !oldest.done) kept.delete(oldest.value)
  return ok({ ...live.value, used })
}
