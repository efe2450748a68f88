// The routes of single skills: publishing, enabling and disabling, pinning, rolling back, and their versions.

import * as z from 'zod'
import type { Caller } from '../../lib/caller.ts'
import { encodeCursor } from '../../lib/cursor.ts'
import { isSha256 } from '../../lib/bytes.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { SKILL_PATH_MAX_CHARS } from '../../limits/skills.ts'
import type { SkillOperation, VersionInfo } from '../../skills/catalog/api.ts'
import { publishFiles } from '../../skills/publish/publish.ts'
import { diffVersions, patchText } from '../../skills/publish/version-diff.ts'
import { versionPair, withFiles } from '../../skills/publish/versions-read.ts'
import { sharingFindings, sharingFindingsOfEntry } from '../../skills/package/sharing.ts'
import type { IndexEntry } from '../../skills/skill.ts'
import { skillInfo, type SkillInfo } from '../../skills/view/skill-info.ts'
import { skillContent } from '../../skills/store/content.ts'
import { etag } from '../fields/conditions.ts'
import { limitCatalogRead, queueComparison } from '../admission/queues.ts'
import { readJson } from '../bodies/json-body.ts'
import { currentBuild } from '../../skills/current-build.ts'
import { Rollback, Sha256 } from '../fields/fields.ts'
import { invalidField } from '../problems/field-errors.ts'
import { numberedPageQuery, pageFrom, pageQuery } from '../fields/page.ts'
import { PAGE_QUERY } from '../route/query.ts'
import { json, param, route, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'
import { authorOf, catalogOf, changeRoute, skillDeps, skillTerms } from '../skills/change.ts'
import { readNoteQuery, readSkillUpload } from '../skills/upload.ts'
import { liveIndex, skillDetail, skillPage } from './skills.ts'

const Patch = z
  .strictObject({
    enabled: z.boolean().optional(),
    shareable: z.boolean().optional(),
    digest: Sha256.optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, 'must change enabled, shareable or digest')

const NO_SKILL = fail(
  'not_found',
  'The catalog has no skill with this name. GET /admin/skills lists its skills.',
)

type Handle = KeyedRoute['handle']

const publish = changeRoute(skillTerms, async (c, caller, terms, pace) => {
  const upload = await readSkillUpload(c.req.raw, pace.reportProgress)
  if (!upload.ok) return upload
  const published = await publishFiles({ ...upload.value, ...terms }, skillDeps(c, caller, pace))
  if (!published.ok) return published
  if (terms.dryRun) return json({ ...published.value, dry_run: true })
  const { skill, created } = published.value
  return json(published.value, created ? 201 : 200, etag(skill.digest))
})

/** Creates a handler for a change without an upload. `operationOf` reads the requested change. */
function operationRoute(
  operationOf: (
    c: HttpContext,
    target: Pick<SkillOperation, 'skill' | 'expect'>,
  ) => Promise<Result<SkillOperation>>,
): Handle {
  return changeRoute(skillTerms, async (c, caller, { expect, ...terms }) => {
    const operation = await operationOf(c, { skill: param(c, 'skill'), expect })
    if (!operation.ok) return operation
    const result = await catalogOf(c, caller).change({ ...terms, operation: operation.value })
    if (!result.ok) return result
    const { version: catalog_version, skill: entry, changes } = result.value
    const responseFields = { skill: entry && infoOf(entry), catalog_version }
    if (!terms.dryRun) return json(responseFields, 200, entry ? etag(entry.digest) : {})
    // Merges all lists of changed skills, including that of skills with changed sharing.
    return json({ ...responseFields, changed: [...new Set(Object.values(changes).flat())], dry_run: true })
  })
}

/** The skill for a response, including the obstacles to sharing that can be determined without its files. */
function infoOf(entry: IndexEntry): SkillInfo {
  return { ...skillInfo(entry), diagnostics: [...entry.diagnostics, ...sharingFindingsOfEntry(entry)] }
}

const patch = operationRoute(async (c, target) => {
  const body = await readJson(c.req.raw, Patch)
  return body.ok ? ok({ ...target, kind: 'patch', patch: body.value.data }) : body
})

const rollback = operationRoute(async (c, target) => {
  const body = await readJson(c.req.raw, Rollback)
  return body.ok ? ok({ ...target, kind: 'rollback', to: body.value.data.to }) : body
})

const unpublish = operationRoute(async (_, target) => ok({ ...target, kind: 'unpublish' }))

async function list(c: HttpContext, caller: Caller): Promise<Reply> {
  const live = await liveIndex(c, caller.workspace)
  return live.ok ? skillPage(c, live.value) : live
}

async function entryOf(c: HttpContext, caller: Caller): Promise<Result<IndexEntry>> {
  const result = await catalogOf(c, caller).entries(currentBuild(), [param(c, 'skill')])
  if (!result.ok) return result
  const [entry] = result.value
  return entry ? ok(entry) : NO_SKILL
}

async function showSkill(c: HttpContext, caller: Caller): Promise<Reply> {
  const entry = await entryOf(c, caller)
  return entry.ok ? skillDetail(c, caller.workspace, entry.value, sharingFindings) : entry
}

async function history(c: HttpContext, caller: Caller): Promise<Reply> {
  const page = numberedPageQuery(c)
  if (!page.ok) return page
  const { before, limit } = page.value
  const result = await catalogOf(c, caller).history(param(c, 'skill'), limit, before)
  if (!result.ok) return result
  const { items, next } = result.value
  if (items.length === 0) {
    // A built-in skill may have no history in this workspace, but an unknown skill is an error.
    const existing = await entryOf(c, caller)
    if (!existing.ok) return existing
  }
  const data = await withFiles(items, skillContent(c.env, caller.workspace))
  return json({ data, next_cursor: next === null ? null : encodeCursor([next]) })
}

async function versions(c: HttpContext, caller: Caller): Promise<Reply> {
  const page = pageQuery(c)
  if (!page.ok) return page
  const result = await catalogOf(c, caller).versions(param(c, 'skill'))
  if (!result.ok) return result
  const key = (version: VersionInfo): string => `${version.created_at} ${version.digest}`
  return pageFrom(page.value, result.value, key, 'descending')
}

const UNFINISHED =
  'The storage did not respond, so some bytes of this version remain. They will be deleted later; to retry now, send this request again.'

/** What a purge does not delete. The response reports it, because the caller may be purging a secret. */
const NOT_PURGED = [
  'Transcripts and event logs of conversations keep what was loaded or read from this version; delete those threads.',
  'System prompts keep its name, description and tags.',
  'Catalog indexes keep the fields of its SKILL.md (name, description, tags, license, allowed_tools, disallowed_tools, dependencies, argument_hint, card, version, changelog), its findings (diagnostics), and some search terms of its body, except those that look like keys or tokens. A password of ordinary words may be among them.',
  'A commit over 512 KiB remains in R2 for a day after it was sent, with the SKILL.md fields of its skills and their findings.',
  'KV is eventually consistent, and isolates keep what they have read in memory until they are evicted; Satchel stops serving it immediately.',
  'Files that are also part of another version in this workspace, or of a built-in skill, are kept.',
  'A published secret is compromised: rotate it wherever it is used.',
]

async function purge(c: HttpContext, caller: Caller): Promise<Reply> {
  const digest = param(c, 'digest')
  const skill = param(c, 'skill')
  if (!isSha256(digest))
    return fail(
      'not_found',
      `Specify the version by its digest. GET /admin/skills/${skill}/versions lists the versions.`,
    )
  const note = readNoteQuery(c.req.raw)
  if (!note.ok) return note
  const result = await catalogOf(c, caller).purge({ name: skill, digest }, note.value, authorOf(caller))
  if (!result.ok) return result
  const { at, author, done: isComplete } = result.value
  return json({
    skill,
    digest,
    purged: { at, author, note: result.value.note },
    done: isComplete,
    remains: isComplete ? NOT_PURGED : [UNFINISHED, ...NOT_PURGED],
  })
}

/** The digests in ?from= and ?to=, or null where absent. */
function digestsToCompare(
  c: HttpContext,
): Result<{ readonly from: string | null; readonly to: string | null }> {
  const [from, to] = [c.req.query('from') ?? null, c.req.query('to') ?? null]
  for (const [path, digest] of Object.entries({ from, to }))
    if (digest !== null && !isSha256(digest))
      return invalidField(path, 'must be the digest of a version: 64 lower-case hex digits')
  return ok({ from, to })
}

const diff = queueComparison(async (c, caller, pace) => {
  const digests = digestsToCompare(c)
  if (!digests.ok) return digests
  const { from, to } = digests.value
  const content = skillContent(c.env, caller.workspace, pace)
  const deps = { catalog: catalogOf(c, caller), content, build: currentBuild() }
  const pair = await versionPair(param(c, 'skill'), from, to, deps)
  if (!pair.ok) return pair
  const result = await diffVersions(pair.value, content, pace)
  if (!result.ok) return result
  if (!/\btext\/x-(?:diff|patch)\b/.test(c.req.header('Accept') ?? '')) return json(result.value)
  const headers = { 'Content-Type': 'text/x-diff; charset=utf-8', 'Cache-Control': 'no-store' }
  return new Response(patchText(result.value), { headers })
})

/** Refuses names that are too long to exist, without looking them up. */
function withSkillNameCheck(handle: Handle): Handle {
  return (c, caller) => (param(c, 'skill').length > SKILL_PATH_MAX_CHARS ? NO_SKILL : handle(c, caller))
}

export const adminSkillRoutes: readonly KeyedRoute[] = [
  route('publisher', 'POST', '/admin/skills', publish, ['dry_run', 'note', 'accept']),
  route('publisher', 'GET', '/admin/skills', limitCatalogRead(list), PAGE_QUERY),
  route('publisher', 'GET', '/admin/skills/:skill', limitCatalogRead(withSkillNameCheck(showSkill))),
  route('publisher', 'PATCH', '/admin/skills/:skill', withSkillNameCheck(patch), ['dry_run']),
  route('publisher', 'DELETE', '/admin/skills/:skill', withSkillNameCheck(unpublish), ['dry_run']),
  route('publisher', 'POST', '/admin/skills/:skill/rollback', withSkillNameCheck(rollback), ['dry_run']),
  route(
    'publisher',
    'GET',
    '/admin/skills/:skill/versions',
    limitCatalogRead(withSkillNameCheck(versions)),
    PAGE_QUERY,
  ),
  route('admin', 'DELETE', '/admin/skills/:skill/versions/:digest', withSkillNameCheck(purge), ['note']),
  route(
    'publisher',
    'GET',
    '/admin/skills/:skill/history',
    limitCatalogRead(withSkillNameCheck(history)),
    PAGE_QUERY,
  ),
  route('publisher', 'GET', '/admin/skills/:skill/diff', withSkillNameCheck(diff), ['from', 'to']),
]
