// Publishing, switching, pinning and rolling back skills.

import { z } from 'zod'
import { objects } from '../../env.ts'
import { fromBase64, utf8 } from '../../lib/bytes.ts'
import type { Caller } from '../../lib/caller.ts'
import { decodeCursor, encodeCursor } from '../../lib/cursor.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { PUBLISH_BODY_MAX_BYTES } from '../../limits.ts'
import type { Actor, CatalogApi, LiveCatalog } from '../../skills/catalog-api.ts'
import { skillContent, skillStores } from '../../skills/content.ts'
import { publishFiles } from '../../skills/publish.ts'
import type { FileMap } from '../../skills/skill-folder.ts'
import { skillInfo } from '../../skills/skill-info.ts'
import { readJson } from '../body.ts'
import { currentBuild } from '../build.ts'
import { pageOf } from '../page.ts'
import { answer, json, param, refuse, type HttpContext, type KeyedRoute } from '../route.ts'
import { liveIndex, skillDetail, skillPage } from './skills.ts'

const Publish = z.strictObject({
  files: z.record(z.string().min(1), z.union([z.string(), z.strictObject({ base64: z.string() })])),
  note: z.string().max(2_000).optional(),
})

const Patch = z
  .strictObject({
    enabled: z.boolean().optional(),
    digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, 'must change enabled or digest')

const Rollback = z.strictObject({
  to: z.union([z.string().regex(/^[0-9a-f]{64}$/), z.int().max(-1).min(-1_000)]).default(-1),
})

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
      return fail('invalid_request', 'A file is not base64.', {
        errors: [{ path: `files.${path}`, message: 'must be padded standard base64' }],
      })
    files.set(path, bytes)
  }
  return ok(files)
}

/** `If-Match: "<digest>"`: publish only over that live version. */
function expectation(c: HttpContext): string | undefined {
  return c.req
    .header('If-Match')
    ?.replace(/^W\//, '')
    .replaceAll('"', '')
    .replace(/^sha256:/, '')
}

async function publish(c: HttpContext, caller: Caller): Promise<Response> {
  const body = await readJson(c.req.raw, Publish, PUBLISH_BODY_MAX_BYTES)
  if (!body.ok) return refuse(c, body.error)
  const files = filesOf(body.value.value.files)
  if (!files.ok) return refuse(c, files.error)
  const expect = expectation(c)
  const dryRun = ['1', 'true'].includes(c.req.query('dry_run') ?? '')
  const published = await publishFiles(
    {
      files: files.value,
      note: body.value.value.note ?? null,
      actor: actorOf(caller),
      build: currentBuild(),
      dryRun,
      ...(expect === undefined ? {} : { expect }),
    },
    {
      workspace: caller.workspace,
      stores: skillStores(c.env),
      content: skillContent(c.env, caller.workspace),
      catalog: catalogOf(c, caller),
    },
  )
  if (!published.ok) return refuse(c, published.error)
  return json(c, published.value, published.value.created ? 201 : 200)
}

/** The skill as it is after a change, with the catalog version the change made. */
async function changed(c: HttpContext, caller: Caller, done: Result<LiveCatalog>): Promise<Response> {
  if (!done.ok) return refuse(c, done.error)
  const index = await skillContent(c.env, caller.workspace).index(done.value.index)
  if (!index.ok) return refuse(c, index.error)
  const entry = index.value.skills.find((skill) => skill.name === param(c, 'skill'))
  return json(c, { skill: entry ? skillInfo(entry) : null, catalog_version: done.value.version })
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
  return live.ok ? skillPage(c, live.value.index.skills, live.value.version) : refuse(c, live.error)
}

async function one(c: HttpContext, caller: Caller): Promise<Response> {
  const live = await liveIndex(c, caller.workspace)
  if (!live.ok) return refuse(c, live.error)
  const entry = live.value.index.skills.find((skill) => skill.name === param(c, 'skill'))
  return entry
    ? skillDetail(c, caller.workspace, entry)
    : refuse(c, { code: 'not_found', detail: 'No such skill is in the catalog.' })
}

async function history(c: HttpContext, caller: Caller): Promise<Response> {
  const page = pageOf(c)
  if (!page.ok) return refuse(c, page.error)
  const before = page.value.cursor === null ? null : decodeCursor(page.value.cursor, ['number'])
  if (page.value.cursor !== null && !before)
    return refuse(c, {
      code: 'bad_cursor',
      detail: 'The cursor is not one of this list. Start again without it.',
    })
  const found = await catalogOf(c, caller).history(param(c, 'skill'), page.value.limit, before?.[0] ?? null)
  if (!found.ok) return refuse(c, found.error)
  const { items, next } = found.value
  return json(c, { data: items, next_cursor: next === null ? null : encodeCursor([next]) })
}

async function versions(c: HttpContext, caller: Caller): Promise<Response> {
  const found = await catalogOf(c, caller).versions(param(c, 'skill'))
  return found.ok ? json(c, { data: found.value, next_cursor: null }) : refuse(c, found.error)
}

async function catalog(c: HttpContext, caller: Caller): Promise<Response> {
  const live = await catalogOf(c, caller).live(currentBuild())
  return answer(c, live.ok ? ok({ ...live.value, build: currentBuild() }) : live)
}

const at = '/admin/skills/:skill'

export const adminSkillRoutes: readonly KeyedRoute[] = [
  { method: 'POST', path: '/admin/skills', role: 'publisher', handle: publish },
  { method: 'GET', path: '/admin/skills', role: 'publisher', handle: list },
  { method: 'GET', path: at, role: 'publisher', handle: one },
  { method: 'PATCH', path: at, role: 'publisher', handle: patch },
  {
    method: 'DELETE',
    path: at,
    role: 'publisher',
    handle: async (c, caller) =>
      changed(
        c,
        caller,
        await catalogOf(c, caller).retire(currentBuild(), param(c, 'skill'), actorOf(caller)),
      ),
  },
  { method: 'POST', path: `${at}/rollback`, role: 'publisher', handle: rollback },
  { method: 'GET', path: `${at}/versions`, role: 'publisher', handle: versions },
  { method: 'GET', path: `${at}/history`, role: 'publisher', handle: history },
  { method: 'GET', path: '/admin/catalog', role: 'publisher', handle: catalog },
]
