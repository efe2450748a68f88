// The routes for the skills that the caller's agent can see, and for the skills that the caller may call by name.

import { objects } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { skillContent } from '../../skills/store/content.ts'
import { bodyOf } from '../../skills/format/frontmatter.ts'
import { callableSkills } from '../../skills/view/slash.ts'
import { byUse } from '../../skills/view/by-use.ts'
import { EVERYBODY, visibleSkill, visibleSkills } from '../../skills/view/visibility.ts'
import type { sharingFindings } from '../../skills/package/sharing.ts'
import type { IndexEntry, SkillIndex } from '../../skills/skill.ts'
import { skillInfo, type SkillInfo } from '../../skills/view/skill-info.ts'
import { currentBuild } from '../../skills/current-build.ts'
import { SKILLS_PAGE_SIZE_MAX } from '../../limits/requests.ts'
import { invalidField } from '../problems/field-errors.ts'
import { pageFrom, pageQuery } from '../fields/page.ts'
import { PAGE_QUERY } from '../route/query.ts'
import { limitCatalogRead } from '../admission/queues.ts'
import { json, param, route, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'
import { etag } from '../fields/conditions.ts'
import { skillFile } from '../skills/skill-file.ts'

const NO_SKILL =
  'There is no skill with this name, or it is disabled. GET /v1/skills lists the available skills.'

const INVALID_FOR = invalidField(
  'for',
  'must be "model" or "person"',
  'for must be "model" (the skills that the agent sees) or "person" (the skills that you may call as /name).',
)

type Audience = 'model' | 'person'

export interface LiveIndex {
  readonly version: number
  readonly index: SkillIndex
}

/** The live catalog index of this workspace. */
export async function liveIndex(
  c: HttpContext,
  workspace: string,
  build = currentBuild(),
): Promise<Result<LiveIndex>> {
  const live = await objects(c.env).catalog(workspace).live(build)
  if (!live.ok) return live
  const index = await skillContent(c.env, workspace).index(live.value.index)
  return index.ok ? ok({ version: live.value.version, index: index.value }) : index
}

/** A page of skills, sorted by name. `info` converts each entry for the response. */
export async function skillPage(
  c: HttpContext,
  { index, version }: LiveIndex,
  info: (entry: IndexEntry) => SkillInfo = skillInfo,
): Promise<Reply> {
  const query = pageQuery(c, SKILLS_PAGE_SIZE_MAX)
  if (!query.ok) return query
  const page = pageFrom(query.value, index.skills, (entry) => entry.name)
  if (!page.ok) return page
  const { data, next_cursor } = page.value
  return json({ data: data.map(info), next_cursor, catalog_version: version })
}

/**
 * Responds with one skill, its body and its file list. `extraDiagnostics` returns additional findings for the
 * response.
 */
export async function skillDetail(
  c: HttpContext,
  workspace: string,
  entry: IndexEntry,
  extraDiagnostics: typeof sharingFindings = () => [],
): Promise<Reply> {
  const content = skillContent(c.env, workspace)
  const [body, manifest] = await Promise.all([content.body(entry), content.manifest(entry)])
  if (!body.ok) return body
  if (!manifest.ok) return manifest
  const diagnostics = [...entry.diagnostics, ...extraDiagnostics(entry, manifest.value, body.value)]
  const detail = { ...skillInfo(entry), diagnostics, body: bodyOf(body.value), manifest: manifest.value }
  return json(detail, 200, etag(entry.digest))
}

/** The audience in `?for=`. For `person`, the list contains all skills that a person may call, even if hidden from the model. */
function requestedAudience(c: HttpContext): Result<Audience> {
  const audience = c.req.query('for') ?? 'model'
  return audience === 'model' || audience === 'person' ? ok(audience) : INVALID_FOR
}

async function list(c: HttpContext, caller: Caller): Promise<Reply> {
  const audience = requestedAudience(c)
  if (!audience.ok) return audience
  const order = c.req.query('order') ?? 'name'
  if (order === 'use') return listByUse(c, caller, audience.value)
  if (order !== 'name') return invalidField('order', 'must be "name" or "use"')
  const live = await liveIndex(c, caller.workspace)
  if (!live.ok) return live
  const { index } = live.value
  const page = (skills: readonly IndexEntry[]): LiveIndex => ({ ...live.value, index: { ...index, skills } })
  if (audience.value === 'model') return skillPage(c, page(visibleSkills(index, EVERYBODY)))
  return skillPage(c, page(callableSkills(index, null)), (entry) => {
    return { ...skillInfo(entry), model_invocable: entry.model_invocable }
  })
}

/** The skills that this workspace uses most, then those with the most examples. A single page, because uses change all the time. */
async function listByUse(c: HttpContext, { workspace }: Caller, audience: Audience): Promise<Reply> {
  const query = pageQuery(c)
  if (!query.ok) return query
  const live = await objects(c.env).catalog(workspace).live(currentBuild(), null)
  if (!live.ok) return live
  const index = await skillContent(c.env, workspace).index(live.value.index)
  if (!index.ok) return index
  const entries =
    audience === 'model' ? visibleSkills(index.value, EVERYBODY) : callableSkills(index.value, null)
  const data = byUse(entries, live.value.used?.names ?? [])
    .slice(0, query.value.limit)
    .map(skillInfo)
  return json({ data, next_cursor: null, catalog_version: live.value.version })
}

/** The skill that the path names, if the view selected in the query includes it. */
async function requestedSkill(c: HttpContext, caller: Caller): Promise<Result<IndexEntry>> {
  const audience = requestedAudience(c)
  if (!audience.ok) return audience
  const live = await liveIndex(c, caller.workspace)
  if (!live.ok) return live
  const { index } = live.value
  const name = param(c, 'skill')
  const entry =
    audience.value === 'model'
      ? visibleSkill(index, EVERYBODY, name)
      : callableSkills(index, null).find((skill) => skill.name === name)
  return entry ? ok(entry) : fail('not_found', NO_SKILL)
}

async function showSkill(c: HttpContext, caller: Caller): Promise<Reply> {
  const entry = await requestedSkill(c, caller)
  return entry.ok ? skillDetail(c, caller.workspace, entry.value) : entry
}

async function serveFile(c: HttpContext, caller: Caller): Promise<Reply> {
  const entry = await requestedSkill(c, caller)
  return entry.ok ? skillFile(c, caller.workspace, entry.value) : entry
}

export const skillRoutes: readonly KeyedRoute[] = [
  route('chat', 'GET', '/v1/skills', limitCatalogRead(list), [...PAGE_QUERY, 'for', 'order']),
  route('chat', 'GET', '/v1/skills/:skill', limitCatalogRead(showSkill), ['for']),
  route('chat', 'GET', '/v1/skills/:skill/files/:path{.+}', limitCatalogRead(serveFile), ['for']),
]
