// The provider's own web search, which replaces Satchel's: the spec that a thread stores, and whether a run may use it.
// The provider executes the searches, so no policy can check them.

import { NEVER_ASK } from '../../agent/approval.ts'
import type { ModelFacts, ServerToolSpec } from '../../agent/model.ts'
import { checkToolLists } from '../../agent/policies/tool-lists.ts'
import type { ToolLists } from '../../agent/policy.ts'
import type { ToolRow } from '../../agent/tool.ts'
import { sha256Hex } from '../../lib/bytes.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { err } from '../../lib/result.ts'
import type { ToolSource } from '../record/source.ts'
import { SERVER_SEARCHES_MAX } from './limits.ts'

type KeyLists = Pick<ToolLists, 'allow' | 'deny'>
type ToolSettings = KeyLists & { readonly guardrail_url: string | null }

/** The settings of a workspace that decide whether the provider's search is used. */
interface SearchSettings {
  readonly tools: ToolSettings
  readonly web: { readonly server_search: boolean }
}

const NAME = 'web_search'
const GROUP = 'web'

/**
 * The newest version in the SDK. `direct` excludes calls from code that filters the results, which not all models
 * support.
 */
export const SERVER_SEARCH: ServerToolSpec = {
  type: 'web_search_20260318',
  name: NAME,
  max_uses: SERVER_SEARCHES_MAX,
  allowed_callers: ['direct'],
}

async function serverSearchRow(): Promise<ToolRow> {
  const digest = await sha256Hex(canonicalJson(SERVER_SEARCH))
  return { name: NAME, spec: SERVER_SEARCH, source: 'server', effect: 'read', approval: NEVER_ASK, digest }
}

/** The source of this tool. `find` returns no implementation, because the provider executes the searches. */
export const SERVER_SOURCE: ToolSource = {
  name: 'server',
  configured: false,
  offered: async ({ searchesItself: searches, builtins }) => {
    if (!searches || !builtins.some(({ spec }) => spec.name === NAME)) return []
    return [{ row: await serverSearchRow(), group: GROUP, label: null, includedIf: () => true }]
  },
  groupOf: () => GROUP,
  find: () => err(null),
}

/** The tool lists of the workspace and of the API key. */
export function toolLists(workspace: KeyLists | null, key: KeyLists | undefined): readonly ToolLists[] {
  return [listsOf(workspace, 'this workspace'), listsOf(key, 'this key')].flat()
}

function listsOf(lists: KeyLists | null | undefined, of: string): readonly ToolLists[] {
  return lists ? [{ allow: lists.allow, deny: lists.deny, of }] : []
}

/**
 * Why a run may not use the provider's search, as the end of a sentence, or null if it may. `settings` is null if the
 * settings cannot be read.
 */
export function searchRefusal(settings: ToolSettings | null, key: KeyLists | undefined): string | null {
  if (settings && settings.guardrail_url !== null) return 'the guardrail of this workspace cannot judge'
  const call = { name: NAME, group: GROUP, lists: toolLists(settings, key) }
  return checkToolLists(call).do === 'deny' ? 'this workspace or key does not allow' : null
}

/** Whether a new thread gets the provider's search: the model supports it, the workspace enabled it, and no rule forbids it. */
export function searchesItself(
  facts: ModelFacts | undefined,
  settings: SearchSettings | null,
  key: KeyLists | undefined,
): boolean {
  if (facts?.searchPrice == null || !settings?.web.server_search) return false
  return searchRefusal(settings.tools, key) === null
}
