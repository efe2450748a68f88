// One skill at a time: publishing, switching, pinning, rolling back, and what its versions were.

import * as z from 'zod'
import type { Caller } from '../../lib/caller.ts'
import { encodeCursor } from '../../lib/cursor.ts'
import { isSha256 } from '../../lib/bytes.ts'
import { fail, ok, type Failure, type Result } from '../../lib/result.ts'
import { ROLLBACK_MAX_STEPS, SKILL_PATH_MAX_CHARS } from '../../limits.ts'
import type { SkillWish, VersionInfo } from '../../skills/catalog/api.ts'
import { publishFiles } from '../../skills/publish/publish.ts'
import { diffVersions, patchText } from '../../skills/publish/version-diff.ts'
import { versionPair, withFiles } from '../../skills/publish/versions-read.ts'
import { sharingFindings, sharingFindingsOfEntry } from '../../skills/package/sharing.ts'
import type { IndexEntry } from '../../skills/skill.ts'
import { skillInfo, type SkillInfo } from '../../skills/view/skill-info.ts'
import { skillContent } from '../../skills/store/content.ts'
import { comparison } from '../heavy.ts'
import { readJson } from '../json-body.ts'
import { currentBuild } from '../build.ts'
import { Sha256 } from '../fields.ts'
import { numberedPageOf, pageFrom, pageOf } from '../page.ts'
import { PAGE_QUERY } from '../query.ts'
import { answer, json, param, refuse, type HttpContext, type KeyedRoute } from '../route.ts'
import { authorOf, catalogOf, changing, etag, skillDeps, skillTerms } from '../skill-change.ts'
import { noteInQuery, readSkillUpload } from '../skill-upload.ts'
import { liveIndex, skillDetail, skillPage } from './skills.ts'

