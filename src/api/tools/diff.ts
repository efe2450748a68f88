// Compares two versions of a tool's definition, as a unified diff of their JSON.

import { isSha256, utf8 } from '../../lib/bytes.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Caller } from '../../lib/caller.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { PAGE_MAX } from '../../limits/requests.ts'
import { unifiedDiff } from '../../skills/package/unified-diff.ts'
import type { CatalogApi } from '../../skills/catalog/api.ts'
import { skillContent } from '../../skills/store/content.ts'
import type { ToolEntry } from '../../skills/skill.ts'
import { currentBuild } from '../skills/build.ts'
import { invalidField } from '../problems/field-errors.ts'
import { comparison } from '../admission/expensive.ts'
import { json, param, type HttpContext } from '../route/route.ts'
import { catalogOf } from '../skills/change.ts'

type Version = Pick<ToolEntry, 'digest' | 'definition'>

/** The build's own tool of that name, even if replaced; null if it has none. */
async function builtIn(c: HttpContext, { workspace }: Caller, tool: string): Promise<Result<Version | null>> {
  const index = await skillContent(c.env, workspace).index(currentBuild())
  return index.ok ? ok(index.value.tools?.find(({ name }) => name === tool) ?? null) : index
}

/** A version of this workspace, or the build's own. Failure: `not_found`. */
async function versionOf(
  catalog: CatalogApi,
  tool: string,
  digest: string,
  built: Version | null,
): Promise<Result<Version>> {
  return built?.digest === digest ? ok(built) : catalog.toolVersion(tool, digest)
}

/** The version that was live before; for the first one, the build's tool that it replaces. Null if there is none. */
async function before(
  catalog: CatalogApi,
  tool: string,
  digest: string,
  built: Version | null,
): Promise<Result<Version | null>> {
  const found = await catalog.history(tool, PAGE_MAX, null, 'tool')
  if (!found.ok) return found
  const made = found.value.items.find((item) => item.after === digest && item.before !== digest)
  if (made?.before) return versionOf(catalog, tool, made.before, built)
  return ok(built?.digest === digest ? null : built)
}

function textOf(version: Version): Uint8Array<ArrayBuffer> {
  return utf8(`${JSON.stringify(JSON.parse(canonicalJson(version.definition)), null, 2)}\n`)
}

/** `?from=` and `?to=` are digests. Without them: the live version against the previous one. */
export const toolDiff = comparison(async (c, caller) => {
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
    return fail('not_found', `No tool "${tool}" is live. Name two of its versions: ?from=&to=.`)
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
