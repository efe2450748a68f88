// Finds the HTTP tool that a path names.

import type { Caller } from '../../lib/caller.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import type { ToolEntry } from '../../skills/skill.ts'
import { currentBuild } from '../../skills/current-build.ts'
import { param, type HttpContext } from '../route/route.ts'
import { catalogOf } from '../skills/change.ts'

export const NO_TOOL = fail(
  'not_found',
  'The catalog has no tool with this name. GET /admin/tools lists its tools.',
)

/** The live tool with this name, even if it is disabled. */
export async function findTool(c: HttpContext, caller: Caller): Promise<Result<ToolEntry>> {
  const result = await catalogOf(c, caller).toolEntries(currentBuild(), [param(c, 'tool')])
  if (!result.ok) return result
  const [entry] = result.value
  return entry ? ok(entry) : NO_TOOL
}
