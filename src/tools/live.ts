// Tools from settings as the live catalog has them: read once for each entry, and found anew for each call. Sends nothing.

import type { Tool, ToolRow } from '../agent/tool.ts'
import { err, ok, type Result } from '../lib/result.ts'
import type { ToolEntry } from '../skills/skill.ts'
import type { BuiltinTool, ToolContext } from './builtin.ts'
import { definitionDigest, interfaceDigest, parseDefinition, specOf } from './http/definition.ts'
import type { HttpToolDefinition } from './http/shape.ts'
import { toolOf } from './registry.ts'

/** Tools from settings, for the calls of one run. */
export interface SettingsTools {
  /** All that are live now, switched off ones too. May throw when the catalog is down. */
  live(): Promise<Result<readonly ToolEntry[]>>
  /** What carries out calls of this one, `digest` being its definition's; null: nothing here can send them. */
  make(definition: HttpToolDefinition, digest: string): Tool | null
}

interface LiveTool {
  readonly definition: HttpToolDefinition
  /** Of the definition. */
  readonly digest: string
  readonly row: ToolRow
}

/** An isolate has one object for one state of a tool as long as it keeps the index. No promises: those belong to a request. */
const read = new WeakMap<ToolEntry, LiveTool | 'unreadable'>()

/** Null: this release cannot read its definition. */
export async function liveTool(entry: ToolEntry): Promise<LiveTool | null> {
  const known = read.get(entry) ?? (await readTool(entry)) ?? 'unreadable'
  read.set(entry, known)
  return known === 'unreadable' ? null : known
}

async function readTool({ definition: json }: ToolEntry): Promise<LiveTool | null> {
  // Whether secrets may stand in a URL was asked when it was put, and is asked again when one is to be sent.
  const parsed = parseDefinition(json, { secretsInUrl: true })
  if (!parsed.ok) return null
  const definition = parsed.value
  const { name, effect, approval } = definition
  const [digest, known] = await Promise.all([definitionDigest(definition), interfaceDigest(definition)])
  const row = { name, spec: specOf(definition), source: 'http', effect, approval, digest: known } as const
  return { definition, digest, row }
}

/**
 * What carries out a call of a tool from settings: the definition that is live now, where the model knows it as it is.
 * Fails in words for the model.
 */
async function liveToolOf(row: ToolRow, settings: SettingsTools): Promise<Result<Tool, string>> {
  const { name } = row
  const live = await settings.live().catch(() => null)
  if (!live?.ok)
    return err(
      `The tool ${name} cannot be looked up right now. Try once more; if it fails again, go on without it.`,
    )
  const entry = live.value.find((one) => one.name === name)
  const tool = entry?.enabled ? await liveTool(entry) : null
  if (!tool) return err(`The tool ${name} is not available any more. Go on without it.`)
  if (tool.row.digest !== row.digest)
    return err(
      `The tool ${name} was changed since this conversation began; a new thread has it as it is now. Go on without it.`,
    )
  const made = settings.make(tool.definition, tool.digest)
  const { approval, group } = tool.definition
  if (made) return ok({ ...made, approval, ...(group === null ? {} : { group }) })
  return err(`The tool ${name} cannot be called on this server. Go on without it.`)
}

/**
 * What carries out a call of the tool of this row. Fails in words for the model; null: there is none, and no more is known.
 * A built-in tool is there at once.
 */
export function toolFor(
  row: ToolRow | undefined,
  builtins: readonly BuiltinTool[],
  { context, settings }: { readonly context: ToolContext; readonly settings: SettingsTools },
): Result<Tool, string | null> | Promise<Result<Tool, string>> {
  if (row?.source === 'http') return liveToolOf(row, settings)
  const tool = row ? toolOf(row, builtins, context) : null
  return tool ? ok(tool) : err(null)
}
