// The deferred tools of a run: those of the current catalog that the thread chose and that the lists of workspace and key
// permit. Also says why a call through call_tool cannot be made.

import { permitsTool } from '../../agent/policies/tool-lists.ts'
import { schemaOf, type Tool, type ToolResult, type ToolRow } from '../../agent/tool.ts'
import { ok, type Result } from '../../lib/result.ts'
import { checkInput } from '../../tools/http/check-input.ts'
import { CALL_TOOL_NAME } from '../../tools/deferred/names.ts'
import { errorResult } from '../../tools/record/builtin.ts'
import type { DeferredCatalog, NamedTool } from '../../tools/record/offered.ts'
import type { RunTools } from '../../tools/record/source.ts'
import { definedTools, isChosenBy, searchedToolsOf } from '../../tools/sources.ts'
import { toolLists } from '../../tools/web/server-search.ts'
import type { Parts } from '../parts.ts'
import type { JournalCall } from '../rows/journal.ts'
import type { Run } from '../rows/run.ts'

type Thread = Parts<'row', 'tools' | 'toolSettings'>

/** Whether the model of this thread has the tools that find and call deferred ones. */
export function defers({ row }: Pick<Thread, 'row'>): boolean {
  return row.data.tools.some(({ name }) => name === CALL_TOOL_NAME)
}

/** The source of the deferred tools, which reads the current catalog. */
export function deferredTools(
  thread: Thread,
  run: Run,
  { live, whole }: Pick<RunTools, 'live' | 'whole'>,
): () => Promise<Result<DeferredCatalog>> {
  const { row, ports } = thread
  return async () => {
    const [entries, settings] = await Promise.all([
      live(),
      ports.toolSettings(row.data.workspace).catch(() => null),
    ])
    if (!entries.ok) return entries
    const stored = await whole(entries.value)
    if (!stored.ok) return stored
    // Lists that cannot be read hide nothing; whether a call may be made is decided when it is made.
    const lists = toolLists(settings?.ok ? settings.value : null, run.options.tools)
    const { chosenTools } = row.data
    const chooses = chosenTools && isChosenBy(chosenTools)
    const listed = new Set(row.data.tools.map(({ name }) => name))
    const tools = await searchedToolsOf(ports.tools(), entries.value, stored.value)
    const permits = (tool: NamedTool): boolean =>
      !listed.has(tool.row.name) &&
      (chooses?.(tool) ?? true) &&
      lists.every((list) => permitsTool(list, tool.row.name, tool.group))
    return ok({ tools, permits, define: (found) => definedTools(found, whole) })
  }
}

/** The row of a call's tool: that of the window's list, or that of its target. Only tools with such a row may run. */
export function rowOfCall(
  thread: Pick<Thread, 'row'>,
  { name, through }: Pick<JournalCall, 'name' | 'through'>,
): ToolRow | undefined {
  if (through && defers(thread)) return through.row
  return thread.row.data.tools.find((row) => row.name === name)
}

/**
 * Why a call of a deferred tool cannot be made, as its result; null if it can. `lookup` is the tool as it is now, or the
 * reason why there is none.
 */
export async function whyNotCalled(
  thread: Pick<Thread, 'row'>,
  call: JournalCall,
  row: ToolRow,
  lookup: Result<Tool, string | null>,
  deferred: () => Promise<Result<DeferredCatalog>>,
): Promise<ToolResult | null> {
  const { chosenTools } = thread.row.data
  if (lookup.ok) {
    const { group = null } = lookup.value
    const isChosen = chosenTools === null || isChosenBy(chosenTools)({ row, group })
    if (!isChosen)
      return errorResult(`The tool ${row.name} is not available in this conversation. Continue without it.`)
    const checked = checkInput(schemaOf(row), call.input)
    if (checked.ok) return null
    const { withDefinition } = await import('../../tools/deferred/explain.ts')
    return withDefinition(`Not run: ${checked.error}`, row)
  }
  const catalog = await deferred().catch(() => null)
  if (!catalog?.ok) return errorResult(lookup.error ?? `The tool ${row.name} is no longer available.`)
  const [{ explainMissing, withDefinition }, { definedToolNamed }] = await Promise.all([
    import('../../tools/deferred/explain.ts'),
    import('../../tools/deferred/search.ts'),
  ])
  const current = await definedToolNamed(catalog.value, row.name)
  if (!current) return explainMissing(catalog.value, row.name)
  // Its definition can be read, so the failure was another one.
  if (current.row.digest === row.digest)
    return errorResult(lookup.error ?? `The tool ${row.name} cannot be called.`)
  return withDefinition('Not run: this tool was changed after you had found it.', current.row)
}
