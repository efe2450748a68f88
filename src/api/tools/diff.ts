// Compares two versions of a tool's definition and returns a unified diff of their JSON.

import { isSha256, utf8 } from '../../lib/bytes.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Caller } from '../../lib/caller.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { PAGE_SIZE_MAX } from '../../limits/requests.ts'
import { unifiedDiff } from '../../skills/package/unified-diff.ts'
import type { CatalogApi } from '../../skills/catalog/api.ts'
import { skillContent } from '../../skills/store/content.ts'
import type { ToolEntry } from '../../skills/skill.ts'
import { currentBuild } from '../skills/build.ts'
import { invalidField } from '../problems/field-errors.ts'
import { queueComparison } from '../admission/queues.ts'
import { json, param, type HttpContext } from '../route/route.ts'
import { catalogOf } from '../skills/change.ts'

type Version = Pick<ToolEntry, 'digest' | 'definition'>

/** The tool of that name in the build, even if the workspace replaced it, or null if there is none. */
async function builtIn(c: HttpContext, { workspace }: Caller, tool: string): Promise<Result<Version | null>> {
  const index = await skillContent(c.env, workspace).index(currentBuild())
  return index.ok ? ok(index.value.tools?.find(({ name }) => name === tool) ?? null) : index
}

/** The version with this digest, from the build or from the workspace. Failure: `not_found`. */
async function versionOf(
  catalog: CatalogApi,
  tool: string,
  digest: string,
  built: Version | null,
): Promise<Result<Version>> {
  return built?.digest === digest ? ok(built) : catalog.toolVersion(tool, digest)
}

/**
 * The version that was live before this one. For the first version, the tool of the build that it replaced, or null if it replaced
 * none.
 */
async function before(
  catalog: CatalogApi,
  tool: string,
  digest: string,
  built: Version | null,
): Promise<Result<Version | null>> {
  const found = await catalog.history(tool, PAGE_SIZE_MAX, null, 'tool')
  if (!found.ok) return found
  const change = found.value.items.find((item) => item.after === digest && item.before !== digest)
  if (change?.before) return versionOf(catalog, tool, change.before, built)
  return ok(built?.digest === digest ? null : built)
}

function textOf(version: Version): Uint8Array<ArrayBuffer> {
  return utf8(`${JSON.stringify(JSON.parse(canonicalJson(version.definition)), null, 2)}\n`)
}

/** Compares the versions `?from=` and `?to=`, by default the live version with the previous one. */
export const toolDiff = queueComparison(async (c, caller) => {
  const tool = param(c, 'tool')
  const [from, to] = [c.req.query('from'), c.req.query('to')]
  for (const [path, digest] of Object.entries({ from, to }))
    if (digest !== undefined && !isSha256(digest))
      return invalidField(path, 'must be the digest of a version: 64 lower-case hex digits')
  const catalog = catalogOf(c, caller)
  const built = await builtIn(c, caller, tool)
  if (!built.ok) return built
  const live = await catalog.toolEntries(currentBuild(), [tool])
  if (!live.ok) return live
  const wanted = to ?? live.value[0]?.digest
  if (wanted === undefined)
    return fail(
      'not_found',
      `No tool named "${tool}" is live. Name the digests of two versions: ?from=<digest>&to=<digest>.`,
    )
  const now = await versionOf(catalog, tool, wanted, built.value)
  if (!now.ok) return now
  const was =
    from === undefined
      ? await before(catalog, tool, wanted, built.value)
      : await versionOf(catalog, tool, from, built.value)
  if (!was.ok) return was
  const patch = unifiedDiff(`${tool}.json`, was.value && textOf(was.value), textOf(now.value))
  if (!/\btext\/x-(?:diff|patch)\b/.test(c.req.header('Accept') ?? ''))
    return json({ from: was.value?.digest ?? null, to: wanted, ...patch })
  const headers = { 'Content-Type': 'text/x-diff; charset=utf-8', 'Cache-Control': 'no-store' }
  return new Response(patch.diff ?? `${tool}.json: ${patch.reason}\n`, { headers })
})
