// The route for skill search, which returns the skills that match a text, and why. It is the same search as the agent's, without a
// model.

import * as z from 'zod'
import type { Caller } from '../../lib/caller.ts'
import { MATCH_QUERY_MAX_CHARS, SEARCH_RESULTS_MAX } from '../../limits/skills.ts'
import { MATCH_RESULTS_MAX } from './limits.ts'
import { skillInfo } from '../../skills/view/skill-info.ts'
import { rankSkills } from '../../skills/search/rank.ts'
import { EVERYBODY, visibleSkills } from '../../skills/view/visibility.ts'
import { shortText } from '../fields/fields.ts'
import { queueSkillSearch } from '../admission/queues.ts'
import { readJson, type JsonBody } from '../bodies/json-body.ts'
import { json, route, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'
import { liveIndex } from './skills.ts'

const MatchRequest = z.strictObject({
  text: shortText(MATCH_QUERY_MAX_CHARS).refine((text) => text.trim() !== '', 'must not be blank'),
  limit: z.int().min(1).max(MATCH_RESULTS_MAX).optional(),
})

// Scores are rounded, because they are comparable only within one response and more digits would be misleading.
const SCORE_PRECISION = 1_000

type Question = JsonBody<z.infer<typeof MatchRequest>>

async function searchSkills(c: HttpContext, caller: Caller, { data: question }: Question): Promise<Reply> {
  const live = await liveIndex(c, caller.workspace)
  if (!live.ok) return live
  const { text, limit = SEARCH_RESULTS_MAX } = question
  const hits = rankSkills(visibleSkills(live.value.index, EVERYBODY), text, limit).slice(0, limit)
  return json({
    data: hits.map(({ entry, score, why }) => ({
      skill: skillInfo(entry),
      score: Math.round(score * SCORE_PRECISION) / SCORE_PRECISION,
      why,
    })),
    catalog_version: live.value.version,
  })
}

export const skillMatchRoutes: readonly KeyedRoute[] = [
  route(
    'chat',
    'POST',
    '/v1/skills/match',
    queueSkillSearch((c) => readJson(c.req.raw, MatchRequest), searchSkills),
  ),
]