const Patch = z
  .strictObject({
    enabled: z.boolean().optional(),
    shareable: z.boolean().optional(),
    digest: Sha256.optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, 'must change enabled, shareable or digest')

function isWayBack(to: unknown): boolean {
  if (typeof to === 'string') return isSha256(to)
  return typeof to === 'number' && Number.isInteger(to) && to < 0 && to >= -ROLLBACK_MAX_STEPS
}

const Rollback = z.strictObject({
  /** A digest, or how many live versions back. */
  to: z.custom<string | number>(isWayBack, 'must be a digest, or -1, -2 and so on').default(-1),
})

const NO_SKILL: Failure = {
  code: 'not_found',
  detail: 'No such skill is in the catalog. GET /admin/skills lists them.',
}

type Handle = KeyedRoute['handle']

const publish = changing(skillTerms, async (c, caller, terms, pace) => {
  const upload = await readSkillUpload(c.req.raw, pace.alive)
  if (!upload.ok) return refuse(c, upload.error)
  const published = await publishFiles({ ...upload.value, ...terms }, skillDeps(c, caller, pace))
  if (!published.ok) return refuse(c, published.error)
  if (terms.dryRun) return json({ ...published.value, dry_run: true })
  const { skill, created } = published.value
  return json(published.value, created ? 201 : 200, etag(skill))
})

/** A change that brings no bytes; `wishOf` reads what is wished of the skill. */
function wishing(
  wishOf: (c: HttpContext, on: Pick<SkillWish, 'skill' | 'expect'>) => Promise<Result<SkillWish>>,
): Handle {
  return changing(skillTerms, async (c, caller, { expect, ...terms }) => {
    const wish = await wishOf(c, { skill: param(c, 'skill'), expect })
    if (!wish.ok) return refuse(c, wish.error)
    const done = await catalogOf(c, caller).change({ ...terms, wish: wish.value })
    if (!done.ok) return refuse(c, done.error)
    const { version: catalog_version, skill: entry, changes } = done.value
    const answered = { skill: entry && toldOf(entry), catalog_version }
    if (!terms.dryRun) return json(answered, 200, entry ? etag(entry) : {})
    // Who is named as shared or unshared stands in another list, too.
    return json({ ...answered, changed: [...new Set(Object.values(changes).flat())], dry_run: true })
  })
}

/** With what speaks against sharing it, as far as that is told without its files. */
function toldOf(entry: IndexEntry): SkillInfo {
  return { ...skillInfo(entry), diagnostics: [...entry.diagnostics, ...sharingFindingsOfEntry(entry)] }
}

const patch = wishing(async (c, on) => {
  const body = await readJson(c.req.raw, Patch)
  return body.ok ? ok({ ...on, kind: 'patch', patch: body.value.value }) : body
})

const rollback = wishing(async (c, on) => {
  const body = await readJson(c.req.raw, Rollback)
  return body.ok ? ok({ ...on, kind: 'rollback', to: body.value.value.to }) : body
})

const retire = wishing(async (_, on) => ok({ ...on, kind: 'retire' }))

async function list(c: HttpContext, caller: Caller): Promise<Response> {
  const live = await liveIndex(c, caller.workspace)
  return live.ok ? skillPage(c, live.value) : refuse(c, live.error)
}

async function entryOf(c: HttpContext, caller: Caller): Promise<Result<IndexEntry>> {
  const found = await catalogOf(c, caller).entries(currentBuild(), [param(c, 'skill')])
  if (!found.ok) return found
  const [entry] = found.value
  return entry ? ok(entry) : { ok: false, error: NO_SKILL }
}

async function one(c: HttpContext, caller: Caller): Promise<Response> {
  const entry = await entryOf(c, caller)
  return entry.ok ? skillDetail(c, caller.workspace, entry.value, sharingFindings) : refuse(c, entry.error)
}

async function history(c: HttpContext, caller: Caller): Promise<Response> {
  const page = numberedPageOf(c)
  if (!page.ok) return refuse(c, page.error)
  const { before, limit } = page.value
  const found = await catalogOf(c, caller).history(param(c, 'skill'), limit, before)
  if (!found.ok) return refuse(c, found.error)
  const { items, next } = found.value
  if (items.length === 0) {
    // A built-in skill may have no history here; an unknown one is unknown.
    const there = await entryOf(c, caller)
    if (!there.ok) return refuse(c, there.error)
  }
  const data = await withFiles(items, skillContent(c.env, caller.workspace))
  return json({ data, next_cursor: next === null ? null : encodeCursor([next]) })
}

async function versions(c: HttpContext, caller: Caller): Promise<Response> {
  const ask = pageOf(c)
  if (!ask.ok) return refuse(c, ask.error)
  const found = await catalogOf(c, caller).versions(param(c, 'skill'))
  if (!found.ok) return refuse(c, found.error)
  const key = (version: VersionInfo): string => `${version.created_at} ${version.digest}`
  return answer(c, pageFrom(ask.value, found.value, key, 'descending'))
}

const UNFINISHED =
  'The stores did not answer: some of its bytes are there still. They go by themselves, or send this request again.'

/** What a purge cannot reach; whoever purges a secret should know it. */
const REMAINS = [
  'Transcripts and event logs of conversations keep what was loaded or read of this version; delete those threads.',
  'System prompts keep its name, description and tags.',
  'Catalog indexes keep what its SKILL.md says of it (name, description, tags, license, allowed_tools, disallowed_tools, dependencies, argument_hint, version, changelog), its findings (diagnostics), and some telling words of its body, without those that look like keys or tokens: a password of plain words may be among them.',
  'KV is eventually consistent, and isolates keep what they read in memory until they are evicted; Satchel refuses it to everybody at once.',
  'Files that another version here or a built-in skill shares stay.',
  'A secret that was published is known: change it where it is used.',
]

async function purge(c: HttpContext, caller: Caller): Promise<Response> {
  const digest = param(c, 'digest')
  const skill = param(c, 'skill')
  if (!isSha256(digest))
    return refuse(c, {
      code: 'not_found',
      detail: `A version is named by its digest. GET /admin/skills/${skill}/versions lists them.`,
    })
  const note = noteInQuery(c.req.raw)
  if (!note.ok) return refuse(c, note.error)
  const done = await catalogOf(c, caller).purge({ name: skill, digest }, note.value, authorOf(caller))
  if (!done.ok) return refuse(c, done.error)
  const { at, author, done: finished } = done.value
  return json({
    skill,
    digest,
    purged: { at, author, note: done.value.note },
    done: finished,
    remains: finished ? REMAINS : [UNFINISHED, ...REMAINS],
  })
}

/** ?from= and ?to=: digests, each null when it is not given. */
function sides(c: HttpContext): Result<{ readonly from: string | null; readonly to: string | null }> {
  const [from, to] = [c.req.query('from') ?? null, c.req.query('to') ?? null]
  for (const [path, digest] of Object.entries({ from, to }))
    if (digest !== null && !isSha256(digest))
      return fail('invalid_request', `${path} takes the digest of a version: 64 lower-case hex digits.`, {
        errors: [{ path, message: 'must be a digest' }],
      })
  return ok({ from, to })
}

const diff = comparison(async (c, caller, pace) => {
  const asked = sides(c)
  if (!asked.ok) return refuse(c, asked.error)
  const { from, to } = asked.value
  const content = skillContent(c.env, caller.workspace, pace)
  const deps = { catalog: catalogOf(c, caller), content, build: currentBuild() }
  const pair = await versionPair(param(c, 'skill'), from, to, deps)
  if (!pair.ok) return refuse(c, pair.error)
  const found = await diffVersions(pair.value, content, pace)
  if (!found.ok) return refuse(c, found.error)
  if (!/\btext\/x-(?:diff|patch)\b/.test(c.req.header('Accept') ?? '')) return json(found.value)
  const headers = { 'Content-Type': 'text/x-diff; charset=utf-8', 'Cache-Control': 'no-store' }
  return new Response(patchText(found.value), { headers })
})

/** A route on one skill. What is too long for a name is no skill's, and is not searched for. */
function onSkill(
  method: KeyedRoute['method'],
  rest: string,
  handle: Handle,
  query: readonly string[] = [],
): KeyedRoute {
  return {
    method,
    path: `/admin/skills/:skill${rest}`,
    role: 'publisher',
    query,
    handle: (c, caller) =>
      param(c, 'skill').length > SKILL_PATH_MAX_CHARS ? refuse(c, NO_SKILL) : handle(c, caller),
  }
}

export const adminSkillRoutes: readonly KeyedRoute[] = [
  { method: 'POST', path: '/admin/skills', role: 'publisher', query: ['dry_run', 'note'], handle: publish },
  { method: 'GET', path: '/admin/skills', role: 'publisher', query: PAGE_QUERY, handle: list },
  onSkill('GET', '', one),
  onSkill('PATCH', '', patch, ['dry_run']),
  onSkill('DELETE', '', retire, ['dry_run']),
  onSkill('POST', '/rollback', rollback, ['dry_run']),
  onSkill('GET', '/versions', versions, PAGE_QUERY),
  { ...onSkill('DELETE', '/versions/:digest', purge, ['note']), role: 'admin' },
  onSkill('GET', '/history', history, PAGE_QUERY),
  onSkill('GET', '/diff', diff, ['from', 'to']),
]
