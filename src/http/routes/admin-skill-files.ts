// Versions on their way out: one as an archive, or one of its files. Any version ever published, live or not.

import { objects } from '../../env.ts'
import { fromUtf8, isSha256 } from '../../lib/bytes.ts'
import type { Caller } from '../../lib/caller.ts'
import { inParallel } from '../../lib/parallel.ts'
import { err, fail, ok, type Failure, type Result } from '../../lib/result.ts'
import { SKILL_PATH_MAX_CHARS, STORE_CONCURRENCY } from '../../limits.ts'
import { checkSkillPath } from '../../skills/format/path.ts'
import { packSkill, packTarGz } from '../../skills/package/archive-pack.ts'
import type { FileMap } from '../../skills/package/skill-folder.ts'
import type { IndexEntry } from '../../skills/skill.ts'
import { skillContent } from '../../skills/store/content.ts'
import type { ContentReader } from '../../skills/store/content-reader.ts'
import { param, refuse, type HttpContext, type KeyedRoute } from '../route.ts'
import { liveIndex } from './skills.ts'

const NO_SKILL =
  'No such skill is live. GET /admin/skills lists those that are; a retired one needs its digest.'

/** The version that `?digest=` names, else the live one. Failures: `not_found`, `invalid_request`, the stores'. */
async function asked(c: HttpContext, caller: Caller): Promise<Result<IndexEntry>> {
  const name = param(c, 'skill')
  if (name.length > SKILL_PATH_MAX_CHARS) return fail('not_found', NO_SKILL)
  const digest = c.req.query('digest')
  if (digest !== undefined && !isSha256(digest))
    return err(wrong('digest', 'must be 64 lower-case hex digits'))
  const live = await liveIndex(c, caller.workspace)
  if (!live.ok) return live
  const entry = live.value.index.skills.find((skill) => skill.name === name)
  if (digest === undefined) return entry ? ok(entry) : fail('not_found', NO_SKILL)
  if (entry?.digest === digest) return ok(entry)
  return objects(c.env).catalog(caller.workspace).version(name, digest)
}

function wrong(field: string, message: string): Failure {
  return { code: 'invalid_request', detail: `${field} ${message}.`, errors: [{ path: field, message }] }
}

async function archive(c: HttpContext, caller: Caller): Promise<Response> {
  const format = c.req.query('format') ?? 'skill'
  if (format !== 'skill' && format !== 'tar.gz') return refuse(c, wrong('format', 'must be skill or tar.gz'))
  const entry = await asked(c, caller)
  if (!entry.ok) return refuse(c, entry.error)
  const { name, digest } = entry.value
  if (isKnown(c, digest)) return notModified(digest)
  const files = await filesOf(entry.value, skillContent(c.env, caller.workspace))
  if (!files.ok) return refuse(c, files.error)
  const packed =
    format === 'skill' ? ok(packSkill(folderOf(name), files.value)) : await packTarGz(files.value)
  if (!packed.ok) return refuse(c, packed.error)
  const type = format === 'skill' ? 'application/zip' : 'application/gzip'
  return download(packed.value, type, `${name}.${format}`, digest)
}

/** One file at a time from the stores; together they have at most SKILL_BYTES_MAX. */
async function filesOf(entry: IndexEntry, content: ContentReader): Promise<Result<FileMap>> {
  const manifest = await content.manifest(entry)
  if (!manifest.ok) return manifest
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  let failure: Failure | null = null
  await inParallel(manifest.value, STORE_CONCURRENCY, async ({ path, sha256 }) => {
    if (failure) return
    const bytes = await content.file(entry, sha256)
    if (bytes.ok) files.set(path, bytes.value)
    else failure = bytes.error
  })
  return failure ? err(failure) : ok(files)
}

async function file(c: HttpContext, caller: Caller): Promise<Response> {
  const entry = await asked(c, caller)
  if (!entry.ok) return refuse(c, entry.error)
  const content = skillContent(c.env, caller.workspace)
  const manifest = await content.manifest(entry.value)
  if (!manifest.ok) return refuse(c, manifest.error)
  // The path is only looked up in the list of files: it is part of no key.
  const path = param(c, 'path')
  const found = manifest.value.find((one) => one.path === path)
  if (!found)
    return refuse(c, {
      code: 'not_found',
      detail: 'This version has no such file. GET /admin/skills/{skill} lists the files of the live one.',
    })
  if (isKnown(c, found.sha256)) return notModified(found.sha256)
  const bytes = await content.file(entry.value, found.sha256)
  if (!bytes.ok) return refuse(c, bytes.error)
  const isText = !bytes.value.includes(0) && fromUtf8(bytes.value) !== null
  const type = isText ? 'text/plain; charset=utf-8' : 'application/octet-stream'
  return download(bytes.value, type, path.split('/').at(-1) ?? '', found.sha256)
}

/** Others wrote these bytes: no browser may show them as a page. */
function download(bytes: Uint8Array<ArrayBuffer>, type: string, name: string, tag: string): Response {
  const safe = name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '')
  return new Response(bytes, {
    headers: {
      ...validators(tag),
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${safe === '' ? 'file' : safe}"`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

function validators(tag: string): Record<string, string> {
  return { ETag: `"${tag}"`, 'Cache-Control': 'private, no-cache' }
}

function isKnown(c: HttpContext, tag: string): boolean {
  const known = (c.req.header('If-None-Match') ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  return known.includes(`"${tag}"`) || known.includes('*')
}

function notModified(tag: string): Response {
  return new Response(null, { status: 304, headers: validators(tag) })
}

/** Built-in skills may have names that are no folder's. */
function folderOf(name: string): string {
  return !name.includes('/') && checkSkillPath(name).ok ? name : 'skill'
}

export const adminSkillFileRoutes: readonly KeyedRoute[] = [
  {
    method: 'GET',
    path: '/admin/skills/:skill/archive',
    role: 'publisher',
    query: ['format', 'digest'],
    handle: archive,
  },
  {
    method: 'GET',
    path: '/admin/skills/:skill/files/:path{.+}',
    role: 'publisher',
    query: ['digest'],
    handle: file,
  },
]
