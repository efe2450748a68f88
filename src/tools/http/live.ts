// Parses the HTTP tools of the current catalog, and caches the result for each entry.

import type { ToolRow } from '../../agent/tool.ts'
import type { ToolEntry, WholeTool } from '../../skills/skill.ts'
import type { BriefRow } from '../record/offered.ts'
import { definitionDigest, interfaceDigest, parseDefinition, specOf } from './definition.ts'
import type { HttpToolDefinition } from './shape.ts'

interface LiveTool {
  readonly definition: HttpToolDefinition
  /** The result of definitionDigest(). */
  readonly digest: string
  readonly row: ToolRow
}

/**
 * Parsed tools by entry. The cached index of an isolate has one entry object for each version of a tool. Stores results
 * instead of promises, because a promise belongs to the request that created it.
 */
const parsedTools = new WeakMap<WholeTool, LiveTool | 'unreadable'>()

/** The tool of a catalog entry, or null if this release cannot read its definition. */
export async function liveTool(entry: WholeTool): Promise<LiveTool | null> {
  const tool = parsedTools.get(entry) ?? (await parseTool(entry)) ?? 'unreadable'
  parsedTools.set(entry, tool)
  return tool === 'unreadable' ? null : tool
}

async function parseTool({ definition: json }: WholeTool): Promise<LiveTool | null> {
  // Secrets in a URL were checked when the tool was stored, and are checked again before a request.
  const parsed = parseDefinition(json, { secretsInUrl: true })
  if (!parsed.ok) return null
  const definition = parsed.value
  const { name, effect, approval } = definition
  const [digest, interfaceSha256] = await Promise.all([
    definitionDigest(definition),
    interfaceDigest(definition),
  ])
  const row = {
    name,
    spec: specOf(definition),
    source: 'http',
    effect,
    approval,
    digest: interfaceSha256,
  } as const
  return { definition, digest, row }
}

/** The part of a tool that the index contains if its definition is in a separate object. */
export function briefTool(entry: ToolEntry): {
  readonly row: BriefRow
  readonly definition: Pick<HttpToolDefinition, 'group'>
} {
  const { name } = entry
  // The cast is safe: this was created from a validated definition (skills/store/tool-details.ts).
  const brief = entry.definition as unknown as Pick<
    HttpToolDefinition,
    'group' | 'effect' | 'approval' | 'description'
  > &
    Pick<BriefRow, 'tokens'>
  const { effect, approval, description: line, tokens } = brief
  return { row: { name, source: 'http', effect, approval, line, tokens, entry }, definition: brief }
}
