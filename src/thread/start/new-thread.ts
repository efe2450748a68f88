// Builds the row of a thread that is being created, with its prefix or, if nothing can be frozen yet,
// without.

import { NO_USAGE } from '../../agent/message.ts'
import type { Caller } from '../../lib/caller.ts'
import { keyDefaultModel } from '../../model/key-default.ts'
import type { StartInput } from '../api.ts'
import type { ThreadPorts } from '../parts.ts'
import { ownerOf, WITHOUT_PREFIX, type ThreadData } from '../rows/thread-row.ts'
import { makePrefix } from '../windows/prefix.ts'
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
    model: input.model ?? keyDefaultModel(ports.models, caller),
    allow: input.allowSkills,
    chosenTools: input.tools,
    contextTokens: 0,
    cachedPrompt: null,
    todos: null,
    usage: NO_USAGE,
    approvalsChange: 0,
    approvalsReported: 0,
    textsReported: 0,
    root: input.threadId,
    forkedFrom: null,
    ...WITHOUT_PREFIX,
  }
}

/** Returns a thread with its first window. */
export function threadWithPrefix(
  ports: ThreadPorts,
  caller: Caller,
  input: StartInput,
  { index, live, tools: offered }: Prepared,
): ThreadData {
  const thread = threadWithoutPrefix(ports, caller, input)
  const { workspace } = caller
  const { build, allowSkills: allow, plan = false } = input
  const catalog = { workspace, build, index, catalogVersion: live.version }
  const { model } = thread
  return {
    ...thread,
    ...makePrefix(ports, {
      ...catalog,
      model,
      allow,
      offered,
      plan,
      mostUsed: live.used?.names,
    }),
    catalogVersion: live.version,
    seenVersion: live.version,
    seenIndex: live.index,
  }
}
