// Helpers of the approval tests: a thread whose model makes a payment that needs approval, and a clock that the test
// advances.

import type { Caller } from '../../src/lib/caller.ts'
import type { ApprovalAnswer, ApprovalChoice } from '../../src/thread/approvals/api.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { HandClock, speaks, TestThread } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { ScriptedModel, text, use, type Turn } from './scripted-model.ts'
import { World } from './world.ts'

export const DAY = 24 * 3_600_000
export const YES = { decision: 'approve', note: null, remember: null } as const
export const DENY = { decision: 'deny', note: 'Too much.', remember: null } as const
export const DONE: Turn = { content: [text('Done.')] }
const PAY: readonly Turn[] = [{ content: [use('t1', 'pay', { amount: 10 })] }, DONE]

export interface RequestMessage {
  readonly thread: TestThread
  readonly world: World
  readonly clock: HandClock
  readonly model: ScriptedModel
}

export function asks(
  turns: ConstructorParameters<typeof ScriptedModel>[0] = PAY,
  ports: Partial<ThreadPorts> = {},
  world = new World(),
): RequestMessage {
  const clock = new HandClock()
  const model = new ScriptedModel(turns)
  const tools: ThreadPorts['tools'] = () => [...world.tools, world.paying()]
  const thread = new TestThread({ ...speaks(model), now: clock.now, tools, ...ports })
  return { thread, world, clock, model }
}

/** Resolves once the run waits and its thread is idle. */
export async function waits(thread: TestThread, runId: string): Promise<void> {
  await eventually(
    () => thread.status(runId),
    (status) => status === 'waiting',
  )
  await settled(thread)
}

/** Resolves once every change has been reported to the workspace. */
export async function settled(thread: TestThread): Promise<void> {
  await eventually(
    () =>
      thread.sql((sql) => sql.exec('SELECT approvals_change = approvals_reported AS same FROM thread').one()),
    ({ same }) => same === 1,
  )
}

/** The results that the model was given, with the ids of their calls. */
export async function resultsOf(thread: TestThread): Promise<readonly (readonly [unknown, unknown])[]> {
  return (await thread.messages()).flatMap(({ content }) =>
    content.flatMap((block) =>
      block.type === 'tool_result' ? [[block['tool_use_id'], block['content']] as const] : [],
    ),
  )
}

/** The digest of the newest request with this id; if there is none, digits that name no request. */
export async function newestDigest(thread: TestThread, toolUseId = 't1'): Promise<string> {
  const newest = 'SELECT digest FROM approvals WHERE tool_use_id = ? ORDER BY id DESC LIMIT 1'
  const rows = await thread.sql((sql) => sql.exec<{ digest: string }>(newest, toolUseId).toArray())
  return rows[0]?.digest ?? '0'.repeat(64)
}

/** An answer of a person who saw the newest request. */
export async function answer(
  thread: TestThread,
  caller: Caller,
  runId: string,
  toolUseId: string,
  choice: ApprovalChoice,
): ReturnType<TestThread['api']['approve']> {
  const answered: ApprovalAnswer = { ...choice, digest: await newestDigest(thread, toolUseId) }
  return thread.api.approve(caller, runId, toolUseId, answered)
}
