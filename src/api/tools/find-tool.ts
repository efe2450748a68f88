// Finds the HTTP tool or the MCP server that a path names.

import type { Caller } from '../../lib/caller.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import type { WholeTool } from '../../skills/skill.ts'
import { currentBuild } from '../../skills/current-build.ts'
import { param, type HttpContext } from '../route/route.ts'
import { entryNameOf } from '../../tools/mcp/names.ts'
import { catalogOf } from '../skills/change.ts'

/** The name in the catalog of what the path names. */
export function catalogNameOf(c: HttpContext): string {
  const server = c.req.param('server')
  return server === undefined ? param(c, 'tool') : entryNameOf(server)
}

const NO_SERVER = fail(
  'not_found',
  'The catalog has no MCP server with this name. GET /admin/mcp lists its servers.',
)

export const NO_TOOL = fail(
  'not_found',
  'The catalog has no tool with this name. GET /admin/tools lists its tools.',
)

/** The live tool or server with this name, even if it is disabled. */
export async function findTool(c: HttpContext, caller: Caller): Promise<Result<WholeTool>> {
  const result = await catalogOf(c, caller).toolEntries(currentBuild(), [catalogNameOf(c)])
  if (!result.ok) return result
  const [entry] = result.value
  if (entry) return ok(entry)
  return c.req.param('server') === undefined ? NO_TOOL : NO_SERVER
}
