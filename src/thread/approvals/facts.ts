// What policies are told of a call: from rows, from the settings of the workspace, and what stands in the window.

import { judgeAddress, givenHosts, type Known } from '../../agent/addresses.ts'
import type { ApprovalRule, Preview } from '../../agent/approval.ts'
import type { CallFacts } from '../../agent/policy.ts'
import { addressesFound } from '../../agent/server-search.ts'
import { LINKS_FETCHED_MAX } from '../../limits.ts'
import type { WorkspaceSettings } from '../../settings/settings.ts'
import { groupOf } from '../../tools/registry.ts'
import { toolLists } from '../../tools/web/server-search.ts'
import type { Parts } from '../parts.ts'
import { linksGiven, wordsGiven } from '../rows/given.ts'
import { previewOf } from './binding.ts'
import type { Subject } from './subject.ts'

type Thread = Parts<'ctx' | 'journal' | 'sources' | 'transcript'>

export type ToolSettings = WorkspaceSettings['tools']

/** Where nobody could say what is set: what stays within the thread goes on, and nothing leaves. */
const UNKNOWN_SETTINGS: Pick<ToolSettings, 'allow' | 'deny' | 'outside_then_act'> = {
  allow: null,
  deny: [],
  outside_then_act: 'ask',
}

/** `settings` null: they cannot be read. Looks at nothing that no policy asks for. */
export function factsOf(
  thread: Thread,
  { run, call, row, tool }: Subject,
  preview: Preview | null,
  approval: ApprovalRule,
  settings: ToolSettings | null,
): CallFacts {
  const { allow, deny, outside_then_act } = settings ?? UNKNOWN_SETTINGS
  return {
    name: row.name,
    source: row.source,
    group: groupOf(row) ?? tool.group ?? null,
    effect: call.effect,
    input: call.input,
    approval,
    preview,
    get outside() {
      return thread.sources.all
    },
    attended: !run.ask.fenced,
    earlierCalls: thread.journal.earlierOf(call),
    lists: toolLists({ allow, deny }, run.options.tools),
    outsideThenAct: outside_then_act,
    get address() {
      if (preview?.kind !== 'fetch') return null
      return judgeAddress(preview.url, knownAddresses(thread, run.id, call.toolUseId), LINKS_FETCHED_MAX)
    },
    unasked: run.options.unasked ?? [],
  }
}

/** Where a redirect of this fetch may lead: to hosts that were given, and to its own. Null: wherever the guard lets it. */
export function redirectsOf(
  thread: Thread,
  { run, call, tool }: Subject,
  settings: ToolSettings | null,
): ((url: URL) => boolean) | null {
  const free = settings?.outside_then_act === 'allow'
  const shown = previewOf(tool, call.input)
  const preview = shown.ok ? shown.value : null
  if (preview?.kind !== 'fetch' || free || thread.sources.all.length === 0) return null
  const own = new URL(preview.url).host
  // Looked up where there is a redirect at all.
  return ({ host }) => host === own || givenHosts(knownAddresses(thread, run.id, call.toolUseId)).has(host)
}

/** What people wrote, what searches found, which links pages had, and what this run fetched before the call. */
function knownAddresses({ ctx, transcript }: Thread, runId: string, toolUseId: string): Known {
  const { sql } = ctx.storage
  return {
    words: wordsGiven(sql),
    links: [...linksGiven(sql), { page: null, links: addressesFound(transcript.forModel()) }],
    fetched: fetchedBefore(transcript, runId, toolUseId),
  }
}

/** Asked for in this run before that call, made or not: of calls side by side each counts for those behind it. */
function fetchedBefore(
  transcript: Thread['transcript'],
  runId: string,
  toolUseId: string,
): readonly string[] {
  const asked = transcript.calls(runId)
  // The newest: a model may use an id again in a later message.
  const at = asked.findLastIndex(({ id }) => id === toolUseId)
  return asked.slice(0, at === -1 ? undefined : at).flatMap(({ name, input }) => {
    const url = typeof input === 'object' && input !== null && 'url' in input ? input.url : null
    return name === 'web_fetch' && typeof url === 'string' ? [url] : []
  })
}
