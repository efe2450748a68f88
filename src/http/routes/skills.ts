// What the caller's agent can see of the catalog.

import { objects } from '../../env.ts'
import type { Caller } from '../../lib/caller.ts'
import { decodeCursor, encodeCursor } from '../../lib/cursor.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { skillContent } from '../../skills/content.ts'
import { bodyOf } from '../../skills/frontmatter.ts'
import { visibleSkills } from '../../skills/visibility.ts'
import type { IndexEntry, SkillIndex } from '../../skills/skill.ts'
import { skillInfo } from '../../skills/skill-info.ts'
import { currentBuild } from '../build.ts'
import { pageOf } from '../page.ts'
import { answer, json, param, refuse, type HttpContext, type KeyedRoute } from '../route.ts'

const EVERYBODY = { allow: null } as const

export interface LiveIndex {
  readonly version: number
  readonly index: SkillIndex
}

/** The catalog that is live for this workspace now. */
export async function liveIndex(c: HttpContext, workspace: string): Promise<Result<LiveIndex>> {
  const live = await objects(c.env).catalog(workspace).live(currentBuild())
  if (!live.ok) return live
  const index = await skillContent(c.env, workspace).index(live.value.index)
  return index.ok ? ok({ version: live.value.version, index: index.value }) : index
}

/** One page of entries, sorted by name, as SkillInfo. */
export function skillPage(c: HttpContext, entries: readonly IndexEntry[], version: number): Response {
  const page = pageOf(c)
  if (!page.ok) return refuse(c, page.error)
  const after = page.value.cursor === null ? [''] : decodeCursor(page.value.cursor, ['string'])
  if (!after)
    return refuse(c, {
      code: 'bad_cursor',
      detail: 'The cursor is not one of this list. Start again without it.',
    })
  const from = entries.filter((entry) => entry.name > (after[0] ?? ''))
  const shown = from.slice(0, page.value.limit)
  const last = shown.at(-1)
  return json(c, {
    data: shown.map(skillInfo),
    next_cursor: last && from.length > shown.length ? encodeCursor([last.name]) : null,
    catalog_version: version,
  })
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
  return skillPage(c, visibleSkills(live.value.index, EVERYBODY), live.value.version)
}

async function one(c: HttpContext, caller: Caller): Promise<Response> {
  const live = await liveIndex(c, caller.workspace)
  if (!live.ok) return refuse(c, live.error)
  const entry = visibleSkills(live.value.index, EVERYBODY).find((skill) => skill.name === param(c, 'skill'))
  if (!entry) return answer(c, fail('not_found', 'There is no such skill.'))
  return skillDetail(c, caller.workspace, entry)
}

export const skillRoutes: readonly KeyedRoute[] = [
  { method: 'GET', path: '/v1/skills', role: 'chat', handle: list },
  { method: 'GET', path: '/v1/skills/:skill', role: 'chat', handle: one },
]
