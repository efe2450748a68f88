// The HTTP tool of a path.

import type { Caller } from '../../lib/caller.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import type { ToolEntry } from '../../skills/skill.ts'
import { currentBuild } from '../skills/build.ts'
import { param, type HttpContext } from '../route/route.ts'
import { catalogOf } from '../skills/change.ts'

export const NO_TOOL = fail('not_found', 'No such tool is in the catalog. GET /admin/tools lists them.')

/** The live tool of the name, also while it is switched off. */
export async function toolNow(c: HttpContext, caller: Caller): Promise<Result<ToolEntry>> {
  const found = await catalogOf(c, caller).toolEntries(currentBuild(), [param(c, 'tool')])
  if (!found.ok) return found
  const [entry] = found.value
  return entry ? ok(entry) : NO_TOOL
}
