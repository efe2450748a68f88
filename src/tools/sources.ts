// Combines all tool sources: lists the tools that a new thread may have, and finds the implementation of a stored tool.
// To add a source, create a folder and add it to SOURCES.

import type { Tool, ToolRow } from '../agent/tool.ts'
import { err, fail, ok, type Result } from '../lib/result.ts'
import { didYouMean } from '../lib/suggest.ts'
import { BUILTIN } from './builtin-source.ts'
import { HTTP } from './http/source.ts'
import type { CreationFacts } from './record/builtin.ts'
import type { Offered, Offering, RunTools, ToolSource } from './record/source.ts'
import { SERVER } from './web/server-search.ts'

/** All sources, in the order in which the model receives their tools. */
const SOURCES: readonly ToolSource[] = [BUILTIN, SERVER, HTTP]

function sourceOf({ source }: Pick<ToolRow, 'source'>): ToolSource | undefined {
  return SOURCES.find(({ name }) => name === source)
}

/** The group of a stored tool, or null if its source does not define one. */
export function groupOf(row: Pick<ToolRow, 'name' | 'source'>): string | null {
  return sourceOf(row)?.groupOf(row) ?? null
}

/** Whether an operator defined the tool, instead of the build. */
export function isConfigured(row: Pick<ToolRow, 'source'>): boolean {
  return sourceOf(row)?.configured ?? true
}

/**
 * The tools that a thread may have, in the order in which the model receives them. If two share a name, the first is
 * used, except that the provider's own search replaces Satchel's.
 */
export async function offeredTools(offering: Offering): Promise<readonly Offered[]> {
  const [own = [], server = [], ...others] = await Promise.all(
    SOURCES.map((source) => source.offered(offering)),
  )
  const byModel = new Map(server.map((one) => [one.row.name, one]))
  const first = own.map((one) => byModel.get(one.row.name) ?? one)
  const taken = new Set(first.map(({ row }) => row.name.toLowerCase()))
  return [
    ...first,
    ...others.flat().filter(({ row }) => {
      const name = row.name.toLowerCase()
      const free = !taken.has(name)
      taken.add(name)
      return free
    }),
  ]
}

/** Filters the tools by the facts about the new thread. */
export function includedTools(offered: readonly Offered[], created: CreationFacts): readonly Offered[] {
  return offered.filter(({ includedIf }) => includedIf(created))
}

/** The implementation of a stored tool. The error is a message for the model, or null if the reason is unknown. */
export function toolFor(
  row: ToolRow | undefined,
  run: RunTools,
): Result<Tool, string | null> | Promise<Result<Tool, string | null>> {
  return (row && sourceOf(row)?.find(row, run)) ?? err(null)
}

/** The tools that a request chose by name or group; `names` is null for all. The error is `unknown_tool`. */
export function chosenTools(
  offered: readonly Offered[],
  names: readonly string[] | null,
): Result<readonly Offered[]> {
  if (names === null) return ok(offered)
  const known = new Set(offered.flatMap(({ row, group }) => (group === null ? row.name : [row.name, group])))
  const errors = names.flatMap((name, at) =>
    known.has(name)
      ? []
      : [{ path: `tools[${at}]`, message: `is neither a tool nor a group.${didYouMean(name, [...known])}` }],
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
    `${first.path} ${first.message} The groups are ${groups}. GET /v1/tools lists all tools.`,
    { errors },
  )
}
