// Publishing, switching, pinning and rolling back skills.

import { z } from 'zod'
import { objects } from '../../env.ts'
import { fromBase64, isSha256, utf8 } from '../../lib/bytes.ts'
import type { Caller } from '../../lib/caller.ts'
import { decodeCursor, encodeCursor } from '../../lib/cursor.ts'
import { fail, ok, type Failure, type Result } from '../../lib/result.ts'
import {
  PUBLISH_BODY_MAX_BYTES,
  PUBLISH_NOTE_MAX_CHARS,
  ROLLBACK_MAX_STEPS,
  SKILL_PATH_MAX_CHARS,
} from '../../limits.ts'
import type { Actor, CatalogApi, VersionInfo } from '../../skills/catalog/api.ts'
import { skillContent, skillStores } from '../../skills/store/content.ts'
import { publishFiles } from '../../skills/catalog/publish.ts'
import type { IndexEntry, LiveCatalog } from '../../skills/skill.ts'
import type { FileMap } from '../../skills/package/skill-folder.ts'
import { skillInfo } from '../../skills/catalog/skill-info.ts'
import { readJson } from '../json-body.ts'
import { currentBuild } from '../build.ts'
import { later, nothing, Sha256, shortText } from '../fields.ts'
import { BAD_CURSOR, pageFrom, pageOf } from '../page.ts'
import { answer, json, param, refuse, type HttpContext, type KeyedRoute } from '../route.ts'
import { liveIndex, skillDetail, skillPage } from './skills.ts'

const Publish = z.strictObject({
  files: z.record(z.string().min(1), z.union([z.string(), z.strictObject({ base64: z.string() })])),
  note: shortText(PUBLISH_NOTE_MAX_CHARS).optional(),
})

const Patch = z
  .strictObject({
    enabled: z.boolean().optional(),
    digest: Sha256.optional(),
    shareable: later(nothing),
  })
  .refine((patch) => Object.keys(patch).length > 0, 'must change enabled or digest')

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

function actorOf(caller: Caller): Actor {
  return { keyId: caller.keyId, user: caller.user }
}

function catalogOf(c: HttpContext, caller: Caller): CatalogApi {
  return objects(c.env).catalog(caller.workspace)
}

function filesOf(sent: z.infer<typeof Publish>['files']): Result<FileMap> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const [path, content] of Object.entries(sent)) {
    const bytes = typeof content === 'string' ? utf8(content) : fromBase64(content.base64)
    if (!bytes)
      return fail('invalid_request', `The file ${JSON.stringify(path.slice(0, 200))} is not base64.`, {
        errors: [{ path: `files.${path}.base64`, message: 'must be padded standard base64' }],
      })
    files.set(path, bytes)
  }
  return ok(files)
}

/** `If-Match: "<digest>"`: publish only over that live version. Absent: over whatever is live. */
function expectation(c: HttpContext): Result<string | undefined> {
  const text = c.req.header('If-Match')
  if (text === undefined) return ok(undefined)
  const digest = /^(?:W\/)?"?(?:sha256:)?([0-9a-f]{64})"?$/.exec(text.trim())?.[1]
  if (digest !== undefined) return ok(digest)
  return fail('invalid_request', 'If-Match takes the digest of one version, as GET /admin/skills shows it.', {
    errors: [{ path: 'If-Match', message: 'must be one digest' }],
  })
}

/** A word it does not know must not turn a trial into a publish. */
function isDryRun(c: HttpContext): Result<boolean> {
  const text = c.req.query('dry_run') ?? '0'
  if (/^(?:0|1|true|false)$/.test(text)) return ok(text === '1' || text === 'true')
  return fail('invalid_request', 'dry_run takes 1 (validate only) or 0 (publish).', {
    errors: [{ path: 'dry_run', message: 'must be 1 or 0' }],
  })
}

async function publish(c: HttpContext, caller: Caller): Promise<Response> {
  const expect = expectation(c)
  if (!expect.ok) return refuse(c, expect.error)
  const dryRun = isDryRun(c)
  if (!dryRun.ok) return refuse(c, dryRun.error)
  const body = await readJson(c.req.raw, Publish, PUBLISH_BODY_MAX_BYTES)
  if (!body.ok) return refuse(c, body.error)
  const files = filesOf(body.value.value.files)
  if (!files.ok) return refuse(c, files.error)
  const published = await publishFiles(
    {
      files: files.value,
      note: body.value.value.note ?? null,
      actor: actorOf(caller),
      build: currentBuild(),
      dryRun: dryRun.value,
      ...(expect.value === undefined ? {} : { expect: expect.value }),
    },
    {
      workspace: caller.workspace,
      stores: skillStores(c.env),
      content: skillContent(c.env, caller.workspace),
      catalog: catalogOf(c, caller),
    },
  )
  if (!published.ok) return refuse(c, published.error)
  return json(published.value, published.value.created ? 201 : 200)
}

