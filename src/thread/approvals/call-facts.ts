// Collects the facts of a call that policies judge, from rows, the workspace's settings and the model's
// context.

import { knownHosts } from '../../agent/addresses.ts'
import type { ApprovalRule, Preview } from '../../agent/approval.ts'
import type { CallFacts } from '../../agent/policy.ts'
import { judgeAddress } from '../../agent/link-budget.ts'
import { isNamedHost } from '../../net/guard.ts'
import { CALLS_PER_TOOL_DEFAULT } from '../../limits/runs.ts'
import type { WorkspaceSettings } from '../../settings/settings.ts'
import { isDispatcher, listsForDispatcher, listsForTarget } from '../../tools/deferred/names.ts'
import { groupOf } from '../../tools/sources.ts'
import { toolLists } from '../../tools/web/server-search.ts'
import type { Parts } from '../parts.ts'
import { previewOf } from './binding.ts'
import { choicesBefore, knownAddresses } from './link-choices.ts'
import type { Subject } from './subject.ts'

type Thread = Parts<'ctx' | 'approvals' | 'journal' | 'sources' | 'transcript', 'privateHosts'>

export type ToolSettings = WorkspaceSettings['tools']

/** Used if the settings cannot be read: calls that stay inside the thread are allowed, and nothing is sent. */
const UNKNOWN_SETTINGS: Pick<
  ToolSettings,
  'allow' | 'deny' | 'untrusted_then_act' | 'link_bits' | 'calls_per_tool'
> = {
  allow: null,
  deny: [],
  untrusted_then_act: 'ask',
  link_bits: 0,
  calls_per_tool: CALLS_PER_TOOL_DEFAULT,
}

/** `settings` is null if they cannot be read. Facts that most policies do not use are getters, so that they are computed only if needed. */
export function factsOf(
  thread: Thread,
  { run, call, row, tool }: Subject,
  preview: Preview | null,
  approval: ApprovalRule,
  settings: ToolSettings | null,
): CallFacts {
  const { allow, deny, untrusted_then_act, link_bits, calls_per_tool } = settings ?? UNKNOWN_SETTINGS
  const allLists = toolLists({ allow, deny }, run.options.tools)
  const lists = call.through ? listsForTarget(allLists) : allLists
  return {
    name: row.name,
    source: row.source,
    group: groupOf(row) ?? tool.group ?? null,
    effect: call.effect,
    input: call.input,
    approval,
    preview,
    isInvalidCall: preview === null && tool.preview !== undefined,
    get untrusted() {
      return thread.sources.all
    },
    canAskPerson: !run.ask.fenced,
    earlierCalls: thread.journal.countToolCalls(call),
    callsPerTool: calls_per_tool,
    lists: isDispatcher(row.name) ? listsForDispatcher(lists) : lists,
    untrustedThenAct: untrusted_then_act,
    get address() {
      if (preview?.kind !== 'fetch') return null
      const judged = judgeAddress({ ...call, url: preview.url }, choicesBefore(thread, call, link_bits))
      const isPrivate = isNamedHost(new URL(preview.url), thread.ports.privateHosts)
      return judged === 'unknown' && isPrivate ? 'private' : judged
    },
    linkBits: link_bits,
    allowedCalls: run.options.allowedCalls ?? [],
  }
}

/**
 * Returns a function that tells whether a redirect of this fetch may lead to a URL: on the same host, or on a host that
 * appears in the thread. Returns null if the redirect may lead wherever the network guard allows.
 */
export function redirectsOf(
  thread: Pick<Thread, 'ctx' | 'sources' | 'transcript' | 'ports'>,
  { call, tool }: Subject,
  settings: ToolSettings | null,
): ((url: URL) => boolean) | null {
  const isUnrestricted = settings?.untrusted_then_act === 'allow'
  const built = previewOf(tool, call.input)
  const preview = built.ok ? built.value : null
  if (preview?.kind !== 'fetch' || isUnrestricted || thread.sources.all.length === 0) return null
  const fetchHost = new URL(preview.url).host
  // The hosts are computed only if there is a redirect.
  return ({ host }) => host === fetchHost || knownHosts(knownAddresses(thread)).has(host)
}
