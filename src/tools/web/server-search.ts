// The model's own web search, in place of ours: the spec that a thread freezes, and whether a run may have it. The
// provider makes its calls, so no policy judges them.

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

/** The settings of a workspace that matter here. */
interface SearchSettings {
  readonly tools: ToolSettings
  readonly web: { readonly server_search: boolean }
}

const NAME = 'web_search'
const GROUP = 'web'

/** The newest version in the SDK. Without `direct` it runs code that filters results, which not all models support. */
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

/** The provider makes its calls, so there is no implementation here. It replaces our own search. */
export const SERVER: ToolSource = {
  name: 'server',
  configured: false,
  offered: async ({ searchesItself: searches, builtins }) => {
    if (!searches || !builtins.some(({ spec }) => spec.name === NAME)) return []
    return [{ row: await serverSearchRow(), group: GROUP, label: null, includedIf: () => true }]
  },
  groupOf: () => GROUP,
  find: () => err(null),
}

/** The lists of the workspace and of the key. */
export function toolLists(workspace: KeyLists | null, key: KeyLists | undefined): readonly ToolLists[] {
  return [listed(workspace, 'this workspace'), listed(key, 'this key')].flat()
}

function listed(lists: KeyLists | null | undefined, of: string): readonly ToolLists[] {
  return lists ? [{ allow: lists.allow, deny: lists.deny, of }] : []
}

/** Why a run may not have it, as the rest of a sentence; null if it may. `settings` null: they cannot be read. */
export function searchBarred(settings: ToolSettings | null, key: KeyLists | undefined): string | null {
  if (settings && settings.guardrail_url !== null) return 'the guardrail of this workspace cannot judge'
  const call = { name: NAME, group: GROUP, lists: toolLists(settings, key) }
  return checkToolLists(call).do === 'deny' ? 'this workspace or key does not allow' : null
}

/** Whether a new thread gets it: the model has it, the workspace enabled it, and nothing forbids it. */
export function searchesItself(
  facts: ModelFacts | undefined,
  settings: SearchSettings | null,
  key: KeyLists | undefined,
): boolean {
  if (facts?.searchPrice == null || !settings?.web.server_search) return false
  return searchBarred(settings.tools, key) === null
}
