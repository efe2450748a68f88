// The effect of an MCP tool: set by the admin, else declared by a trusted server, else the most restrictive one.

import type { Effect } from '../../agent/tool.ts'
import type { McpPin } from './pins.ts'
import type { McpServer } from './server.ts'

/** Ignores annotations of an untrusted server, and annotations that contradict each other. */
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
