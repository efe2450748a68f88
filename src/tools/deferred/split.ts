// Decides which tools a new window lists, and which ones the model can only search. Pure.

import type { ToolLists } from '../../agent/policy.ts'
import { permitsTool } from '../../agent/policies/tool-lists.ts'
import { escapedLine } from '../../lib/framework-tags.ts'
import { utf8 } from '../../lib/bytes.ts'
import { estimateTokens } from '../../lib/tokens.ts'
import type { NamedTool, SplitTools } from '../record/offered.ts'
import { LISTED_TOOLS_MAX, LISTED_TOOLS_MAX_TOKENS, SOURCES_LISTED_MAX_BYTES } from './limits.ts'

type KeyLists = Pick<ToolLists, 'allow' | 'deny'>

/** Defers configured tools if there are too many. Tools that the key forbids do not count. */
export function splitTools(
  offered: readonly NamedTool[],
  isConfigured: (tool: NamedTool) => boolean,
  key: KeyLists | undefined,
): SplitTools<NamedTool> {
  const own = offered.filter(isConfigured)
  if (fit(own)) return { listed: offered, deferred: [] }
  const builtins = offered.filter((tool) => !isConfigured(tool))
  const permitted = key ? own.filter(({ row, group }) => permitsTool(key, row.name, group)) : own
  if (fit(permitted)) return { listed: [...builtins, ...permitted], deferred: [] }
  return { listed: builtins, deferred: permitted }
}

function fit(tools: readonly NamedTool[]): boolean {
  if (tools.length > LISTED_TOOLS_MAX) return false
  const tokens = tools.map(({ row }) => (row.spec ? estimateTokens(JSON.stringify(row.spec)) : row.tokens))
  return tokens.reduce((sum, one) => sum + one, 0) <= LISTED_TOOLS_MAX_TOKENS
}

/** Names the servers and groups of these tools, and the tools without a server and group. */
export function sourcesText(tools: readonly NamedTool[]): string {
  const names = (values: readonly (string | null | undefined)[]): readonly string[] =>
    [...new Set(values.flatMap((value) => value ?? []))].toSorted().map(escapedLine)
  const servers = names(tools.map(({ origin }) => origin?.server))
  const groups = names(tools.map(({ group }) => group))
  const single = names(tools.map(({ row, origin, group }) => (origin || group ? null : row.name)))
  const lines = [
    ...servers.map((name) => `- the server ${name}`),
    ...groups.map((name) => `- the group ${name}`),
    ...single.map((name) => `- ${name}`),
  ]
  let left = SOURCES_LISTED_MAX_BYTES - utf8(OTHERS).length
  const end = lines.findIndex((line) => (left -= utf8(line).length + 1) < 0)
  return (end === -1 ? lines : [...lines.slice(0, end), OTHERS]).join('\n')
}

const OTHERS = '- and others'
