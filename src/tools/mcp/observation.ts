// The last observation of an MCP server: whether it responded, and which approved tools it now offers differently or
// not at all. Visible to admins, never to models.

import { utf8 } from '../../lib/bytes.ts'
import { cutText } from '../../lib/text.ts'
import type { OfferedMcpTool } from '../../mcp/protocol.ts'
import {
  MCP_OBSERVATION_DIFFS_MAX_CHARS,
  MCP_OBSERVATION_ERROR_MAX_CHARS,
  MCP_OBSERVATION_NAMES_MAX,
} from './limits.ts'
import type { LiveMcpServer } from './live.ts'
import { offerOf, pinText } from './offer.ts'
import { isWanted } from './server.ts'

/** An approved tool that is blocked until an admin approves it again. */
export interface BlockedMcpTool {
  /** The server's name of the tool; `tool` is the name for models. */
  readonly name: string
  readonly tool: string
  readonly change: 'changed' | 'removed'
  /**
   * A unified diff of the text that models read; null if that text has not changed, or if there is no space for the
   * diff.
   */
  readonly diff: string | null
}

/** How the tools that a server lists differ from the approved ones. */
export interface McpListing {
  /** The digest of the approved tools; null if there are none. */
  readonly approved: string | null
  readonly blocked: readonly BlockedMcpTool[]
  /** Names of tools that nobody has approved yet. */
  readonly unapproved: readonly string[]
}

export interface McpObservation {
  readonly url: string
  /** Why the server could not be used, without secrets; null if it answered. */
  readonly error: string | null
  /** Null if the server was not listed. */
  readonly listing: McpListing | null
}

/** Reports an observation of a server. Not awaited, and it may be lost. */
export type ReportObservation = (server: string, observation: McpObservation) => void

export function failedObservation(
  { server: { url } }: Pick<LiveMcpServer, 'server'>,
  detail: string,
): McpObservation {
  return { url, error: cutText(detail, MCP_OBSERVATION_ERROR_MAX_CHARS), listing: null }
}

/** `digests` is the result of digestsOf(). `mask` hides secrets in text from the server. */
export async function listedObservation(
  live: LiveMcpServer,
  offered: readonly OfferedMcpTool[],
  digests: ReadonlyMap<string, string>,
  mask: (text: string) => string,
): Promise<McpObservation> {
  const changed = live.allowed.filter((pin) => digests.get(pin.name) !== pin.digest)
  const diffs = await diffsOf(live, changed, offered, digests, mask)
  const blocked = changed.map(({ name, tool }): BlockedMcpTool => {
    const change = digests.has(name) ? 'changed' : 'removed'
    return { name, tool, change, diff: diffs.get(name) ?? null }
  })
  const approvedNames = new Set(live.pins?.tools.map(({ name }) => name))
  const unapproved = [...digests.keys()]
    .filter((name) => !approvedNames.has(name) && isWanted(live.server, name))
    .slice(0, MCP_OBSERVATION_NAMES_MAX)
    .map((name) => cutText(mask(name), MCP_OBSERVATION_ERROR_MAX_CHARS))
  return {
    url: live.server.url,
    error: null,
    listing: { approved: live.pins?.digest ?? null, blocked, unapproved },
  }
}

/** Diffs by the server's name of a tool, as many as fit. */
async function diffsOf(
  live: LiveMcpServer,
  changed: LiveMcpServer['allowed'],
  offered: readonly OfferedMcpTool[],
  digests: ReadonlyMap<string, string>,
  mask: (text: string) => string,
): Promise<ReadonlyMap<string, string>> {
  const diffs = new Map<string, string>()
  if (changed.length === 0) return diffs
  const { unifiedDiff } = await import('../../skills/package/unified-diff.ts')
  const offer = await offerOf(live.name, live.server, offered, digests)
  const pins = new Map(offer.pins.tools.map((pin) => [pin.name, pin]))
  const problems = new Map(offer.refused.map(({ name, problem }) => [name, problem]))
  let room = MCP_OBSERVATION_DIFFS_MAX_CHARS
  for (const pin of changed) {
    const after = pins.get(pin.name)
    const problem = problems.get(pin.name)
    const patch = after && unifiedDiff(`${pin.name}.json`, utf8(pinText(pin)), utf8(pinText(after))).diff
    const text = patch ?? problem
    if (text === undefined || text === null || text.length > room) continue
    room -= text.length
    diffs.set(pin.name, mask(text))
  }
  return diffs
}
