// The tools that a new thread may have: those of the build, then those from settings; and which of them it asked for.

import type { ToolRow } from '../agent/tool.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { didYouMean } from '../lib/suggest.ts'
import type { ToolEntry } from '../skills/skill.ts'
import type { BuiltinTool } from './builtin.ts'
import { liveTool } from './live.ts'
import { groupOf, rowsOf } from './registry.ts'
import { serverSearchRow } from './web/server-search.ts'

export interface Offered {
  readonly row: ToolRow
  /** Null: it stands in none. */
  readonly group: string | null
}

/**
 * In the order in which the model is given them: the build's, then by name those from settings that are on. One that this
 * release cannot read, or whose name has become a built-in tool's, is left out. `searchesItself`: the model does, and the
 * build's own search gives it its place.
 */
export async function offeredTools(
  builtins: readonly BuiltinTool[],
  entries: readonly ToolEntry[] = [],
  searchesItself = false,
): Promise<readonly Offered[]> {
  const server = searchesItself ? await serverSearchRow() : null
  const own = (await rowsOf(builtins))
    .map((row) => (row.name === server?.name ? server : row))
    .map((row): Offered => ({ row, group: groupOf(row) }))
  if (entries.length === 0) return own
  const read = await Promise.all(entries.filter((entry) => entry.enabled).map(liveTool))
  const taken = new Set(own.map(({ row }) => row.name.toLowerCase()))
  const fromSettings = read
    .filter((tool) => tool !== null)
    .filter(({ row }) => !taken.has(row.name.toLowerCase()))
    .map(({ row, definition }): Offered => ({ row, group: definition.group }))
  return [...own, ...fromSettings]
}

/** Those that a request names, by name or group; null: all. Failure: `unknown_tool`, which names near ones. */
export function chosenTools(
  offered: readonly Offered[],
  names: readonly string[] | null,
): Result<readonly Offered[]> {
  if (names === null) return ok(offered)
  const known = new Set(offered.flatMap(({ row, group }) => (group === null ? row.name : [row.name, group])))
  const errors = names.flatMap((name, at) =>
    known.has(name)
      ? []
      : [{ path: `tools[${at}]`, message: `names no tool and no group.${didYouMean(name, [...known])}` }],
  )
  const [first] = errors
  if (!first)
    return ok(
      offered.filter(
        ({ row, group }) => names.includes(row.name) || (group !== null && names.includes(group)),
      ),
    )
  const groups = [...new Set(offered.flatMap(({ group }) => group ?? []))].join(', ')
  return fail(
    'unknown_tool',
    `${first.path} ${first.message} Groups are ${groups}. GET /v1/tools lists all.`,
    { errors },
  )
}
