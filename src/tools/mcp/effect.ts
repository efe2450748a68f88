// The effect of an MCP tool: the admin's word, else that of a trusted server, else the most careful one.

import type { Effect } from '../../agent/tool.ts'
import type { McpPin } from './pins.ts'
import type { McpServer } from './server.ts'

/** Annotations of an untrusted server, and ones that contradict each other, count for nothing. */
export function effectOfPin(
  { effects, trusted }: Pick<McpServer, 'effects' | 'trusted'>,
  { name, annotations }: Pick<McpPin, 'name' | 'annotations'>,
): Effect {
  if (Object.hasOwn(effects, name)) return effects[name] ?? 'once'
  if (!trusted || annotations === null) return 'once'
  const isReadOnly = annotations['readOnlyHint'] === true
  if (isReadOnly) return annotations['destructiveHint'] === true ? 'once' : 'read'
  return annotations['idempotentHint'] === true ? 'idempotent' : 'once'
}
