// What the caller's agent can see of the catalog.

import { objects } from '../../env.ts'
import type { Caller } from '../../lib/caller.ts'
import { ok, type Result } from '../../lib/result.ts'
import { skillContent } from '../../skills/store/content.ts'
import { bodyOf } from '../../skills/format/frontmatter.ts'
import { EVERYBODY, visibleSkill, visibleSkills } from '../../skills/view/visibility.ts'
import type { IndexEntry, SkillIndex } from '../../skills/skill.ts'
import { skillInfo } from '../../skills/catalog/skill-info.ts'
import { currentBuild } from '../build.ts'
import { pageFrom, pageOf } from '../page.ts'
import { answer, json, param, refuse, type HttpContext, type KeyedRoute } from '../route.ts'

const NO_SKILL = 'There is no such skill, or it is switched off. GET /v1/skills lists what there is.'

export interface LiveIndex {
  readonly version: number
  readonly index: SkillIndex
}

/** The catalog that is live for this workspace now. */
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

/** One page of entries, sorted by name, as SkillInfo. */
export function skillPage(c: HttpContext, { index, version }: LiveIndex): Response {
  const ask = pageOf(c)
  if (!ask.ok) return refuse(c, ask.error)
  const page = pageFrom(ask.value, index.skills, (entry) => entry.name)
  if (!page.ok) return refuse(c, page.error)
  const { data, next_cursor } = page.value
  return json({ data: data.map(skillInfo), next_cursor, catalog_version: version })
}

/** One skill with its body and the list of its files. */
export async function skillDetail(c: HttpContext, workspace: string, entry: IndexEntry): Promise<Response> {
  const content = skillContent(c.env, workspace)
  const [body, manifest] = await Promise.all([content.body(entry), content.manifest(entry)])
  if (!body.ok) return refuse(c, body.error)
  if (!manifest.ok) return refuse(c, manifest.error)
  return answer(c, ok({ ...skillInfo(entry), body: bodyOf(body.value), manifest: manifest.value }))
}

async function list(c: HttpContext, caller: Caller): Promise<Response> {
  const live = await liveIndex(c, caller.workspace)
  if (!live.ok) return refuse(c, live.error)
  const skills = visibleSkills(live.value.index, EVERYBODY)
  return skillPage(c, { ...live.value, index: { ...live.value.index, skills } })
}

async function one(c: HttpContext, caller: Caller): Promise<Response> {
  const live = await liveIndex(c, caller.workspace)
  if (!live.ok) return refuse(c, live.error)
  const entry = visibleSkill(live.value.index, EVERYBODY, param(c, 'skill'))
  if (!entry) return refuse(c, { code: 'not_found', detail: NO_SKILL })
  return skillDetail(c, caller.workspace, entry)
}

export const skillRoutes: readonly KeyedRoute[] = [
  { method: 'GET', path: '/v1/skills', role: 'chat', handle: list },
  { method: 'GET', path: '/v1/skills/:skill', role: 'chat', handle: one },
]
