// Compares two versions of a tool's definition and returns a unified diff of their JSON.

import { isSha256, utf8 } from '../../lib/bytes.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Caller } from '../../lib/caller.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { PAGE_SIZE_MAX } from '../../limits/requests.ts'
import type { CatalogApi } from '../../skills/catalog/api.ts'
import { skillContent } from '../../skills/store/content.ts'
import type { ToolEntry } from '../../skills/skill.ts'
import { currentBuild } from '../../skills/current-build.ts'
import { invalidField } from '../problems/field-errors.ts'
import { queueComparison } from '../admission/queues.ts'
import { json, type HttpContext } from '../route/route.ts'
import { catalogOf } from '../skills/change.ts'
import { catalogNameOf } from './find-tool.ts'

type Version = Pick<ToolEntry, 'digest' | 'definition'>

/** The tool of that name in the build, even if the workspace replaced it, or null if there is none. */
async function builtInTool(
  c: HttpContext,
  { workspace }: Caller,
  tool: string,
): Promise<Result<Version | null>> {
  const content = skillContent(c.env, workspace)
  const index = await content.index(currentBuild())
  if (!index.ok) return index
  const found = await content.wholeTools(index.value.tools?.filter(({ name }) => name === tool) ?? [])
  return found.ok ? ok(found.value[0] ?? null) : found
}

/** The version with this digest, from the build or from the workspace. Failure: `not_found`. */
async function versionOf(
  catalog: CatalogApi,
  tool: string,
  digest: string,
  builtInVersion: Version | null,
): Promise<Result<Version>> {
  return builtInVersion?.digest === digest ? ok(builtInVersion) : catalog.toolVersion(tool, digest)
}

/**
 * The version that was live before this one. For the first version, the tool of the build that it replaced, or null if it replaced
 * none.
 */
async function previousVersion(
  catalog: CatalogApi,
  tool: string,
  digest: string,
  builtInVersion: Version | null,
): Promise<Result<Version | null>> {
  const result = await catalog.history(tool, PAGE_SIZE_MAX, null, 'tool')
  if (!result.ok) return result
  const change = result.value.items.find((item) => item.after === digest && item.before !== digest)
  if (change?.before) return versionOf(catalog, tool, change.before, builtInVersion)
  return ok(builtInVersion?.digest === digest ? null : builtInVersion)
}

function textOf(version: Version): Uint8Array<ArrayBuffer> {
  return utf8(`${JSON.stringify(JSON.parse(canonicalJson(version.definition)), null, 2)}\n`)
}

/** Compares the versions `?from=` and `?to=`, by default the live version with the previous one. */
export const toolDiff = queueComparison(async (c, caller) => {
  const tool = catalogNameOf(c)
  const [from, to] = [c.req.query('from'), c.req.query('to')]
  for (const [path, digest] of Object.entries({ from, to }))
    if (digest !== undefined && !isSha256(digest))
      return invalidField(path, 'must be the digest of a version: 64 lower-case hex digits')
  const catalog = catalogOf(c, caller)
  const builtInVersion = await builtInTool(c, caller, tool)
  if (!builtInVersion.ok) return builtInVersion
  const live = await catalog.toolEntries(currentBuild(), [tool])
  if (!live.ok) return live
  const toDigest = to ?? live.value[0]?.digest
  if (toDigest === undefined)
    return fail(
      'not_found',
      `"${tool}" is not live. Specify the digests of two versions: ?from=<digest>&to=<digest>.`,
    )
  const toVersion = await versionOf(catalog, tool, toDigest, builtInVersion.value)
  if (!toVersion.ok) return toVersion
  const fromVersion =
    from === undefined
      ? await previousVersion(catalog, tool, toDigest, builtInVersion.value)
      : await versionOf(catalog, tool, from, builtInVersion.value)
  if (!fromVersion.ok) return fromVersion
  const { unifiedDiff } = await import('../../skills/package/unified-diff.ts')
  const patch = unifiedDiff(
    `${tool}.json`,
    fromVersion.value && textOf(fromVersion.value),
    textOf(toVersion.value),
  )
  if (!/\btext\/x-(?:diff|patch)\b/.test(c.req.header('Accept') ?? ''))
    return json({ from: fromVersion.value?.digest ?? null, to: toDigest, ...patch })
  const headers = { 'Content-Type': 'text/x-diff; charset=utf-8', 'Cache-Control': 'no-store' }
  return new Response(patch.diff ?? `${tool}.json: ${patch.reason}\n`, { headers })
})