/** The skill as it is after a change, with the catalog version the change made. */
async function changed(c: HttpContext, caller: Caller, done: Result<LiveCatalog>): Promise<Response> {
  if (!done.ok) return refuse(c, done.error)
  const index = await skillContent(c.env, caller.workspace).index(done.value.index)
  if (!index.ok) return refuse(c, index.error)
  const entry = index.value.skills.find((skill) => skill.name === param(c, 'skill'))
  return json({ skill: entry ? skillInfo(entry) : null, catalog_version: done.value.version })
}

async function patch(c: HttpContext, caller: Caller): Promise<Response> {
  const body = await readJson(c.req.raw, Patch)
  if (!body.ok) return refuse(c, body.error)
  const { enabled, digest } = body.value.value
  const catalog = catalogOf(c, caller)
  const skill = param(c, 'skill')
  let done: Result<LiveCatalog> | null = null
  if (digest !== undefined) done = await catalog.pin(currentBuild(), skill, digest, actorOf(caller))
  if (enabled !== undefined && done?.ok !== false)
    done = await catalog.setEnabled(currentBuild(), skill, enabled, actorOf(caller))
  return changed(c, caller, done ?? fail('invalid_request', 'Nothing to change.'))
}

async function rollback(c: HttpContext, caller: Caller): Promise<Response> {
  const body = await readJson(c.req.raw, Rollback)
  if (!body.ok) return refuse(c, body.error)
  const done = await catalogOf(c, caller).rollback(
    currentBuild(),
    param(c, 'skill'),
    body.value.value.to,
    actorOf(caller),
  )
  return changed(c, caller, done)
}

async function list(c: HttpContext, caller: Caller): Promise<Response> {
  const live = await liveIndex(c, caller.workspace)
  return live.ok ? skillPage(c, live.value) : refuse(c, live.error)
}

async function entryOf(c: HttpContext, caller: Caller): Promise<Result<IndexEntry>> {
  const live = await liveIndex(c, caller.workspace)
  if (!live.ok) return live
  const entry = live.value.index.skills.find((skill) => skill.name === param(c, 'skill'))
  return entry
    ? ok(entry)
    : fail('not_found', 'No such skill is in the catalog. GET /admin/skills lists them.')
}

async function one(c: HttpContext, caller: Caller): Promise<Response> {
  const entry = await entryOf(c, caller)
  return entry.ok ? skillDetail(c, caller.workspace, entry.value) : refuse(c, entry.error)
}

async function history(c: HttpContext, caller: Caller): Promise<Response> {
  const page = pageOf(c)
  if (!page.ok) return refuse(c, page.error)
  const before = page.value.cursor === null ? null : decodeCursor(page.value.cursor, ['number'])
  if (page.value.cursor !== null && !before) return refuse(c, BAD_CURSOR)
  const found = await catalogOf(c, caller).history(param(c, 'skill'), page.value.limit, before?.[0] ?? null)
  if (!found.ok) return refuse(c, found.error)
  const { items, next } = found.value
  if (items.length === 0) {
    // A built-in skill that nobody touched has no history; an unknown one is unknown.
    const there = await entryOf(c, caller)
    if (!there.ok) return refuse(c, there.error)
  }
  return json({ data: items, next_cursor: next === null ? null : encodeCursor([next]) })
}

async function versions(c: HttpContext, caller: Caller): Promise<Response> {
  const ask = pageOf(c)
  if (!ask.ok) return refuse(c, ask.error)
  const found = await catalogOf(c, caller).versions(param(c, 'skill'))
  if (!found.ok) return refuse(c, found.error)
  const key = (version: VersionInfo): string => `${version.created_at} ${version.digest}`
  return answer(c, pageFrom(ask.value, found.value, key, 'descending'))
}

async function catalog(c: HttpContext, caller: Caller): Promise<Response> {
  const live = await catalogOf(c, caller).live(currentBuild())
  return answer(c, live.ok ? ok({ ...live.value, build: currentBuild() }) : live)
}

type Handle = KeyedRoute['handle']

const retire: Handle = async (c, caller) =>
  changed(c, caller, await catalogOf(c, caller).retire(currentBuild(), param(c, 'skill'), actorOf(caller)))

/** A route on one skill. What is too long for a name is no skill's, and is not searched for. */
function onSkill(method: KeyedRoute['method'], rest: string, handle: Handle): KeyedRoute {
  return {
    method,
    path: `/admin/skills/:skill${rest}`,
    role: 'publisher',
    handle: (c, caller) =>
      param(c, 'skill').length > SKILL_PATH_MAX_CHARS ? refuse(c, NO_SKILL) : handle(c, caller),
  }
}

export const adminSkillRoutes: readonly KeyedRoute[] = [
  { method: 'POST', path: '/admin/skills', role: 'publisher', handle: publish },
  { method: 'GET', path: '/admin/skills', role: 'publisher', handle: list },
  onSkill('GET', '', one),
  onSkill('PATCH', '', patch),
  onSkill('DELETE', '', retire),
  onSkill('POST', '/rollback', rollback),
  onSkill('GET', '/versions', versions),
  onSkill('GET', '/history', history),
  { method: 'GET', path: '/admin/catalog', role: 'publisher', handle: catalog },
]
