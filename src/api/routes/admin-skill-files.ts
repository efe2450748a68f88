// Downloads of skill versions, as an archive or as single files. Any published version can be downloaded, even if it is not live.

import { objects } from '../../env/env.ts'
import { isSha256 } from '../../lib/bytes.ts'
import type { Caller } from '../../lib/caller.ts'
import { err, fail, ok, type Result } from '../../lib/result.ts'
import type { Pace } from '../../lib/steps.ts'
import { SKILL_PATH_MAX_CHARS } from '../../limits/skills.ts'
import { checkSkillPath } from '../../skills/format/path.ts'
import { tooLongForTar } from '../../skills/package/archive-paths.ts'
import { streamArchive } from '../../skills/package/archive-stream.ts'
import type { IndexEntry } from '../../skills/skill.ts'
import { skillContent } from '../../skills/store/content.ts'
import { queueArchive, limitCatalogRead } from '../admission/queues.ts'
import { download, isKnown, notModified, validators } from '../streams/download.ts'
import { invalidField } from '../problems/field-errors.ts'
import { param, route, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'
import { skillFile } from '../skills/skill-file.ts'
import { liveIndex } from './skills.ts'

const CACHE = 'private, no-cache'

const NO_SKILL =
  'No skill with this name is live. GET /admin/skills lists the live skills. To download an unpublished skill, add ?digest=<digest>.'

/** The version that `?digest=` names, by default the live one. Failures: `not_found`, `invalid_request`, and those of the stores. */
async function requestedVersion(c: HttpContext, caller: Caller): Promise<Result<IndexEntry>> {
  const name = param(c, 'skill')
  if (name.length > SKILL_PATH_MAX_CHARS) return fail('not_found', NO_SKILL)
  const digest = c.req.query('digest')
  if (digest !== undefined && !isSha256(digest))
    return invalidField('digest', 'must be 64 lower-case hex digits')
  const live = await liveIndex(c, caller.workspace)
  if (!live.ok) return live
  const entry = live.value.index.skills.find((skill) => skill.name === name)
  if (digest === undefined) return entry ? ok(entry) : fail('not_found', NO_SKILL)
  if (entry?.digest === digest) return ok(entry)
  return objects(c.env).catalog(caller.workspace).version(name, digest)
}

async function downloadArchive(c: HttpContext, caller: Caller, pace: Pace): Promise<Reply> {
  const format = c.req.query('format') ?? 'skill'
  if (format !== 'skill' && format !== 'tar.gz') return invalidField('format', 'must be skill or tar.gz')
  const entry = await requestedVersion(c, caller)
  if (!entry.ok) return entry
  const { name, digest } = entry.value
  if (isKnown(c, digest)) return notModified(digest, CACHE)
  const type = format === 'skill' ? 'application/zip' : 'application/gzip'
  const fileName = `${name}.${format}`
  const content = skillContent(c.env, caller.workspace)
  const manifest = await content.manifest(entry.value)
  if (!manifest.ok) return manifest
  const digestsByPath = new Map(manifest.value.map(({ path, sha256 }) => [path, sha256]))
  const failure = format === 'skill' ? null : tooLongForTar(digestsByPath.keys())
  if (failure) return err(failure)
  // A HEAD request does not need the body, so the archive is not packed.
  if (c.req.method === 'HEAD') return download(null, type, fileName, validators(digest, CACHE))
  const { skillPacker, tarGzPacker } = await import('../../skills/package/archive-pack.ts')
  const archiveStream = await streamArchive(
    format === 'skill' ? skillPacker(archiveFolderName(name)) : tarGzPacker(),
    digestsByPath.keys(),
    (path) => content.file(entry.value, digestsByPath.get(path) ?? ''),
    ({ detail }) => {
      const line = { at: 'archive', request_id: c.var.requestId, skill: name, digest, error: detail }
      console.error(JSON.stringify(line))
    },
    pace,
  )
  if (!archiveStream.ok) return archiveStream
  return download(archiveStream.value, type, fileName, validators(digest, CACHE))
}

async function downloadFile(c: HttpContext, caller: Caller): Promise<Reply> {
  const entry = await requestedVersion(c, caller)
  if (!entry.ok) return entry
  return skillFile(c, caller.workspace, entry.value)
}

/** The name of the directory in the archive. Names of built-in skills may be invalid as directory names. */
function archiveFolderName(name: string): string {
  return !name.includes('/') && checkSkillPath(name).ok ? name : 'skill'
}

export const adminSkillFileRoutes: readonly KeyedRoute[] = [
  route('publisher', 'GET', '/admin/skills/:skill/archive', queueArchive(downloadArchive), [
    'format',
    'digest',
  ]),
  route('publisher', 'GET', '/admin/skills/:skill/files/:path{.+}', limitCatalogRead(downloadFile), [
    'digest',
  ]),
]
