// Builds the row of a thread that is being created, with its prefix or, if nothing can be frozen yet,
// without.

import { systemPrompt } from '../../agent/prompt.ts'
import { NO_USAGE } from '../../agent/message.ts'
import type { Caller } from '../../lib/caller.ts'
import { indexBudget, levelOne } from '../../skills/view/section.ts'
import { LOAD_SKILL } from '../../tools/skills/load-skill.ts'
import { includedTools, isConfigured } from '../../tools/sources.ts'
import type { StartInput } from '../api.ts'
import type { ThreadPorts } from '../parts.ts'
import { ownerOf, WITHOUT_PREFIX, type ThreadData } from '../rows/thread-row.ts'
import type { Prepared } from './prepare.ts'

/** Returns a thread without a prefix. The first message that starts a run adds the prefix. */
export function threadWithoutPrefix(
  ports: ThreadPorts,
  caller: Caller,
  input: Pick<StartInput, 'threadId' | 'metadata' | 'model' | 'allowSkills' | 'tools'>,
): ThreadData {
  const now = ports.now()
  return {
    id: input.threadId,
    workspace: caller.workspace,
    owner: ownerOf(caller),
    user: caller.user,
    madeBy: caller.keyId,
    title: '',
    titled: false,
    metadata: input.metadata,
    createdAt: now,
    updatedAt: now,
    model: input.model ?? ports.models.defaultModel,
    allow: input.allowSkills,
    chosenTools: input.tools,
    contextTokens: 0,
    cachedPrompt: null,
    usage: NO_USAGE,
    approvalsChange: 0,
    approvalsReported: 0,
    textsReported: 0,
    root: input.threadId,
    forkedFrom: null,
    ...WITHOUT_PREFIX,
  }
}

/** Returns a thread with its permanent prefix. */
export function threadWithPrefix(
  ports: ThreadPorts,
  caller: Caller,
  input: StartInput,
  prepared: Prepared,
): ThreadData {
  const thread = threadWithoutPrefix(ports, caller, input)
  const audience = { allow: input.allowSkills, invoked: [] }
  const visible = ports.skills(caller.workspace, prepared.index, prepared.live.version, audience, () =>
    ports.liveCatalog(caller.workspace, input.build),
  )
  const window = ports.models.resolve(thread.model)?.facts.window ?? null
  const listed = levelOne(visible.list(), indexBudget(window), prepared.live.used?.names)
  const offered = includedTools(prepared.tools, {
    describesAll: listed.whole,
    searchesWeb: ports.search(caller.workspace) !== null,
  })
  const tools = offered.map(({ row }) => row)
  return {
    ...thread,
    system: systemPrompt(listed.text, !listed.whole, {
      skills: tools.some(({ name }) => name === LOAD_SKILL.spec.name),
      files: offered.some(({ row, group }) => !isConfigured(row) && group === 'files'),
      settings: tools.some(isConfigured),
    }),
    tools,
    catalogVersion: prepared.live.version,
    seenVersion: prepared.live.version,
    seenIndex: prepared.live.index,
  }
}
