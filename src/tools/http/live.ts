// HTTP tools from the live catalog, parsed once for each entry. Sends nothing.

import type { ToolRow } from '../../agent/tool.ts'
import type { ToolEntry } from '../../skills/skill.ts'
import { definitionDigest, interfaceDigest, parseDefinition, specOf } from './definition.ts'
import type { HttpToolDefinition } from './shape.ts'

interface LiveTool {
  readonly definition: HttpToolDefinition
  /** Of the definition. */
  readonly digest: string
  readonly row: ToolRow
}

/**
 * An isolate has one object for each state of a tool as long as it caches the index. Stores no promises, which would
 * belong to a request.
 */
const read = new WeakMap<ToolEntry, LiveTool | 'unreadable'>()

/** Null if this release cannot read its definition. */
export async function liveTool(entry: ToolEntry): Promise<LiveTool | null> {
  const known = read.get(entry) ?? (await readTool(entry)) ?? 'unreadable'
  read.set(entry, known)
  return known === 'unreadable' ? null : known
}

async function readTool({ definition: json }: ToolEntry): Promise<LiveTool | null> {
  // Secrets in a URL were checked when the tool was stored, and are checked again before a request.
  const parsed = parseDefinition(json, { secretsInUrl: true })
  if (!parsed.ok) return null
  const definition = parsed.value
  const { name, effect, approval } = definition
  const [digest, known] = await Promise.all([definitionDigest(definition), interfaceDigest(definition)])
  const row = { name, spec: specOf(definition), source: 'http', effect, approval, digest: known } as const
  return { definition, digest, row }
}
