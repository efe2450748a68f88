// Combines all tool sources: lists the tools that a new thread may have, and finds the implementation of a stored tool.
// To add a source, create a folder and add it to SOURCES.

import type { Tool, ToolRow } from '../agent/tool.ts'
import { err, fail, ok, type Result } from '../lib/result.ts'
import { didYouMean } from '../lib/suggest.ts'
import { BUILTIN_SOURCE } from './builtin-source.ts'
import { isDispatcher } from './deferred/names.ts'
import { splitTools } from './deferred/split.ts'
import { HTTP_SOURCE } from './http/source.ts'
import { MCP_SOURCE } from './mcp/source.ts'
import type { ToolEntry, WholeTool } from '../skills/skill.ts'
import { storedTexts } from '../skills/store/tool-details.ts'
import {
  isDefined,
  type CreationFacts,
  type NamedTool,
  type OfferedTool,
  type SearchedTool,
  type SplitTools,
} from './record/offered.ts'
import type { OfferContext, RunTools, ToolSource } from './record/source.ts'
import { WRITE_TODOS } from './thread/write-todos.ts'
import { SERVER_SOURCE } from './web/server-search.ts'

/** All sources, in the order in which the model receives their tools. */
const SOURCES: readonly ToolSource[] = [BUILTIN_SOURCE, SERVER_SOURCE, HTTP_SOURCE, MCP_SOURCE]

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
 * The tools that a thread may have, in the order in which the model receives them. If two tools have the same name, the
 * first one is used, except that the provider's search replaces Satchel's.
 */
export async function offeredTools(context: OfferContext): Promise<readonly NamedTool[]> {
  const [builtinTools = [], serverTools = [], ...otherTools] = await Promise.all(
    SOURCES.map((source) => source.offered(context)),
  )
  const serverToolByName = new Map(serverTools.map((tool) => [tool.row.name, tool]))
  const buildTools = builtinTools.map((tool) => serverToolByName.get(tool.row.name) ?? tool)
  const takenNames = new Set(buildTools.map(({ row }) => row.name.toLowerCase()))
  return [
    ...buildTools,
    ...otherTools.flat().filter(({ row }) => {
      const name = row.name.toLowerCase()
      const isFree = !takenNames.has(name)
      takenNames.add(name)
      return isFree
    }),
  ]
}

/** Filters the tools by the facts about the new thread. */
export function includedTools<T extends NamedTool>(
  offered: readonly T[],
  created: CreationFacts,
): readonly T[] {
  return offered.filter(({ includedIf }) => includedIf(created))
}

/**
 * Splits these tools into those that a window lists, and those that the model can only search. `key` says what the API
 * key allows.
 */
export function listedTools(
  offered: readonly NamedTool[],
  key: Parameters<typeof splitTools>[2],
): SplitTools<NamedTool> {
  return splitTools(offered, ({ row }) => isConfigured(row), key)
}

/** Reads the definitions of these tools. Those that cannot be used are left out. */
export async function definedTools(
  tools: readonly NamedTool[],
  whole: RunTools['whole'],
): Promise<Result<readonly OfferedTool[]>> {
  if (tools.every(isDefined)) return ok(tools)
  const brief = tools.flatMap(({ row }) => (row.spec ? [] : row.entry))
  const entries = await whole([...new Set(brief)])
  if (!entries.ok) return entries
  const only = new Set(tools.map(({ row }) => row.name))
  const context = { builtins: [], entries: entries.value, searchesItself: false, only }
  const defined = new Map((await offeredTools(context)).map((tool) => [tool.row.name, tool]))
  const found = tools.map((tool) => (isDefined(tool) ? tool : (defined.get(tool.row.name) ?? tool)))
  return ok(found.filter(isDefined))
}

/** Caches the tools of a catalog, whose entries are one array as long as the catalog is the same. */
const configuredTools = new WeakMap<readonly ToolEntry[], readonly NamedTool[]>()

/** The tools of a catalog that settings define, without those whose names are taken. The same array for the same entries. */
export async function namedToolsOf(
  builtins: OfferContext['builtins'],
  entries: readonly ToolEntry[],
): Promise<readonly NamedTool[]> {
  const known = configuredTools.get(entries)
  if (known) return known
  const all = await offeredTools({ builtins, entries, searchesItself: false })
  const made = configuredTools.get(entries) ?? all.filter(({ row }) => isConfigured(row))
  configuredTools.set(entries, made)
  return made
}

const searchedTools = new WeakMap<readonly ToolEntry[], readonly SearchedTool[]>()

/** Like namedToolsOf, with the text that a search uses. `whole` are the complete entries. */
export async function searchedToolsOf(
  builtins: OfferContext['builtins'],
  entries: readonly ToolEntry[],
  whole: readonly WholeTool[],
): Promise<readonly SearchedTool[]> {
  const known = searchedTools.get(entries)
  if (known) return known
  const tools = await namedToolsOf(builtins, entries)
  const texts = new Map(whole.flatMap(storedTexts))
  const made =
    searchedTools.get(entries) ??
    tools.flatMap((tool) => {
      const text = texts.get(tool.row.name)
      return text ? [{ ...tool, text }] : []
    })
  searchedTools.set(entries, made)
  return made
}

/** The implementation of a stored tool. The error is a message for the model, or null if the reason is unknown. */
export function toolFor(
  row: ToolRow | undefined,
  run: RunTools,
): Result<Tool, string | null> | Promise<Result<Tool, string | null>> {
  return (row && sourceOf(row)?.find(row, run)) ?? err(null)
}

/** Whether one of these names chooses a tool. `write_todos` needs none, and neither do the tools that find the others. */
export function isChosenBy(
  names: readonly string[],
): (tool: { readonly row: Pick<ToolRow, 'name'>; readonly group: string | null }) => boolean {
  return ({ row: { name }, group }) =>
    names.includes(name) ||
    (group !== null && names.includes(group)) ||
    name === WRITE_TODOS.spec.name ||
    isDispatcher(name)
}

/** The tools that a request chose by name or group, or all if `names` is null. The error is `unknown_tool`. */
export function chosenTools(
  offered: readonly NamedTool[],
  names: readonly string[] | null,
): Result<readonly NamedTool[]> {
  if (names === null) return ok(offered)
  const validNames = new Set(
    offered.flatMap(({ row, group }) => (group === null ? row.name : [row.name, group])),
  )
  const errors = names.flatMap((name, index) =>
    validNames.has(name)
      ? []
      : [
          {
            path: `tools[${index}]`,
            message: `is neither a tool nor a group.${didYouMean(name, [...validNames])}`,
          },
        ],
  )
  const [firstError] = errors
  if (!firstError) return ok(offered.filter(isChosenBy(names)))
  const groups = [...new Set(offered.flatMap(({ group }) => group ?? []))].join(', ')
  return fail(
    'unknown_tool',
    `${firstError.path} ${firstError.message} The groups are ${groups}. GET /v1/tools lists all tools.`,
    { errors },
  )
}
