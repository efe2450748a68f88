// The routes of the catalog: its live version, its history, restoring a version, and changing many skills in one commit.

import * as z from 'zod'
import { mayActAs, type Caller } from '../../lib/caller.ts'
import { cutPage } from '../../lib/cursor.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Pace } from '../../lib/steps.ts'
import { PUBLISH_NOTE_MAX_CHARS } from '../../limits/requests.ts'
import {
  PUBLISH_BODY_MAX_BYTES,
  SKILL_FILE_MAX_BYTES,
  SKILL_FILES_MAX,
  SKILL_PATH_MAX_CHARS,
} from '../../limits/skills.ts'
import { COMMIT_FILES_MAX, COMMIT_SKILLS_MAX } from './limits.ts'
import { missingBlobs, putBlob } from '../../skills/publish/blobs.ts'
import { commitSkills } from '../../skills/publish/sent.ts'
import { skillContent } from '../../skills/store/content.ts'
import { readBytes } from '../bodies/body.ts'
import { currentBuild } from '../../skills/current-build.ts'
import { etag } from '../fields/conditions.ts'
import { Sha256, shortText } from '../fields/fields.ts'
import { queueBlob, limitCatalogRead } from '../admission/queues.ts'
import { readJson } from '../bodies/json-body.ts'
import { numberedPageQuery } from '../fields/page.ts'
import { PAGE_QUERY } from '../route/query.ts'
import { json, param, route, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'
import { Accept } from '../skills/accept.ts'
import { catalogOf, catalogTerms, changeRoute, skillDeps } from '../skills/change.ts'

/** Checks only the number of files. Their paths are checked when each skill is assembled. */
const Files = z
  .record(z.string().min(1), Sha256)
  .refine(
    (files) => Object.keys(files).length <= SKILL_FILES_MAX,
    `must have at most ${SKILL_FILES_MAX} files`,
  )
const Note = shortText(PUBLISH_NOTE_MAX_CHARS)

function limitedSkills<T extends { readonly files: Readonly<Record<string, string>> }>(
  skill: z.ZodType<T>,
): z.ZodType<T[]> {
  return z
    .array(skill)
    .max(COMMIT_SKILLS_MAX, `must have at most ${COMMIT_SKILLS_MAX} skills`)
    .refine(
      (skills) => skills.reduce((sum, { files }) => sum + Object.keys(files).length, 0) <= COMMIT_FILES_MAX,
      `must have at most ${COMMIT_FILES_MAX} files in total`,
    )
}

const PlanBody = z.strictObject({ skills: limitedSkills(z.strictObject({ files: Files })) })

const ExpectedDigest = Sha256.nullable().optional()
const SkillName = shortText(SKILL_PATH_MAX_CHARS)
const UnpublishedSkill = z.union([
  SkillName.transform((name) => ({ name })),
  z.strictObject({ name: SkillName, expect: ExpectedDigest }),
])

const CommitBody = z
  .strictObject({
    skills: limitedSkills(
      z.strictObject({
        files: Files,
        note: Note.optional(),
        accept: Accept.optional(),
        expect: ExpectedDigest,
      }),
    ).default([]),
    unpublish: z.array(UnpublishedSkill).max(COMMIT_SKILLS_MAX).default([]),
    note: Note.optional(),
  })
  .refine(({ skills, unpublish }) => skills.length + unpublish.length > 0, 'must name a skill')

const RestoreBody = z.strictObject({ version: z.int().positive(), note: Note.optional() })

async function showCatalog(c: HttpContext, caller: Caller): Promise<Reply> {
  const catalog = catalogOf(c, caller)
  const live = await catalog.live(currentBuild())
  if (!live.ok) return live
  const [newestVersions, mostUsed] = await Promise.all([
    catalog.catalogVersions(1, live.value.version + 1),
    catalog.mostUsed(),
  ])
  if (!newestVersions.ok) return newestVersions
  if (!mostUsed.ok) return mostUsed
  const index = await skillContent(c.env, caller.workspace).index(live.value.index)
  if (!index.ok) return index
  const { at, author, action, note } = newestVersions.value[0] ?? {}
  const { skills } = index.value
  const count = (matches: (entry: (typeof skills)[number]) => boolean): number =>
    skills.filter(matches).length
  const body = {
    ...live.value,
    build: currentBuild(),
    at,
    author,
    action,
    note,
    skills: {
      all: skills.length,
      public: count((entry) => entry.category === 'public'),
      custom: count((entry) => entry.category === 'custom'),
      enabled: count((entry) => entry.enabled),
      shareable: count((entry) => entry.shareable),
      shadowing: count((entry) => entry.shadows),
    },
    ...(mostUsed.value.length > 0 ? { used: mostUsed.value } : {}),
  }
  return json(body, 200, etag(live.value.version))
}

async function listVersions(c: HttpContext, caller: Caller): Promise<Reply> {
  const page = numberedPageQuery(c)
  if (!page.ok) return page
  const { before, limit } = page.value
  // Requests one more version than a page has, to know whether another page follows.
  const result = await catalogOf(c, caller).catalogVersions(limit + 1, before)
  if (!result.ok) return result
  return ok(cutPage(result.value, limit, ({ version }) => version))
}

const restore = changeRoute(catalogTerms, async (c, caller, terms) => {
  const body = await readJson(c.req.raw, RestoreBody)
  if (!body.ok) return body
  const { version, note = null } = body.value.data
  // Only admins may change tools, so a restore by a publisher restores only skills.
  const operation = { kind: 'restore', version, note, tools: mayActAs(caller, 'admin') } as const
  const result = await catalogOf(c, caller).change({ ...terms, operation })
  if (!result.ok) return result
  const { version: catalog_version, changes, toolChanges } = result.value
  const hasToolChanges = Object.values(toolChanges).some((names: readonly string[]) => names.length > 0)
  const tools = hasToolChanges ? { tools: toolChanges } : {}
  const responseFields = { catalog_version, restored: version, ...changes, ...tools }
  return terms.dryRun
    ? json({ ...responseFields, dry_run: true })
    : json(responseFields, 200, etag(catalog_version))
})

async function planCommit(c: HttpContext, caller: Caller, pace: Pace): Promise<Reply> {
  const body = await readJson(c.req.raw, PlanBody, PUBLISH_BODY_MAX_BYTES, pace.reportProgress)
  if (!body.ok) return body
  const digests = body.value.data.skills.flatMap(({ files }) => Object.values(files))
  const missing = await missingBlobs(digests, skillDeps(c, caller, pace))
  return missing.ok ? json({ missing: missing.value }) : missing
}

async function uploadBlob(c: HttpContext, caller: Caller, pace: Pace): Promise<Reply> {
  const sha256 = Sha256.safeParse(param(c, 'sha256'))
  if (!sha256.success)
    return fail(
      'invalid_request',
      'The last segment of the path must be the SHA-256 of the file: 64 lower-case hex digits.',
    )
  const bytes = await readBytes(c.req.raw, SKILL_FILE_MAX_BYTES, pace.reportProgress)
  if (!bytes.ok) return bytes
  const stored = await putBlob(sha256.data, bytes.value, skillDeps(c, caller, pace))
  if (!stored.ok) return stored
  return json({ sha256: sha256.data, bytes: bytes.value.byteLength }, stored.value ? 201 : 200)
}

const commitChanges = changeRoute(catalogTerms, async (c, caller, terms, pace) => {
  const body = await readJson(c.req.raw, CommitBody, PUBLISH_BODY_MAX_BYTES, pace.reportProgress)
  if (!body.ok) return body
  const request = { ...body.value.data, note: body.value.data.note ?? null, ...terms }
  const result = await commitSkills(request, skillDeps(c, caller, pace))
  if (!result.ok) return result
  if (terms.dryRun) return json({ ...result.value, dry_run: true })
  return json(result.value, 200, etag(result.value.catalog_version))
})

export const adminCatalogRoutes: readonly KeyedRoute[] = [
  route('publisher', 'GET', '/admin/catalog', limitCatalogRead(showCatalog)),
  route('publisher', 'GET', '/admin/catalog/versions', limitCatalogRead(listVersions), PAGE_QUERY),
  route('publisher', 'POST', '/admin/catalog/restore', restore, ['dry_run']),
  route('publisher', 'POST', '/admin/catalog/plan', queueBlob(planCommit)),
  route('publisher', 'POST', '/admin/catalog/commit', commitChanges, ['dry_run']),
  route('publisher', 'PUT', '/admin/blobs/:sha256', queueBlob(uploadBlob)),
]
