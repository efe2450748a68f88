// The model's own web search, in place of ours: what a thread freezes of it, and whether a run may have it. Its calls are the
// provider's: none is made here, and no policy is asked before one.

import { NEVER_ASK } from '../../agent/approval.ts'
import type { ModelFacts, ServerToolSpec } from '../../agent/model.ts'
import { lists } from '../../agent/policies/lists.ts'
import type { ToolLists } from '../../agent/policy.ts'
import type { ToolRow } from '../../agent/tool.ts'
import { sha256Hex } from '../../lib/bytes.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { err } from '../../lib/result.ts'
import type { ToolSource } from '../record/source.ts'
import { SERVER_SEARCHES_MAX } from './limits.ts'

type KeyLists = Pick<ToolLists, 'allow' | 'deny'>
type ToolSettings = KeyLists & { readonly guardrail_url: string | null }

/** Of what a workspace sets. */
interface SearchSettings {
  readonly tools: ToolSettings
  readonly web: { readonly server_search: boolean }
}

const NAME = 'web_search'
const GROUP = 'web'

/** The newest that the SDK knows. Without `direct` it runs code of the model's that sifts results, which not all models can. */
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

/** The model makes its calls at its provider, and none is made here. Its own search takes the place of ours. */
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

/** Why a run may not have it, as words behind it; null: it may. `settings` null: they cannot be read. */
export function searchBarred(settings: ToolSettings | null, key: KeyLists | undefined): string | null {
  if (settings && settings.guardrail_url !== null)
    return 'the guardrail of this workspace cannot be asked about'
  const asked = { name: NAME, group: GROUP, lists: toolLists(settings, key) }
  return lists(asked).do === 'deny' ? 'this workspace or key does not allow' : null
}

/** Whether a thread that begins now gets it: the model has it, the workspace wants it, and nothing bars it. */
export function searchesItself(
  facts: ModelFacts | undefined,
  settings: SearchSettings | null,
  key: KeyLists | undefined,
): boolean {
  if (facts?.searchPrice == null || !settings?.web.server_search) return false
  return searchBarred(settings.tools, key) === null
}
