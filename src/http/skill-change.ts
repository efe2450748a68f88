// What every request that changes skills has: who asks, over what it may go, and how the answer looks.

import { objects } from '../env.ts'
import type { Caller } from '../lib/caller.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import type { Actor, CatalogApi, Expect, Over, Trial } from '../skills/catalog/api.ts'
import { skillInfo, type SkillInfo } from '../skills/view/skill-info.ts'
import { sharingFindingsOfEntry } from '../skills/package/sharing.ts'
import type { IndexEntry, LiveCatalog } from '../skills/skill.ts'
import { currentBuild } from './build.ts'
import { json, param, refuse, type HttpContext } from './route.ts'

export function actorOf(caller: Caller): Actor {
  return { keyId: caller.keyId, user: caller.user }
}

export function catalogOf(c: HttpContext, caller: Caller): CatalogApi {
  return objects(c.env).catalog(caller.workspace)
}

/** `If-Match: "<digest>"`: only over that live version; `*`: over any. `If-None-Match: *`: only where nothing is live. Neither: over all. */
export function expectation(c: HttpContext): Result<Expect> {
  const match = c.req.header('If-Match')
  const none = c.req.header('If-None-Match')
  if (match === undefined && none === undefined) return ok(undefined)
  if (match === undefined) return none?.trim() === '*' ? ok(null) : unclear('If-None-Match', 'must be *')
  if (match.trim() === '*' && none === undefined) return ok('*')
  const digest = /^(?:W\/)?"?(?:sha256:)?([0-9a-f]{64})"?$/.exec(match.trim())?.[1]
  if (digest === undefined) return unclear('If-Match', 'must be one digest or *')
  return none === undefined ? ok(digest) : unclear('If-None-Match', 'cannot stand beside If-Match')
}

function unclear(path: string, message: string): Result<never> {
  const detail =
    'If-Match takes the digest of one version, as GET /admin/skills shows it, or * for any; If-None-Match takes * alone.'
  return fail('invalid_request', detail, { errors: [{ path, message }] })
}

/** `If-Match: "<n>"`: only over that catalog version. `*` or nothing: over any, as there always is one. */
export function catalogExpectation(c: HttpContext): Result<Over> {
  const text = c.req.header('If-Match')?.trim()
  const version = /^(?:W\/)?"?(\d{1,15})"?$/.exec(text ?? '')?.[1]
  if (c.req.header('If-None-Match') === undefined && (text === undefined || text === '*'))
    return ok(undefined)
  if (c.req.header('If-None-Match') === undefined && version !== undefined) return ok(Number(version))
  const detail =
    'If-Match takes the ETag of GET /admin/catalog here, the number of one catalog version, and no other condition.'
  return fail('invalid_request', detail, {
    errors: [{ path: 'If-Match', message: 'must be one catalog version' }],
  })
}

/** The catalog version that is live, ready for `If-Match`. */
export function catalogEtag(version: number): Record<string, string> {
  return { ETag: `"${version}"` }
}

/** A word it does not know must not turn a trial into a publish. */
export function isDryRun(c: HttpContext): Result<boolean> {
  const text = c.req.query('dry_run') ?? '0'
  if (/^(?:0|1|true|false)$/.test(text)) return ok(text === '1' || text === 'true')
  return fail('invalid_request', 'dry_run takes 1 (try only) or 0 (do it).', {
    errors: [{ path: 'dry_run', message: 'must be 1 or 0' }],
  })
}

/** The digest of what is live, ready for `If-Match`. */
export function etag({ digest }: { readonly digest: string }): Record<string, string> {
  return { ETag: `"${digest}"` }
}

/** With what speaks against sharing it, as far as that is told without its files. */
function toldOf(entry: IndexEntry): SkillInfo {
  return { ...skillInfo(entry), diagnostics: [...entry.diagnostics, ...sharingFindingsOfEntry(entry)] }
}

/** What a change of one skill would come to. */
export function tried(c: HttpContext, trial: Result<Trial>): Response {
  if (!trial.ok) return refuse(c, trial.error)
  const { version, skill, changes } = trial.value
  return json({
    skill: skill && toldOf(skill),
    catalog_version: version,
    // Who is named as shared or unshared stands in another list, too.
    changed: [...new Set(Object.values(changes).flat())],
    dry_run: true,
  })
}

/** The skill of the path as it is after a change, with the catalog version the change made. */
export async function changed(c: HttpContext, caller: Caller, done: Result<LiveCatalog>): Promise<Response> {
  if (!done.ok) return refuse(c, done.error)
  const standing = await catalogOf(c, caller).standing(currentBuild(), [param(c, 'skill')])
  if (!standing.ok) return refuse(c, standing.error)
  const [entry] = standing.value.skills
  const skill = entry ? toldOf(entry) : null
  return json({ skill, catalog_version: done.value.version }, 200, entry ? etag(entry) : {})
}
